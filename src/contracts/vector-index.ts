/**
 * What an index of vectors must be able to do. Vectors are unit vectors of one dimension; scores are cosines, -1 to 1,
 * the largest first, ties by id ascending. Every call is bound to one user. A write is seen by the next search, of
 * this process and of every other.
 */

/** One vector and what a filter may ask of it. */
export interface VectorRecord {
  /** Our own id, unique for a user; adding it again replaces what was there. */
  readonly id: string
  readonly vector: Float32Array
  readonly kind: VectorKind
  readonly conversationId: string | null
  readonly who: string | null
  /** Milliseconds since the epoch. */
  readonly time: number
}

/** What a vector stands for. */
export type VectorKind = 'episodic' | 'semantic' | 'turn'

/** Conditions, all of which must hold; absent means any. */
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
