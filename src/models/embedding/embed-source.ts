/** The source behind an embedder, its vectors and its errors: prepared texts, one batch, no cache. */
import { z } from 'zod'
import { asGiven, check, orElse } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { EmbeddingOptions, EmbedOptions } from '../../domain/contracts/models.ts'
import { invalid, MnemeError, messageOf } from '../../domain/errors.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { CallFailure, type Endpoint, endpointAt, readJson, responseText } from '../http/post.ts'
import { openClient } from '../http/retrying-client.ts'
import { MOST_RETRIES, remedyOf, resolveModelName, resolveVendor } from '../http/vendor.ts'

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

function toEmbeddingError(failure: CallFailure, model: string, attempts: number): MnemeError {
  const times = attempts > 1 ? ` (after ${attempts} requests)` : ''
  return new MnemeError(
    'embedding_failed',
    `The embedding model ${model} gave no vectors${times}: ${failure.message}`,
    {
      remedy:
        remedyOf(failure.status) ??
        'Check the address, name and dimension of the embedding model; until then full text answers alone.',
      ...(failure.said === null ? {} : { said: failure.said }),
      cause: failure,
    },
  )
}

/** The error for a model that finally gave no vectors. */
export function embeddingFailed(message: string, remedy: string, cause?: unknown): MnemeError {
  return new MnemeError('embedding_failed', message, { remedy, cause })
}

export function embeddingAborted(): MnemeError {
  return new MnemeError('aborted', 'The embedding was stopped by its caller.', { remedy: 'Call it again.' })
}

export function embedderClosed(): MnemeError {
  return new MnemeError('closed', 'The embedder has been closed.', { remedy: 'Open it again.' })
}

type EmbeddingProvider = EmbeddingOptions['provider']
const EMBEDDING_PROVIDERS: readonly EmbeddingProvider[] = ['local', 'openrouter', 'openai']

/** Vectors that are known already, by text; asked before a document is embedded. */
type KnownVectors = (texts: readonly string[], options: EmbedOptions) => Promise<ReadonlyMap<string, Float32Array>>

export interface EmbedderOptions extends EmbeddingOptions {
  /** Longest wait for a question: somebody waits for the answer, and full text answers too. Default 3,000. */
  readonly queryTimeoutMs?: number
  /** Retries after the first request, 0 to 3. Default 3. */
  readonly retries?: number
  /** Vectors of questions kept in memory, the last ones used. Default 1,000. */
  readonly cacheEntries?: number
  readonly knownVectors?: KnownVectors
  readonly logger?: Logger
  readonly clock?: Clock
  /** 0 up to 1, for the jitter of waiting times. */
  readonly random?: () => number
}

/** Every option with its value: `address` is the full one of embeddings, '' for `local`. */
export type ResolvedEmbedderOptions = ReturnType<typeof resolveEmbedderOptions>

/** 002 R1 names OpenRouter's, of 2,560 dimensions. */
const DEFAULT_EMBEDDING_MODELS = {
  local: 'all-MiniLM-L6-v2',
  openrouter: 'qwen/qwen3-embedding-4b',
  openai: 'text-embedding-3-small',
} as const

const TIMEOUT_MS = 60_000
const QUERY_TIMEOUT_MS = 3_000
const LONGEST_TIMEOUT_MS = 30 * 60_000
const CACHE_ENTRIES = 1_000
const MOST_CACHE_ENTRIES = 1_000_000
const MOST_DIMENSIONS = 16_384
const OPTIONS = {
  provider: (field: string, value: unknown) => check.oneOf(field, value, EMBEDDING_PROVIDERS),
  baseUrl: asGiven,
  apiKey: asGiven,
  model: asGiven,
  dimension: orElse(null, check.integer, 1, MOST_DIMENSIONS),
  modelsDir: asGiven,
  timeoutMs: orElse(TIMEOUT_MS, check.integer, 1, LONGEST_TIMEOUT_MS),
  queryTimeoutMs: orElse(QUERY_TIMEOUT_MS, check.integer, 1, LONGEST_TIMEOUT_MS),
  retries: orElse(MOST_RETRIES, check.integer, 0, MOST_RETRIES),
  cacheEntries: orElse(CACHE_ENTRIES, check.integer, 0, MOST_CACHE_ENTRIES),
  knownVectors: asGiven,
  logger: asGiven,
  clock: asGiven,
  random: asGiven,
}

