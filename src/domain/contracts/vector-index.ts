/** The contract of a vector index, by user: unit vectors by id; cosines, largest first, ties by id in UTF-16 order. */
import type { Memory } from '../memory.ts'
import type { Work } from './conversation-log.ts'

/** One vector with its filter fields. */
export interface VectorRecord {
  /** Our own id; adding it again replaces the record. It begins with `turn:` if and only if `kind` is `turn`. */
  readonly id: string
  /** The vector, which is normalised if it is no unit vector. */
  readonly vector: Float32Array
  readonly kind: VectorKind
  /** Never empty. */
  readonly conversationId: string | null
  /** Never empty. */
  readonly who: string | null
  /** Milliseconds since the epoch, a whole number. */
  readonly time: number
  /** The embedded text. With it, the record is skipped when the store no longer holds this text under this id. */
  readonly text?: string
  /** The memory, for a backend whose records other programs read; others ignore it. */
  readonly memory?: Memory
}

/** The kind of record that a vector stands for. */
export type VectorKind = 'episodic' | 'semantic' | 'turn'

export const VECTOR_KINDS: readonly VectorKind[] = ['episodic', 'semantic', 'turn']

/** Conditions, all of which must hold; absent means any. Texts are compared whole and as they are, never as patterns. */
export interface VectorFilter {
  readonly kind?: VectorKind
  readonly conversationId?: string
  readonly who?: string
  /** time ≥ since. */
  readonly since?: number
  /** time < until. */
  readonly until?: number
}

/** A vector that was found. */
export interface VectorMatch {
  readonly id: string
  /** Cosine, -1 to 1. */
  readonly score: number
}

