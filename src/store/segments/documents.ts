/** The index's view of a kind of document: its columns in memory, its stored columns, and its terms. */
import type { ColumnLayout } from './column-layout.ts'

/** The bit of a document that exists no more, in the flags of every kind. */
export const DELETED = 1

/** The documents of one owner, by ordinal. Ordinals only grow; a removed document leaves a hole. */
export interface Documents<Document> {
  readonly size: number
  /** Documents that exist. */
  readonly live: number
  /** Sum of the lengths of those. */
  readonly totalLength: number
  readonly columns: { readonly length: Uint16Array; readonly flags: Uint8Array }
  /** Makes room. */
  reserve(capacity: number): void
  /** Adds a document behind the last; its number, and its terms with their frequency (1 to 255). */
  push(document: Document): { readonly document: number; readonly terms: ReadonlyMap<string, number> }
  /** Adds the documents of a segment. */
  pushSegment(columns: Uint8Array): void
  /** The columns of a segment of the documents from this ordinal on. Call it inside a write. */
  segment(from: number): Uint8Array
  documentAt(ordinal: number): number
  /** The ordinal of a document number, -1 when it is unknown. */
  ordinalOf(document: number): number
  /** Marks a document as removed. */
  remove(ordinal: number): void
  /** Reads conversations that changed after this number. */
  readConversations(changeNo: number): void
}

/** A kind of document: what its segments look like, and how its documents are held in memory. */
export interface DocumentKind<Document, Set extends Documents<Document>> {
  readonly layout: ColumnLayout & { readonly flags: 'u8' }
  /** The column that holds a document's number, ascending. */
  readonly numbers: string
  /** An empty set of documents for an owner. */
  open(owner: number): Set
}
