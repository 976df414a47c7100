/** The job `embed`: which memories and turns have no vector of the present model yet? Memories first, in batches; what was edited meanwhile comes again. */
import type { Embedder } from '../../contracts/embedder.ts'
import type { PendingEmbedding, StoredVectorIndex, VectorRecord } from '../../contracts/vector-index.ts'
import { breathe } from '../../domain/pieces.ts'

/** Texts that are sent and written together. */
const BATCH = 64

/** How far the work has come. */
export interface EmbedProgress {
  readonly done: number
  readonly total: number
}

/** Makes every missing vector; how many. Rejects `embedding_failed` when the model does not answer. */
export async function embedPending(
  vectors: StoredVectorIndex,
  embedder: Embedder,
  signal?: AbortSignal,
  onProgress?: (progress: EmbedProgress) => void,
): Promise<number> {
  await vectors.begin({ model: embedder.model, dimension: await embedder.dimension() })
  const total = onProgress === undefined ? 0 : await vectors.pendingCount()
  let done = 0
  for (;;) {
    const pending = await vectors.pendingEmbeddings(BATCH)
    if (pending.length === 0) return done
    const made = await embedder.embed(
      pending.map(({ text }) => text),
      { kind: 'document', ...(signal === undefined ? {} : { signal }) },
    )
    for (const [userId, records] of byUser(pending, made)) await vectors.add(userId, records)
    done += pending.length
    onProgress?.({ done, total: Math.max(total, done) })
    await breathe(signal)
  }
}

function byUser(
  pending: readonly PendingEmbedding[],
  made: readonly Float32Array[],
): ReadonlyMap<string, readonly VectorRecord[]> {
  const records = new Map<string, VectorRecord[]>()
  for (const [index, { userId, ...record }] of pending.entries()) {
    const mine = records.get(userId) ?? []
    mine.push({ ...record, vector: made[index]! })
    records.set(userId, mine)
  }
  return records
}
