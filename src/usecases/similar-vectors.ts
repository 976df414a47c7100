/**
 * Which vectors are near? A vector store outside that does not answer costs one answer its similarity and says so: the
 * rest of the answer goes by words.
 */
import type { VectorIndex, VectorMatch } from '../domain/contracts/vector-index.ts'
import { MnemeError } from '../domain/errors.ts'

/** The matches, or the reason why there was no search. */
export interface SimilarVectors {
  readonly matches: readonly VectorMatch[] | null
  readonly warning: string | null
}

/** Runs a search of vectors; rejects for anything but a vector store that fails. */
export async function searchOrWarn(
  vectors: Pick<VectorIndex, 'search'>,
  ...question: Parameters<VectorIndex['search']>
): Promise<SimilarVectors> {
  try {
    return { matches: await vectors.search(...question), warning: null }
  } catch (error) {
    // `conflict`: its collection is another one than these vectors need.
    const isOutside = error instanceof MnemeError && ['vector_store_failed', 'conflict'].includes(error.code)
    if (!isOutside) throw error
    const reason = error.message.replace(/\.$/, '')
    return {
      matches: null,
      warning: `Similarity was left out, and the answer goes by words alone, since the vector store does not answer (${reason}).`,
    }
  }
}
