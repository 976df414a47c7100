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
