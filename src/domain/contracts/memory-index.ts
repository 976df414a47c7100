/** The contract of a full-text index over memories: views as of TurnIndex, where a changed memory has a new ordinal. */
import type { IndexedConversation, PostingList } from './turn-index.ts'

/** Bits of MemoryColumns.flags. */
export const MEMORY_DELETED = 1
/** Set when another memory took its place; a memory that ended otherwise has a `validTo`. */
export const MEMORY_SUPERSEDED = 2
/** Set when one of its grounds has changed. */
export const MEMORY_IN_DOUBT = 4
/** First bit of the project's mark (`projectMark`), which is 0 also for an undecided project. */
export const MEMORY_PROJECT_SHIFT = 3

/** One value for each memory, by ordinal. Arrays may be longer than `MemoryView.size`; read only up to it. */
export interface MemoryColumns {
  /** Identifies the memory to `MemoryStore.getRows`. */
  readonly row: Float64Array
  /** Document numbers, ascending, never used again; the last one of a changed memory is its present state. */
  readonly document: Uint32Array
  /** Milliseconds since the epoch. */
  readonly createdAt: Float64Array
  readonly occurredAt: Float64Array
  readonly validFrom: Float64Array
  /** Infinity while it holds. */
  readonly validTo: Float64Array
  /** Index into MemoryView.conversations. */
  readonly conversation: Uint32Array
  /** Number of its first source turn in the conversation; 0 for none. */
  readonly turn: Uint32Array
  /** Number of index terms, capped at 65535; the document length of BM25. */
  readonly length: Uint16Array
  /** Index into MEMORY_TYPES of domain/memory. */
  readonly memoryType: Uint8Array
  /** Index into CATEGORIES of domain/memory. */
  readonly category: Uint8Array
  readonly flags: Uint8Array
}

export interface MemoryView {
  /** Number of ordinals, holes included. */
  readonly size: number
  /** Memories that exist, past ones included. */
  readonly live: number
  /** Mean of `length` over the memories that exist; 0 when there are none. */
  readonly averageLength: number
  readonly columns: MemoryColumns
  /** Conversations that memories refer to; one that is not in the log has an empty id. */
  readonly conversations: readonly IndexedConversation[]
  /** The lists of these terms in order, empty for unknown ones; rejects with ViewExpired after a reorganisation. */
  postings(terms: readonly string[]): Promise<readonly PostingList[]>
}

export interface MemoryIndex {
  /** A view with every memory whose writing was acknowledged, by any process; empty for an unknown user. */
  view(userId: string): Promise<MemoryView>
  /** false while a view would take seconds to read in other processes' writes (an import, an older program). */
  isReady(userId: string): boolean
}
