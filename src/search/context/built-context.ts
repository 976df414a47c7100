/** The context that a model gets, as the door returns it: layers, messages, and an account of both. */
import type { Explanation } from '../../domain/recall.ts'
import type { Role } from '../../domain/turn.ts'

/** The layers of design §4, by level. */
export const LAYER_NAMES = [
  'system',
  'profile',
  'working_memory',
  'memories',
  'session_summaries',
  'rolling_window',
] as const
/** A name out of LAYER_NAMES. */
export type LayerName = (typeof LAYER_NAMES)[number]

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
