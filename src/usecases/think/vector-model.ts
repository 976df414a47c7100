/**
 * Whose vectors does this database hold? A process names its model once, and a later process's choice holds; else the
 * two would embed everything anew in turn, without end.
 */
import type { Embedder } from '../../domain/contracts/embedder.ts'
import type { StoredVectorIndex, VectorIdentity } from '../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../domain/errors.ts'

/** The model of a process and the vectors of its database. */
export interface VectorModel {
  /** Whether the vectors are this model's, as far as its name tells; nothing is asked of the model. */
  isPresent(): Promise<boolean>
  /**
   * Makes the vectors this model's, once; returns the outcome, or `other` where another process has begun another model
   * since. Rejects with `embedding_failed` while the dimension cannot be learnt.
   */
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
