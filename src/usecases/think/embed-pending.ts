/**
 * Which memories and turns lack a vector of the present model (job `embed`)? Memories first, in batches; those edited
 * meanwhile come again.
 */
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { Embedder } from '../../domain/contracts/embedder.ts'
import type { StoredVectorIndex, VectorRecord } from '../../domain/contracts/vector-index.ts'
import { breathe } from '../../domain/pieces.ts'
import { otherModelError, type VectorModel } from './vector-model.ts'

/** Texts that are sent and written together. */
const BATCH = 64

/**
 * Makes every missing vector; how many. Rejects `embedding_failed` when the model does not answer, `conflict` when the
 * vectors are another model's by now.
 */
export async function embedPending(
  vectors: StoredVectorIndex,
  embedder: Embedder,
  { settle }: VectorModel,
  { signal, onProgress }: Work = {},
): Promise<number> {
  if ((await settle()) === 'other') throw otherModelError(embedder, await vectors.identity())
  await vectors.discardOld(signal === undefined ? {} : { signal })
  const total = onProgress === undefined ? 0 : await vectors.pendingCount()
  let done = 0
  for (;;) {
    const pending = await vectors.pendingEmbeddings(BATCH)
    if (pending.length === 0) return done
    for (const [userId, mine] of Map.groupBy(pending, (one) => one.userId)) {
      const made = await embedder.embed(
        mine.map(({ text }) => text),
        { kind: 'document', userId, ...(signal === undefined ? {} : { signal }) },
      )
      await vectors.add(
        userId,
        mine.map(({ userId: _, ...record }, index): VectorRecord => ({ ...record, vector: made[index]! })),
      )
    }
    done += pending.length
    onProgress?.(done, Math.max(total, done))
    await breathe(signal)
  }
}
