/**
 * The contract of the full-text index over turns and memories; a view is one user’s at one instant, ordinals 0 …
 * size-1. Below it that between the index, which knows no SQL, and a database, whose calls are synchronous.
 */

/** Bits of TurnColumns.flags. */
export const TURN_DELETED = 1
/** The turn ends in a question (English or Chinese). */
export const TURN_IS_QUESTION = 2
/** The turn mentions at least one symbol. */
export const TURN_HAS_SYMBOLS = 4

/** One value for each document, by ordinal. Arrays may be longer than the view's `size`; read only up to it. */
export interface DocumentColumns {
  /** Identifies it to `ConversationLog.turnsByRow` or `MemoryStore.getRows`. */
  readonly row: Float64Array
  /** Index into the view's conversations. */
  readonly conversation: Uint32Array
  /** Milliseconds since the epoch. */
  readonly createdAt: Float64Array
  /** Number of index terms, capped at 65535; the document length of BM25. */
  readonly length: Uint16Array
  readonly flags: Uint8Array
}

export interface TurnColumns extends DocumentColumns {
  /** The turn's number in its conversation. */
  readonly number: Uint32Array
  /** Index into TurnView.speakers. */
  readonly speaker: Uint16Array
  /** Index into ROLES of domain/turn. */
  readonly role: Uint8Array
  /** Ordinal of the turn before in the same conversation, -1 for none. */
  readonly previous: Int32Array
  /** Ordinal of the turn after in the same conversation, -1 for none. */
  readonly next: Int32Array
}

export interface IndexedConversation {
  readonly conversationId: string
  readonly projectRoot: string
  /** Every turn up to this number is covered by a rolling summary; 0 for none. */
  readonly summarizedTo: number
  /** true: its content is shown to no model. */
  readonly isMuted?: boolean
}

/** The documents of one term: ascending ordinals and their frequencies (1-255). Later deletions may still occur. */
export interface PostingList {
  readonly term: string
  readonly documents: Uint32Array
  readonly frequencies: Uint8Array
}

/** The documents of one user at one instant. */
interface DocumentsView<Columns extends DocumentColumns> {
  /** Number of ordinals, holes included. */
  readonly size: number
  /** Documents that exist, past memories included. */
  readonly live: number
  /** Mean of `length` over the documents that exist; 0 when there are none. */
  readonly averageLength: number
  readonly columns: Columns
  /** Conversations that they refer to; one that is not in the log has an empty id. */
  readonly conversations: readonly IndexedConversation[]
  /** The lists of these terms in order, empty for unknown ones; rejects with ViewExpired after a reorganisation. */
  postings(terms: readonly string[]): Promise<readonly PostingList[]>
}

export interface TurnView extends DocumentsView<TurnColumns> {
  /** Names as stored ('' for turns without one). */
  readonly speakers: readonly string[]
}

export interface TurnIndex {
  /** A view with every turn whose storing was acknowledged, by any process; empty for an unknown user. */
  view(userId: string): Promise<TurnView>
}

/** Bits of MemoryColumns.flags. */
export const MEMORY_DELETED = 1
/** Set when another memory took its place; a memory that ended otherwise has a `validTo`. */
export const MEMORY_SUPERSEDED = 2
/** Set when one of its grounds has changed. */
export const MEMORY_IN_DOUBT = 4
/** First bit of the project's mark (`projectMark`); 0 without a project. */
export const MEMORY_PROJECT_SHIFT = 3

export interface MemoryColumns extends DocumentColumns {
  /** Document numbers, ascending, never used again; the last one of a changed memory is its present state. */
  readonly document: Uint32Array
  /** Milliseconds since the epoch. */
  readonly occurredAt: Float64Array
  readonly validFrom: Float64Array
  /** Infinity while it holds. */
  readonly validTo: Float64Array
  /** Number of its first source turn in the conversation; 0 for none. */
  readonly turn: Uint32Array
  /** Index into MEMORY_TYPES of domain/memory. */
  readonly memoryType: Uint8Array
  /** Index into CATEGORIES of domain/memory. */
  readonly category: Uint8Array
}

export type MemoryView = DocumentsView<MemoryColumns>

export interface MemoryIndex {
  /** A view with every memory whose writing was acknowledged, by any process; empty for an unknown user. */
  view(userId: string): Promise<MemoryView>
  /** false while a view would take seconds to read in other processes' writes (an import, an older program). */
  isReady(userId: string): boolean
}

