/**
 * What does a question mean, as a vector? A late model costs one answer its similarity, with a warning; then it is left
 * alone for a while.
 */
import { MINUTE_MS } from '../domain/clock.ts'
import type { Embedder } from '../domain/contracts/models.ts'
import type { StoredVectorIndex, VectorIndex, VectorMatch } from '../domain/contracts/vector-index.ts'
import { MnemeError } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { type VectorModel, vectorModel } from './think/vector-model.ts'

/** The vector of a question, or why there is none. */
interface QueryVector {
  readonly vector: Float32Array | null
  readonly warning: string | null
}

/** Embeds a question; never rejects. */
export type EmbedQuery = (query: string, userId: string) => Promise<QueryVector>

/** A person waits: longer than this is too long. */
const PATIENCE_MS = 3000
const REST_MS = MINUTE_MS / 2

/**
 * Embeds questions with this model.
 *
 * @param onNew called when the index has no vectors of this model yet, or only of another dimension
 * @param vectorsOf shared with the background work, so that both begin a model once
 * @param now milliseconds on any clock that only goes forward
 */
export function queryEmbedder(
  embedder: Embedder,
  vectors: StoredVectorIndex,
  logger: Logger,
  onNew: (userId: string) => Promise<void> = async () => {},
  vectorsOf: VectorModel = vectorModel(embedder, vectors),
  now: () => number = () => performance.now(),
): EmbedQuery {
  let restUntil = Number.NEGATIVE_INFINITY
  let reason = ''
  let begun: Promise<unknown> | null = null
  const begin = async (userId: string): Promise<void> => {
    const state = await vectorsOf.settle()
    if (state === 'new' || state === 'changed') await onNew(userId)
  }
  return async (query, userId) => {
    if (now() < restUntil) return { vector: null, warning: warningOf(reason) }
    try {
      begun ??= begin(userId)
      await within(begun)
      const made = await within(
        embedder.embed([query], { kind: 'query', userId, signal: AbortSignal.timeout(PATIENCE_MS) }),
      )
      const vector = made[0] ?? null
      // Another process may have begun another model: to begin ours again would undo its work.
      const present = await vectors.identity()
      if (present?.model !== embedder.model || present.dimension !== vector?.length)
        return { vector: null, warning: `${LEFT_OUT}: the vectors of this database are another model's by now.` }
      return { vector, warning: null }
    } catch (error) {
      begun = null
      reason = error instanceof Error ? error.message : String(error)
      restUntil = now() + REST_MS
      logger.warn('The embedding model did not answer; recall goes by words alone.', { operation: 'embed', reason })
      return { vector: null, warning: warningOf(reason) }
    }
  }
}

const LEFT_OUT = 'Similarity was left out, and the answer goes by words alone'

function warningOf(reason: string): string {
  return `${LEFT_OUT}, since the embedding model does not answer (${reason}).`
}

async function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The matches, or the reason why there was no search. */
interface SimilarVectors {
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
