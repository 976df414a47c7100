/** Vectors searched in a mirror: matches are checked against the record, unsettled ones compared there. */

import { checkInteger, checkVector } from '../../../domain/checks.ts'
import type {
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

/** The contract StoredVectorIndex over a record and its mirror; other methods are the record's. */
export function mirroredVectors(
  record: StoredVectorIndex,
  outbox: VectorOutbox,
  mirror: VectorMirror,
  worker: MirrorWorker,
): StoredVectorIndex {
  /** Writes, and has the mirror told of it. */
  const told =
    <A extends unknown[], R>(write: (...values: A) => Promise<R>) =>
    async (...values: A): Promise<R> => {
      const result = await write(...values)
      worker.wake()
      return result
    }
  /** The matches that hold, `least` if there are. Where rows of other stores, or old ones, take their places, more is asked. */
  const searchMirror = async (
    userId: string,
    query: Float32Array,
    least: number,
    first: number,
    filter: VectorFilter,
  ): Promise<readonly MirrorMatch[]> => {
    for (let asked = first; ; asked = Math.min(asked * 4, LIMITS.resultLimit)) {
      const found = await mirror.searchSettled(userId, query, asked, filter).catch((error: unknown) => {
        worker.unready(error)
        throw error
      })
      const present = await outbox.present(userId, found)
      const isAll = found.length < asked || asked === LIMITS.resultLimit
      if (present.length >= least || isAll) return present
    }
  }
  const own: Partial<StoredVectorIndex> = {
    begin: told(async (identity: VectorIdentity) => {
      const outcome = await record.begin(identity)
      if (outcome !== 'kept') worker.unready()
      return outcome
    }),
    add: told((userId: string, records: readonly VectorRecord[]) => record.add(userId, records)),
    remove: told((userId: string, ids: readonly string[]) => record.remove(userId, ids)),
    removeAll: told((userId: string) => record.removeAll(userId)),
    /** Rejects `vector_store_failed` while the mirror does not answer. */
    search: async (userId, vector, limit, filter = {}): Promise<readonly VectorMatch[]> => {
      checkInteger('limit', limit, 1, LIMITS.resultLimit)
      const identity = await record.identity()
      const query = identity === null ? vector : checkVector('vector', vector, identity)
      const failure = worker.failure()
      if (failure !== null) throw failure
      await worker.ready()
      const { vectors: unsettled, isWhole } = await outbox.unsettled(userId, COMPARED_HERE)
      // The mirror would miss too much; the record has all of it.
      if (!isWhole) return record.search(userId, query, limit, filter)
      const wanted = Math.min(limit + Math.min(unsettled.size, limit), LIMITS.resultLimit)
      const settled = await searchMirror(userId, query, limit, wanted, filter)
      const matches: VectorMatch[] = settled
        .filter(({ id }) => !unsettled.has(id))
        .map(({ id, score }) => ({ id, score }))
      for (const [id, one] of unsettled)
        if (one !== null && accepts(filter, one)) matches.push({ id, score: cosine(one.vector, query) })
      return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
    },
  }
  return new Proxy(record, {
    get: (whole, name) => {
      const value: unknown = Reflect.get(name in own ? own : whole, name)
      return typeof value === 'function' ? value.bind(whole) : value
    },
  })
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

/** The cosine of two unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}
