/** EpisodicReconsolidator (002 R4): what the present conversation adds to a memory that was used in it. */
import type { MemoryPatch } from '../../contracts/memory-store.ts'
import type { ThinkMessage } from '../../domain/thought.ts'

/** The conversation in which the memory was used. */
export interface CurrentContext {
  readonly conversationId: string
  /** The last turns, oldest first; the current exchange at the end. */
  readonly turns: readonly ThinkMessage[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** One entry of metadata.updates (002 R4.4). */
export interface MemoryUpdate {
  /** ISO 8601. */
  readonly time: string
  readonly update: string
  /** The turn that brought it; null when it was no stored turn. */
  readonly chat_id: string
  readonly turn_id: number | null
}

/** What may change of a reconsolidated memory: never time, chat, who (002 R4.2). */
export type ReconsolidationPatch = Required<Pick<MemoryPatch, 'text' | 'metadata'>>
