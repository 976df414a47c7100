/** The answers to a message: turns and memories as a model gets to see them. */
import type { Memory } from '../../domain/memory.ts'
import type { Explanation } from '../../domain/recall.ts'
import type { Role, Turn } from '../../domain/turn.ts'

/** A turn, the memories made from it, or both: one piece of evidence, with its place in the ranking. */
export interface EvidencePiece {
  /** null for memories whose turn is not there. */
  readonly turn: Turn | null
  /** The project of the turn's conversation; absent where it has none. */
  readonly project?: string
  /** The memories, best first. */
  readonly memories: readonly Memory[]
  /** Memories of the turn that others took the place of, or put in doubt; absent: none. */
  readonly outdated?: readonly Memory[]
  /** 0 to 1. */
  readonly score: number
  readonly explanation: Explanation | null
}

/** One text that a model gets to see. */
export interface Evidence {
  readonly kind: 'turn' | 'memory'
  /** The record of a memory; null for a turn. */
  readonly memory: Memory | null
  /** Memories whose whole text stands in this one, outdated ones with them: a model that sees the turn sees them, too. */
  readonly told: readonly Memory[]
  readonly conversationId: string | null
  /** Number of the turn, or of the first turn that a memory came from. */
  readonly turnId: number | null
  readonly role: Role | null
  readonly speaker: string | null
  /** The project that it is said of or, of a turn, in; null: a memory that holds everywhere, a turn said in none. */
  readonly projectRoot: string | null
  /** The shown text: all of it, or whole sentences of it. */
  readonly text: string
  /** Whether something of the text is left out. */
  readonly excerpt: boolean
  /** The time of its saying, or of a memory's event. Milliseconds since the epoch. */
  readonly createdAt: number
  readonly score: number
  /** Tokens of its line in a context. */
  readonly tokens: number
  readonly explanation: Explanation | null
}
