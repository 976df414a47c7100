/** The source behind an embedder, its vectors and its errors: prepared texts, one batch, no cache. */
import type { EmbedOptions } from '../../domain/contracts/models.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { CallFailure } from '../http/call-failure.ts'

/** The source of vectors: an endpoint, or a model on this computer. */
export interface EmbedSource {
  readonly batchTexts: number
  /** UTF-8 bytes in one batch, unless it is a single text. */
  readonly batchBytes: number
  /** Unit vectors in order, all of `dimension` when known. Rejects with MnemeError. */
  embedBatch(
    texts: readonly string[],
    options: EmbedOptions,
    dimension: number | null,
  ): Promise<readonly Float32Array[]>
  /** Absent for a source that cannot fail for a while. */
  isLeftAlone?(): boolean
  close(): Promise<void>
}

/** Throws RangeError saying what is wrong. */
export function unitVector(values: ArrayLike<number>, dimension: number | null): Float32Array {
  if (values.length === 0) throw new RangeError('it is empty')
  if (dimension !== null && values.length !== dimension)
    throw new RangeError(`it has ${values.length} dimensions, where ${dimension} are expected`)
  const vector = Float32Array.from(values)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new RangeError('it holds NaN or a number beyond float32')
  const length = Math.sqrt(squares)
  if (length === 0) throw new RangeError('it is zero and points nowhere')
  return vector.map((value) => value / length)
}

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
