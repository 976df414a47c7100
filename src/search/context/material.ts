/** The material of a context before it is packed, and the context that comes of it. */
import type { WorkingMemory } from '../../domain/memory.ts'
import type { Explanation } from '../../domain/recall.ts'
import type { Role } from '../../domain/turn.ts'
import type { EvidencePiece } from '../evidence/select-evidence.ts'

/** The layers of design §4, by level. */
export const LAYER_NAMES = [
  'system',
  'profile',
  'working_memory',
  'memories',
  'session_summaries',
  'rolling_window',
] as const
type LayerName = (typeof LAYER_NAMES)[number]

/** One layer; empty ones are there too, with an empty text. */
export interface Layer {
  readonly level: 0 | 1 | 2 | 3 | 4 | 5
  readonly name: LayerName
  readonly text: string
  readonly tokens: number
}

/** A message for a model, as OpenAI's interface has it. */
export interface ContextMessage {
  readonly role: Exclude<Role, 'tool'>
  readonly content: string
}

/** An item of layer 3. */
export interface RecalledItem {
  readonly kind: 'memory' | 'turn'
  /** The id of a memory; null for a turn. */
  readonly id: string | null
  readonly conversationId: string | null
  /** The number of a turn; null for a memory. */
  readonly turnId: number | null
  /** The project that it is said of or, of a turn, in; null: none. */
  readonly projectRoot: string | null
  /** The shown text: whole, or whole sentences of it. */
  readonly text: string
  readonly score: number
  /** Tokens of its line. */
  readonly tokens: number
  /** The time of its saying, or of a memory's event. ISO 8601. */
  readonly createdAt: string
  /** The reason for its place; where it was asked for. */
  readonly explanation?: Explanation
  /** Ids of memories whose whole text stands in this one. */
  readonly tells: readonly string[]
}

/** An item that was left out, and the reason. */
export interface OmittedItem {
  /** Which: `memory <id>`, `turns 3-4`, `120 earlier turns`, `session summary <conversation>`, `profile` … */
  readonly what: string
  readonly reason: string
}

/** The whole context of one message. */
export interface BuiltContext {
  readonly layers: readonly Layer[]
  /**
   * The messages ready to send, ordered for a provider's prompt cache. Stable parts (layers 0 and 1, then older turns)
   * stand first; changing ones (layers 2 to 4) right before the message.
   */
  readonly messages: ContextMessage[]
  /** All layers in order, as one text. */
  readonly text: string
  readonly tokens: number
  readonly recalled: readonly RecalledItem[]
  readonly omitted: readonly OmittedItem[]
  readonly warnings: readonly string[]
}

/** Title and snippet of another conversation, newest first. */
export interface EarlierSession {
  readonly conversationId: string
  readonly title: string
  readonly snippet: string
  /** When its last turn was said. */
  readonly saidAt: number
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
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface ContextMaterial {
  readonly message: string
  /** The moment that it is answered at, in milliseconds since the epoch. */
  readonly now: number
  /** The project that is asked in; null: all. */
  readonly projectRoot: string | null
  /** The caller's own instructions; null for ours alone. */
  readonly system: string | null
  /** null when there is none or it is switched off. */
  readonly profile: string | null
  /**
   * Lines of the profile that the machine wrote, newest first; a small budget shows only some. `isHow` says how to answer,
   * `saidAt` when it was last said (null: unknown).
   */
  readonly machineLines: readonly { readonly text: string; readonly isHow: boolean; readonly saidAt: number | null }[]
  readonly workingMemory: WorkingMemory | null
  /** Turns and memories that answer the message, best first. */
  readonly pieces: readonly EvidencePiece[]
  /** The worth of each term of the message. */
  readonly gains: ReadonlyMap<string, number>
  /** 001, memory.rag_top_n: memories at the most. */
  readonly mostMemories: number
  /** Tokens of evidence at the most; Infinity: as many as the budget leaves. */
  readonly evidenceTokens: number
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

/** Messages that belong together, in order. */
export type Round<T> = readonly T[]

/** Cuts messages into rounds; the messages before the first of a user are a round, too. */
export function roundsOf<T extends { readonly role: string }>(messages: readonly T[]): readonly Round<T>[] {
  const rounds: T[][] = []
  let last: T[] | undefined
  for (const message of messages) {
    // Several user messages in a row are one question, asked in pieces.
    const begins = message.role === 'user' && last?.at(-1)?.role !== 'user'
    if (last === undefined || begins) {
      last = []
      rounds.push(last)
    }
    last.push(message)
  }
  return rounds
}

/** 001: with more messages than context_limit + 2, the system message among them, the earliest round leaves. */
const WINDOW_SLACK = 2

interface Window<T> {
  readonly kept: readonly Round<T>[]
  readonly dropped: readonly Round<T>[]
}

/**
 * The window over earlier rounds. `others` are the messages that count but are not among them: the system message and
 * the message that is being answered.
 */
export function rollingWindow<T>(rounds: readonly Round<T>[], contextLimit: number, others: number): Window<T> {
  let count = others + rounds.reduce((sum, round) => sum + round.length, 0)
  let first = 0
  while (first < rounds.length && count > contextLimit + WINDOW_SLACK) {
    count -= rounds[first]!.length
    first += 1
  }
  return { kept: rounds.slice(first), dropped: rounds.slice(0, first) }
}
