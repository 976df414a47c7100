/** A store whose vectors are searched in a mirror: the same store, with the worker that keeps the mirror up to date. */
import { uptime } from 'node:os'
import type { Embedder } from '../../../domain/contracts/models.ts'
import type { Store } from '../../../domain/contracts/store.ts'
import type { MirrorCases, VectorMirror } from '../../../domain/contracts/vector-mirror.ts'
import type { Logger } from '../../../domain/logger.ts'
import { createMirrorWorker, type MirrorWorker } from './mirror-worker.ts'
import { mirroredVectors } from './mirrored-vectors.ts'

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
      const { restoreFromMirror } = await import('./restore-memories.ts')
      const counts = await restoreFromMirror({ memories: store.memories, vectors: store.vectors, mirror, outbox }, work)
      worker.wake()
      return counts
    },
  }
}