/** Checks the options and fills in the defaults. Throws `invalid_input`. */
export function resolveEmbedderOptions(options: EmbedderOptions) {
  const { dimension, timeoutMs, queryTimeoutMs, retries, cacheEntries, provider } = check.fields(
    'embedding',
    options,
    OPTIONS,
  )
  const usual = DEFAULT_EMBEDDING_MODELS[provider]
  return {
    ...{ provider, dimension, timeoutMs, queryTimeoutMs, retries, cacheEntries },
    ...(provider === 'local'
      ? { address: '', apiKey: null, model: resolveModelName('embedding', options.model ?? usual) }
      : resolveVendor('embedding', options, provider, '/embeddings', usual)),
    modelsDir: resolveModelsDir(options.modelsDir, provider),
    knownVectors: options.knownVectors ?? null,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}

function resolveModelsDir(folder: unknown, provider: EmbeddingProvider): string {
  if (provider !== 'local') return ''
  const path = folder === undefined ? '' : check.text('embedding.modelsDir', folder, { maxBytes: 16_384 })
  if (path.trim() === '')
    throw invalid(
      'embedding.modelsDir',
      'is needed for a local model',
      'Name the folder that holds the folder of the model (MNEME_MODELS_DIR).',
    )
  return path
}

const BATCH_TEXTS = 64
const BATCH_BYTES = 200_000
/** Parameters that some servers refuse by name and can do without. */
const OPTIONAL_PARAMETERS = ['encoding_format', 'dimensions']

export function remoteSource(options: ResolvedEmbedderOptions): EmbedSource {
  const { model, logger, clock, retries, random } = options
  const endpoint = endpointAt(options.address, options.apiKey)
  const now = (): number => clock().getTime()
  const client = openClient({ endpoint, retries, random, now, logger, optional: OPTIONAL_PARAMETERS })

  async function embedBatch(
    texts: readonly string[],
    { kind, signal: stop }: EmbedOptions,
    dimension: number | null,
  ): Promise<readonly Float32Array[]> {
    if (client.closing.aborted) throw embedderClosed()
    const stopped = (): boolean => stop?.aborted === true
    if (stopped()) throw embeddingAborted()
    if (!client.breaker.admits())
      throw embeddingFailed(
        `The embedding model ${model} has failed again and again and is left alone for now.`,
        'Try again in half a minute; until then full text answers alone.',
      )
    const call = client.open(stop, { model })
    call.expect(kind === 'query' ? options.queryTimeoutMs : options.timeoutMs)
    const dimensions = options.dimension === null ? {} : { dimensions: options.dimension }
    try {
      const vectors = await call.send(
        () => ({ model, input: texts, encoding_format: 'float', ...dimensions }),
        (response) => readEmbeddings(response, endpoint, texts.length, dimension),
      )
      call.answered()
      return vectors
    } catch (error) {
      if (stopped() || client.closing.aborted) {
        call.left()
        throw stopped() ? embeddingAborted() : embedderClosed()
      }
      const failure = call.failed(error)
      const { attempts } = call
      logger.error('Embedding failed.', { model, texts: texts.length, attempts, reason: failure.message })
      throw toEmbeddingError(failure, model, attempts)
    }
  }

  return {
    batchTexts: BATCH_TEXTS,
    batchBytes: BATCH_BYTES,
    embedBatch,
    isLeftAlone: client.breaker.isLeftAlone,
    close: async () => client.close(),
  }
}

/** Room for 64 vectors of 16,384 numbers, and more. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
})

/** Unit vectors in the order of the texts; a wrong number or dimension is not worth another request. */
async function readEmbeddings(
  response: Response,
  endpoint: Endpoint,
  count: number,
  dimension: number | null,
): Promise<readonly Float32Array[]> {
  const { body, quoted } = readJson(await responseText(response, LARGEST_BODY_BYTES), endpoint)
  const read = answerSchema.safeParse(body)
  if (!read.success) throw new CallFailure('the answer holds no embeddings', { transient: true, said: quoted })
  return inOrder(read.data.data, count, dimension)
}

function inOrder(
  items: z.infer<typeof answerSchema>['data'],
  count: number,
  dimension: number | null,
): readonly Float32Array[] {
  if (items.length !== count) throw failure(`it answered ${items.length} embeddings for ${count} texts`)
  const vectors: Float32Array[] = []
  let length = dimension
  for (const [place, { index = place, embedding }] of items.entries()) {
    if (index < 0 || index >= count || index in vectors)
      throw failure(`the answer numbers its embeddings wrongly (${index} of ${count})`)
    try {
      vectors[index] = unitVector(embedding, length)
    } catch (error) {
      throw failure(`embedding ${index} is unusable: ${messageOf(error)}`)
    }
    length = embedding.length
  }
  return vectors
}

function failure(message: string): CallFailure {
  return new CallFailure(message, { transient: false })
}
