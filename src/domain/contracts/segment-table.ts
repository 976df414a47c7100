/** The contract between the segment index, which knows no SQL, and a database. Calls are synchronous. */
import type { IndexedConversation } from './text-index.ts'

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