/** The index. Ids that a backend gives out itself are never shown, as an update may change them. */
export interface VectorIndex {
  /** Adds or replaces, all or nothing. Rejects `invalid_input` for another dimension, NaN, infinite or zero vectors. */
  add(userId: string, records: readonly VectorRecord[]): Promise<void>
  /** The number removed; unknown ids are passed over. */
  remove(userId: string, ids: readonly string[]): Promise<number>
  removeAll(userId: string): Promise<number>
  /** At most `limit` (1 to 10,000), exact scores. */
  search(userId: string, vector: Float32Array, limit: number, filter?: VectorFilter): Promise<readonly VectorMatch[]>
  /** The vectors of these ids; unknown ids are left out. */
  get(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>
  count(userId: string): Promise<number>
}

/** The source of vectors; those of two identities cannot be compared. */
export interface VectorIdentity {
  /** `Embedder.model`. */
  readonly model: string
  readonly dimension: number
}

/** A memory or a turn that has no vector of the present model: everything of its VectorRecord but the vector. */
export interface PendingEmbedding extends Omit<VectorRecord, 'vector'> {
  readonly userId: string
  readonly text: string
}

/** The index beside the memories and turns themselves, which knows those without a vector. */
export interface StoredVectorIndex extends VectorIndex {
  /** null before the first `begin`. */
  identity(): Promise<VectorIdentity | null>
  /** Sets the model of the vectors, before anything else; `changed`: nothing is found until they are remade. */
  begin(identity: VectorIdentity): Promise<'new' | 'kept' | 'changed'>
  /** Removes the vectors of earlier models, in pieces; their number. It can be run again. */
  discardOld(work?: Work): Promise<number>
  /** Memories, then turns, without a vector of the present model, at most `limit`; empty before `begin`. */
  pendingEmbeddings(limit: number): Promise<readonly PendingEmbedding[]>
  /** The number of pending texts. */
  pendingCount(): Promise<number>
  /** Vectors that this user has already for exactly these texts, by text. */
  vectorsOfTexts(userId: string, texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>
}

/** The id of a turn's vector; `row` is TurnColumns.row. */
export type TurnVectorId = `turn:${number}`

/** A vector as the mirror holds it. */
export interface MirroredVector extends VectorRecord {
  readonly userId: string
  /** Grows with every vector that the store writes; the same number means the same vector. */
  readonly version: number
  /** The store that it comes from, so that two stores can share one mirror. */
  readonly storeId: string
  /** The model that made the vector. */
  readonly model: string
  /** The text, or its beginning where the mirror has no room for more. */
  readonly text: string
}

/** A row of the mirror: its content, and the id that the mirror gave it. */
export interface MirrorRow {
  /** A whole number as text; a replaced vector has a new one. */
  readonly rowId: string
  readonly userId: string
  readonly id: string
  readonly version: number
  readonly storeId: string
}

export interface WholeMirrorRow extends MirrorRow {
  readonly record: MirroredVector
  /** Parts of the memory that the mirror had no room for: `text`, `metadata`, `value` … */
  readonly shortened: readonly string[]
}

/** A match, with the version that the mirror holds and the store that the row is of. */
export interface MirrorMatch extends VectorMatch {
  readonly version: number
  readonly storeId: string
}

/** The index outside. Every call rejects with `vector_store_failed` when it does not answer in time. */
export interface VectorMirror {
  /** `milvus` */
  readonly provider: string
  /** The mirror's address, database and collection, without secrets. */
  readonly target: string
  /** Creates the mirror when absent (not for a null dimension), else checks and loads it. Rejects `conflict`. */
  prepare(dimension: number | null): Promise<{ readonly isEmpty: boolean }>
  /** The nearest of a user, largest score first, as quick as possible: writes of the last seconds may be missing. */
  searchSettled(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter?: VectorFilter,
  ): Promise<readonly MirrorMatch[]>
  /** Adds rows and replaces none; their row ids, in order. */
  insertRows(records: readonly MirroredVector[]): Promise<readonly string[]>
  /** Unknown row ids are passed over. */
  removeRows(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void>
  /** All rows of these ids, of any version, as of now. */
  findRows(ids: readonly Pick<MirrorRow, 'userId' | 'id'>[]): Promise<readonly MirrorRow[]>
  /** Every row, in pieces; each as it is when its piece is read. */
  allRows(signal?: AbortSignal): AsyncIterable<readonly WholeMirrorRow[]>
  close(): Promise<void>
}

/** The lag of the mirror. */
export interface OutboxState {
  /** null: no mirror was ever attached. */
  readonly target: string | null
  /** Changes that were noted and not applied. */
  readonly waiting: number
  /** The time of the oldest note; null when none waits. */
  readonly oldestAt: number | null
  /** Vectors that the first filling still has to send; all of them before a mirror was attached. */
  readonly toFill: number
}

/** One vector that the mirror must be told of: its present record, or null when there is none. */
export interface OutboxEntry {
  readonly changeNo: number
  readonly userId: string
  readonly id: string
  readonly storeId: string
  readonly record: MirroredVector | null
  /** The mirror's row for this very vector; null when it has none yet. */
  readonly rowId: string | null
  /** true when it was begun before and not finished, so that the mirror may hold unknown rows. */
  readonly tried: boolean
}

/** The result for one entry. */
export interface OutboxOutcome {
  readonly entry: OutboxEntry
  /** The row that was inserted; null when there was nothing to insert. */
  readonly rowId: string | null
  /** Other rows of the same id that were found and have to go. */
  readonly strays: readonly string[]
}

/** The vectors of a user that the mirror may not show yet. */
export interface UnsettledVectors {
  /** The newest state of each vector; null: removed. */
  readonly vectors: ReadonlyMap<string, VectorRecord | null>
  /** false: there are more, or the first filling has not come to its end. */
  readonly isWhole: boolean
}

/** The differences that a comparison of both sides found. */
export interface MirrorDifferences {
  /** Vectors of the store. */
  readonly vectors: number
  /** Rows equal to the record. */
  readonly equal: number
  /** Vectors without a row. */
  readonly missing: number
  /** Rows that differ from the record. */
  readonly stale: number
  /** Rows of this store without a vector in it, and second rows of one vector. */
  readonly leftOver: number
  /** Rows of other stores. */
  readonly foreign: number
}

/** The outbox beside the records. Times count from the machine's start; one ahead is from before a restart. */
export interface VectorOutbox {
  /**
   * Says where the mirror is, with `new` for another or an emptied one; one with rows is unknown until compared. `copy`: this
   * file is a copy, and gets an id of its own under which everything is sent.
   */
  attach(target: string, isEmpty: boolean): Promise<'kept' | 'new' | 'copy'>
  /** Forgets the mirror: from now on nothing is noted. Its target; null: there was none. */
  detach(): Promise<string | null>
  /** true: the mirror held rows when it was attached; compare it, with repair, before anything else. */
  isUnknown(): Promise<boolean>
  /** true when anything waits to be applied or removed; costs next to nothing. */
  isBehind(): Promise<boolean>
  state(): Promise<OutboxState>
  /** Takes or keeps the right to apply changes for `forMs`, under a name of its own; false while another has it. */
  claim(owner: string, now: number, forMs: number): Promise<boolean>
  release(owner: string): Promise<void>
  /** The oldest changes that wait, at most `limit`, marked as begun; then the next vectors of the first filling. */
  take(limit: number): Promise<readonly OutboxEntry[]>
  /** Notes the applied changes; newer ones stay. false, with all staying, when `owner` lost its right meanwhile. */
  done(outcomes: readonly OutboxOutcome[], owner: string, now: number): Promise<boolean>
  /** Rows that the mirror must remove, at most `limit`. */
  gone(limit: number): Promise<readonly Pick<MirrorRow, 'rowId' | 'id'>[]>
  goneDone(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void>
  /** Forgets changes applied this many milliseconds ago, as the mirror shows them by now. */
  settle(now: number, afterMs: number): Promise<void>
  /** A user's vectors that wait or were applied a moment ago, the newest first. */
  unsettled(userId: string, limit: number): Promise<UnsettledVectors>
  /** The matches, in their order, whose row is of this store and shows the user's present vector. */
  present(userId: string, matches: readonly MirrorMatch[]): Promise<readonly MirrorMatch[]>
  /** Compares the record with the mirror's rows, in pieces. With `repair`, what differs is noted as changes. */
  compare(
    rows: AsyncIterable<readonly WholeMirrorRow[]>,
    repair: boolean,
    signal?: AbortSignal,
  ): Promise<MirrorDifferences>
  /** Notes rows whose vectors belong to this store under other rows by now; they go once those are there. */
  adopt(rows: readonly MirrorRow[]): Promise<void>
}

/** Counts of a restore of memories from a mirror. */
export interface MirrorRestoreCounts {
  readonly restored: number
  readonly known: number
  /** Memories whose text, metadata or value the mirror had shortened. */
  readonly shortened: number
  /** Vectors of turns, which hold no turns. */
  readonly turns: number
  /** Rows that Mneme did not write, without an id to know them by. */
  readonly foreign: number
}

/** The state of a mirror, for people and monitors. */
export interface MirrorStatus extends OutboxState {
  readonly provider: string
  /** The last failure; null when the mirror answered since. */
  readonly failure: string | null
}

/** The operations on the mirror of a store. */
export interface MirrorCases {
  /** The store's own index, exact and never behind. */
  readonly record: StoredVectorIndex
  status(): Promise<MirrorStatus>
  /** Compares both sides; with `repair` differences are sent anew. */
  compare(repair: boolean, signal?: AbortSignal): Promise<MirrorDifferences>
  /** Sends everything that the mirror lacks, and resolves when it is there. */
  fill(work?: Work): Promise<MirrorDifferences>
  /** Restores memories from the mirror. */
  restore(work?: Work): Promise<MirrorRestoreCounts>
}

/** A vector database in which the vectors are searched; the SQLite file stays the record. */
export interface VectorStoreOptions {
  readonly provider: 'milvus'
  /** `http://127.0.0.1:19530`, `https://user:password@host:19530/database`, `host:port`. */
  readonly uri: string
  /** An API key, or `user:password`. */
  readonly token?: string | undefined
  /** Default: the one in the URI, else Milvus's own. */
  readonly database?: string | undefined
  /** Default `memories`. Vectors of turns lie in a second one beside it, `<collection>_turns`. */
  readonly collection?: string | undefined
  /** true: opening rejects when it does not answer. false: it opens, and recall goes by words until it does. Default true. */
  readonly required?: boolean | undefined
  /** Milliseconds that a search may take. Default 3,000; anything else may take five times as long. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds to wait for a collection to be loaded when it is opened. Default 60,000. */
  readonly readyWithinMs?: number | undefined
}
