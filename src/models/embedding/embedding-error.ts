/** The errors that a caller of an embedder sees; none of them holds the key. */
import { MnemeError } from '../../domain/errors.ts'
import type { CallFailure } from '../http/call-failure.ts'

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the API key of the embedding endpoint.',
  402: 'Add credit with the vendor, or choose another model.',
  403: 'Check what the API key may do.',
  404: 'Check embedding.baseUrl and embedding.model.',
  429: 'Wait, ask less often, or raise the limit with the vendor.',
}

/** `embedding_failed`, from a request that finally failed. */
export function toEmbeddingError(failure: CallFailure, model: string, attempts: number): MnemeError {
  const times = attempts > 1 ? ` (after ${attempts} requests)` : ''
  return new MnemeError(
    'embedding_failed',
    `The embedding model ${model} gave no vectors${times}: ${failure.message}`,
    {
      remedy:
        REMEDIES[failure.status ?? 0] ??
        'Check embedding.baseUrl, embedding.model and embedding.dimension; until then full text answers alone.',
      ...(failure.said === null ? {} : { said: failure.said }),
      cause: failure,
    },
  )
}

/** The error for a model that finally gave no vectors. */
export function embeddingFailed(message: string, remedy: string, cause?: unknown): MnemeError {
  return new MnemeError('embedding_failed', message, { remedy, cause })
}

/** The error for a caller that gave up. */
export function embeddingAborted(): MnemeError {
  return new MnemeError('aborted', 'The embedding was stopped by its caller.', { remedy: 'Call it again.' })
}

/** The error for a call after `close`. */
export function embedderClosed(): MnemeError {
  return new MnemeError('closed', 'The embedder has been closed.', { remedy: 'Open it again.' })
}
