/**
 * The index of a store whose vectors are searched in a mirror. The record stays the truth: every match is held against
 * it, so that nothing that was removed or replaced is ever found, and what the mirror may not show yet is compared by
 * the record itself. So a write is seen by the next search, though the mirror is told of it later.
 */

import { checkVector } from '../../../domain/check-vector.ts'
import { checkInteger } from '../../../domain/checks.ts'
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type {
  PendingEmbedding,
  StoredVectorIndex,
  VectorFilter,
  VectorIdentity,
  VectorMatch,
  VectorRecord,
} from '../../../domain/contracts/vector-index.ts'
import type { MirrorMatch, VectorMirror, VectorOutbox } from '../../../domain/contracts/vector-mirror.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { MirrorWorker } from './mirror-worker.ts'

/** Changes of a user that are compared one by one; with more than these, or while the first filling is under way, the record answers. */
const COMPARED_HERE = 500

/** The contract StoredVectorIndex over a record and its mirror. */
export class MirroredVectors implements StoredVectorIndex {
  readonly #record: StoredVectorIndex
  readonly #outbox: VectorOutbox
  readonly #mirror: VectorMirror
  readonly #worker: MirrorWorker

  constructor(record: StoredVectorIndex, outbox: VectorOutbox, mirror: VectorMirror, worker: MirrorWorker) {
    this.#record = record
    this.#outbox = outbox
    this.#mirror = mirror
    this.#worker = worker
  }

  identity(): Promise<VectorIdentity | null> {
    return this.#record.identity()
  }

  async begin(identity: VectorIdentity): Promise<'new' | 'kept' | 'changed'> {
    const outcome = await this.#record.begin(identity)
    if (outcome !== 'kept') this.#worker.unready()
    this.#worker.wake()
    return outcome
  }

  discardOld(work?: Work): Promise<number> {
    return this.#record.discardOld(work)
  }

  pendingEmbeddings(limit: number): Promise<readonly PendingEmbedding[]> {
    return this.#record.pendingEmbeddings(limit)
  }

  pendingCount(): Promise<number> {
    return this.#record.pendingCount()
  }

  vectorsOfTexts(userId: string, texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#record.vectorsOfTexts(userId, texts)
  }

  async add(userId: string, records: readonly VectorRecord[]): Promise<void> {
    await this.#record.add(userId, records)
    this.#worker.wake()
  }

  async remove(userId: string, ids: readonly string[]): Promise<number> {
    const removed = await this.#record.remove(userId, ids)
    this.#worker.wake()
    return removed
  }

  async removeAll(userId: string): Promise<number> {
    const removed = await this.#record.removeAll(userId)
    this.#worker.wake()
    return removed
  }

  get(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#record.get(userId, ids)
  }

  count(userId: string): Promise<number> {
    return this.#record.count(userId)
  }

  /** Rejects `vector_store_failed` while the mirror does not answer. */
  async search(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly VectorMatch[]> {
    checkInteger('limit', limit, 1, LIMITS.resultLimit)
    const identity = await this.#record.identity()
    const query = identity === null ? vector : checkVector('vector', vector, identity)
    const failure = this.#worker.failure()
    if (failure !== null) throw failure
    await this.#worker.ready()
    const { vectors: unsettled, isWhole } = await this.#outbox.unsettled(userId, COMPARED_HERE)
    // The mirror would miss too much; the record has all of it.
    if (!isWhole) return this.#record.search(userId, query, limit, filter)
    const wanted = Math.min(limit + Math.min(unsettled.size, limit), LIMITS.resultLimit)
    const settled = await this.#searchMirror(userId, query, limit, wanted, filter)
    const matches: VectorMatch[] = settled
      .filter(({ id }) => !unsettled.has(id))
      .map(({ id, score }) => ({ id, score }))
    for (const [id, record] of unsettled)
      if (record !== null && accepts(filter, record)) matches.push({ id, score: cosine(record.vector, query) })
    return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
  }

  /** The matches that hold, `least` if there are. Where rows of other stores, or old ones, take their places, more is asked. */
  async #searchMirror(
    userId: string,
    query: Float32Array,
    least: number,
    first: number,
    filter: VectorFilter,
  ): Promise<readonly MirrorMatch[]> {
    for (let asked = first; ; asked = Math.min(asked * 4, LIMITS.resultLimit)) {
      const found = await this.#mirror.searchSettled(userId, query, asked, filter).catch((error: unknown) => {
        this.#worker.unready(error)
        throw error
      })
      const present = await this.#outbox.present(userId, found)
      const isAll = found.length < asked || asked === LIMITS.resultLimit
      if (present.length >= least || isAll) return present
    }
  }
}

function accepts({ kind, conversationId, who, since, until }: VectorFilter, record: VectorRecord): boolean {
  return (
    (kind === undefined || record.kind === kind) &&
    (conversationId === undefined || record.conversationId === conversationId) &&
    (who === undefined || record.who === who) &&
    record.time >= (since ?? Number.NEGATIVE_INFINITY) &&
    record.time < (until ?? Number.POSITIVE_INFINITY)
  )
}

/** Of two unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}
