/** A store whose vectors are searched in a mirror, checked against the record, with the worker that updates it. */
import { uptime } from 'node:os'
import { check } from '../../../domain/checks.ts'
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type { MemoryStore } from '../../../domain/contracts/memory-store.ts'
import type { Embedder } from '../../../domain/contracts/models.ts'
import type { Store } from '../../../domain/contracts/store.ts'
import type {
  MirrorCases,
  MirrorMatch,
  MirrorRestoreCounts,
  StoredVectorIndex,
  VectorFilter,
  VectorIdentity,
  VectorMatch,
  VectorMirror,
  VectorOutbox,
  VectorRecord,
  WholeMirrorRow,
} from '../../../domain/contracts/vector-index.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { Logger } from '../../../domain/logger.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { checkVector, cosine } from '../../../domain/unit-vectors.ts'
import { createMirrorWorker, type MirrorWorker } from './mirror-worker.ts'

/** 002: the vectors of its embedding model, and of a collection that is made before any model is named. */
const USUAL_DIMENSION = 2560

/** Rejects when the mirror is required and cannot be made ready; the caller closes both then. */
export async function mirroredStore(
  store: Store,
  mirror: VectorMirror,
  embedder: Embedder | null,
  { logger, background }: { readonly logger: Logger; readonly background: boolean },
  required: boolean,
): Promise<Store> {
  const worker = createMirrorWorker({
    mirror,
    outbox: store.outbox,
    logger,
    now: () => Math.floor(uptime() * 1000),
    dimension: () => dimensionOf(store, embedder),
    background,
  })
  if (embedder === null)
    logger.warn('A vector store is configured, but no model of meaning: what is new gets no vector.', {
      operation: 'mirror',
    })
  if (required) await worker.ready()
  worker.wake()
  return {
    ...store,
    vectors: mirroredVectors(store.vectors, store.outbox, mirror, worker),
    mirror: mirrorCases(store, mirror, worker),
    idle: async () => {
      await store.idle()
      await worker.idle()
    },
    close: async () => {
      await worker.stop()
      await mirror.close()
      await store.close()
    },
  }
}

/** The dimension of the vectors, the model, or the specification; null while the model does not answer. */
async function dimensionOf({ vectors }: Store, embedder: Embedder | null): Promise<number | null> {
  const identity = await vectors.identity()
  if (embedder === null) return identity?.dimension ?? USUAL_DIMENSION
  if (identity?.model === embedder.model) return identity.dimension
  return embedder.dimension().catch(() => null)
}

function mirrorCases(store: Store, mirror: VectorMirror, worker: MirrorWorker): MirrorCases {
  const { outbox } = store
  return {
    record: store.vectors,
    status: async () => ({
      ...(await outbox.state()),
      provider: mirror.provider,
      failure: worker.lastFailure()?.message ?? null,
    }),
    compare: async (repair, signal) => {
      await worker.ready()
      const found = await outbox.compare(mirror.allRows(signal), repair, signal)
      if (repair) worker.wake()
      return found
    },
    fill: async (work = {}) => {
      await worker.ready()
      await worker.drain(work)
      const found = await outbox.compare(mirror.allRows(work.signal), true, work.signal)
      await worker.drain(work)
      return found
    },
    restore: async (work) => {
      await worker.ready()
      const counts = await restoreFromMirror({ memories: store.memories, vectors: store.vectors, mirror, outbox }, work)
      worker.wake()
      return counts
    },
  }
}

/** Changes of a user that are compared one by one; with more than these, or while the first filling is under way, the record answers. */
const COMPARED_HERE = 500

/** The contract StoredVectorIndex over a record and its mirror. */
export function mirroredVectors(
  record: StoredVectorIndex,
  outbox: VectorOutbox,
  mirror: VectorMirror,
  worker: MirrorWorker,
): StoredVectorIndex {
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
  return {
    ...record,
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
      check.integer('limit', limit, 1, LIMITS.resultLimit)
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

interface RestoreDependencies {
  readonly memories: Pick<MemoryStore, 'restore' | 'get'>
  readonly vectors: StoredVectorIndex
  readonly mirror: VectorMirror
  readonly outbox: VectorOutbox
}

/** Restores all of them; stopped half-way it can be run again. Rejects `vector_store_failed`. */
async function restoreFromMirror(
  { memories, vectors, mirror, outbox }: RestoreDependencies,
  { signal, onProgress }: Work = {},
): Promise<MirrorRestoreCounts> {
  const counts = { restored: 0, known: 0, shortened: 0, turns: 0, foreign: 0 }
  const identity = await vectors.identity()
  let read = 0
  for await (const rows of mirror.allRows(signal)) {
    for (const [userId, mine] of Map.groupBy(rows, (row) => row.userId)) {
      const readable = mine.filter(isMemory)
      counts.turns += mine.filter(({ record }) => record.kind === 'turn').length
      counts.foreign += mine.filter((row) => row.record.kind !== 'turn' && !isMemory(row)).length
      const stored = await memories.restore(
        userId,
        readable.map(({ record }) => ({ memory: record.memory!, edits: [] })),
      )
      const fresh = readable.filter((_, at) => !stored[at]!.existed)
      counts.known += readable.length - fresh.length
      counts.restored += fresh.length
      counts.shortened += fresh.filter(({ shortened }) => shortened.length > 0).length
      const whole = fresh.filter(
        ({ record, shortened }) =>
          record.model === identity?.model &&
          record.vector.length === identity.dimension &&
          !shortened.includes('text'),
      )
      await vectors.add(
        userId,
        whole.map(({ record }) => record),
      )
      // The store sends them under rows of its own, at once or when it has embedded them anew.
      await outbox.adopt(fresh)
    }
    read += rows.length
    onProgress?.(read, null)
    await breathe(signal)
  }
  return counts
}

/** A row that some program wrote without an id of ours is no memory that could be known again. */
function isMemory({ id, userId, record }: WholeMirrorRow): boolean {
  return id !== '' && userId !== '' && record.memory !== undefined && record.text.trim() !== ''
}
