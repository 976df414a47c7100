/** Whose vectors does this database hold? A later process's choice holds, else two would embed in turn. */
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { Embedder } from '../../domain/contracts/models.ts'
import type { StoredVectorIndex, VectorIdentity, VectorRecord } from '../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../domain/errors.ts'
import { breathe } from '../../domain/pieces.ts'

/** The model of a process and the vectors of its database. */
export interface VectorModel {
  /** Whether the vectors are this model's, as far as its name tells; nothing is asked of the model. */
  isPresent(): Promise<boolean>
  /** Makes the vectors this model's, once; `other` where another process has begun another model since. */
  settle(): Promise<'new' | 'kept' | 'changed' | 'other'>
}

/** Binds an embedder to the vectors; nothing is asked yet. */
export function vectorModel(embedder: Embedder, vectors: Pick<StoredVectorIndex, 'identity' | 'begin'>): VectorModel {
  /** The identity of the vectors after this process last set or read it. */
  let left: VectorIdentity | null = null
  return {
    isPresent: async () => {
      const present = await vectors.identity()
      if (present?.model !== embedder.model) return false
      left ??= present
      return true
    },
    settle: async () => {
      const mine: VectorIdentity = { model: embedder.model, dimension: await embedder.dimension() }
      const present = await vectors.identity()
      if (left !== null && present !== null && !isSame(present, left) && !isSame(present, mine)) return 'other'
      const outcome = await vectors.begin(mine)
      left = mine
      return outcome
    },
  }
}

function isSame(one: VectorIdentity, other: VectorIdentity): boolean {
  return one.model === other.model && one.dimension === other.dimension
}

/** The error for a process that wants vectors of this model made all the same. */
export function otherModelError({ model }: Embedder, present: VectorIdentity | null): MnemeError {
  const theirs = present === null ? 'another model' : `${present.model} (${present.dimension} dimensions)`
  return new MnemeError(
    'conflict',
    `Another process has begun to embed this database with ${theirs}; this one has ${model}.`,
    { remedy: 'Let every process that uses this database use the same embedding model, and start this one again.' },
  )
}

/** Texts that are sent and written together. */
const BATCH = 64

/** Makes every missing vector; their number. Rejects `embedding_failed`, or `conflict` for another model's. */
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
