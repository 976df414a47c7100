/** Everything that a context can be made of, fetched for one message: plain data, nothing chosen yet. */
import type { Memory, WorkingMemory } from '../../domain/memory.ts'
import type { Role } from '../../domain/turn.ts'

/** A memory that answers the message, best first. */
export interface RecalledMemory {
  readonly memory: Memory
  readonly score: number
}

/** A turn outside the window that answers the message, best first. */
export interface RecalledTurn {
  readonly conversationId: string
  readonly turnId: number
  readonly role: Role | null
  readonly speaker: string | null
  readonly text: string
  readonly createdAt: number
  readonly score: number
}

/** Title and snippet of another conversation, newest first. */
export interface EarlierSession {
  readonly conversationId: string
  readonly title: string
  readonly snippet: string
  readonly createdAt: number
}

/** A rolling summary of turns of this conversation that the window no longer holds. */
export interface EarlierSpan {
  readonly startTurn: number
  readonly endTurn: number
  readonly text: string
}

/** A turn of this conversation, in order. */
export interface WindowTurn {
  readonly turnId: number
  readonly role: Role
  readonly content: string
}

/** The material of one context. */
export interface ContextMaterial {
  /** The message that is to be answered. */
  readonly message: string
  /** The moment that it is answered at, in milliseconds since the epoch. */
  readonly now: number
  /** The caller's own instructions; null for ours alone. */
  readonly system: string | null
  /** null when there is none or it is switched off. */
  readonly profile: string | null
  readonly workingMemory: WorkingMemory | null
  readonly memories: readonly RecalledMemory[]
  readonly turns: readonly RecalledTurn[]
  readonly sessions: readonly EarlierSession[]
  readonly spans: readonly EarlierSpan[]
  /** Earlier turns of this conversation, oldest first, without the message itself. */
  readonly window: readonly WindowTurn[]
  /** Number of turns before those of `window`. */
  readonly turnsBefore: number
  /** 001: context_limit. */
  readonly contextLimit: number
  /** Most tokens of everything together. */
  readonly tokenBudget: number
}