/** An immutable stretch of one owner's index, without its columns and lists. */
export interface StoredSegment {
  readonly segmentNo: number
  /** Documents in it, removed ones included. */
  readonly documents: number
  /** Numbers of its first and last document; a document's number is never used again and grows with every new one. */
  readonly firstDocument: number
  readonly lastDocument: number
  /** Least term and row of each chunk, in order; empty while it is being built. */
  readonly directory: Uint8Array
  /** Filter of its terms; empty while it is being built. */
  readonly filter: Uint8Array
}

/** The facts of a segment before its lists are written. */
export type SegmentFacts = Pick<StoredSegment, 'documents' | 'firstDocument' | 'lastDocument'>

/** A document that exists no more, as the database noted it. */
export interface Hole {
  /** Grows with every hole of the table. */
  readonly holeNo: number
  readonly document: number
}

/** A conversation with its number in the database. */
export interface StoredConversation extends IndexedConversation {
  readonly conversationNo: number
}

/** Numbers that show a reader the changes of an owner. */
export interface IndexState {
  /** Raised whenever the set of segments changes. */
  readonly version: number
  /** The newest hole; 0 for none. */
  readonly holeNo: number
  /** The newest change to a conversation; 0 for none. */
  readonly changeNo: number
}

/** The table of one kind of document; `Document` is the input of its analysis. */
export interface SegmentTable<Document> {
  /** The owner's number; undefined for a user who stored nothing. */
  owner(userId: string): number | undefined
  /** A text that changes with every commit, by any connection. */
  stamp(): string
  /** Runs `work` on one snapshot. */
  read<T>(work: () => T): T
  /** Runs `work` in one transaction; a write inside a write joins it. */
  write<T>(work: () => T): T
  /** As `write`, for work in steps: yields `locked` for as long as another process holds the lock. */
  writeWhenFree<T>(work: () => T): Generator<'locked', T>
  state(owner: number): IndexState

  /** Documents numbered above `after`, ascending; read lazily. */
  documentsAfter(owner: number, after: number): Iterable<Document>
  /** The number of documents above `after`, counted up to `most`. */
  countAfter(owner: number, after: number, most: number): number
  holesAfter(owner: number, holeNo: number): readonly Hole[]
  /** Notes that documents exist no more; empty where the database does so itself. */
  addHoles(owner: number, documents: readonly number[]): void
  /** The number of holes of documents above `after`, counted up to `most`. */
  countHoles(owner: number, after: number, most: number): number
  /** Forgets holes up to number `holeNo` of documents from `first` to `last`, which nothing needs any more; how many. */
  dropHoles(owner: number, first: number, last: number, holeNo: number): number
  /** Conversations that changed after `changeNo`, -1 for all; a new one has not changed yet. */
  conversations(owner: number, changeNo: number): readonly StoredConversation[]
  conversation(owner: number, conversationNo: number): StoredConversation | undefined

  /** Segments that may be read, oldest first. */
  segments(owner: number): readonly StoredSegment[]
  /** The number of the last document in a segment that may be read; 0 for none. */
  lastDocument(owner: number): number
  columns(segmentNo: number): Uint8Array
  /** The segment that a merge is writing, and since when, in milliseconds since the epoch. */
  building(owner: number): { readonly segmentNo: number; readonly since: number } | null
  /** Writes a segment that nobody reads yet; returns its number. `since`: of a merge, milliseconds since the epoch. */
  insertSegment(owner: number, facts: SegmentFacts, since: number | null): number
  /** Makes a segment readable. */
  closeSegment(segmentNo: number, columns: Uint8Array, directory: Uint8Array, filter: Uint8Array): void
  /** Removes segments with everything in them. */
  deleteSegments(segmentNos: readonly number[]): void
  /** Tells every process that the segments have changed; returns the new version. */
  raiseVersion(owner: number): number

  /** A chunk by its row; undefined when everything in it was removed. */
  chunk(row: number): Uint8Array | undefined
  /** Returns its row. */
  insertChunk(segmentNo: number, lists: Uint8Array): number
  /** Replaces a chunk; null removes it. */
  updateChunk(row: number, lists: Uint8Array | null): void
}
