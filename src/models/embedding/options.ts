/** Which embedder, reached how, within which bounds? Resolved once, at the door; a key never stands in an error. */
import { asGiven, checkBoolean, checkFields, checkInteger, checkOneOf, checkText, orElse } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { EmbedOptions } from '../../domain/contracts/models.ts'
import { invalid } from '../../domain/errors.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { MOST_RETRIES, PROVIDER_ADDRESSES, resolveAddress, resolveKey, resolveModelName } from '../http/endpoint.ts'

/** The possible sources of embeddings. */
const EMBEDDING_PROVIDERS = ['local', 'openrouter', 'openai'] as const
/** A source of embeddings. */
type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number]

/** Vectors that are known already, by text; asked before a document is embedded. */
type KnownVectors = (texts: readonly string[], options: EmbedOptions) => Promise<ReadonlyMap<string, Float32Array>>

/** Options of `openEmbedder`. */
export interface EmbedderOptions {
  readonly provider: EmbeddingProvider
  /** Any OpenAI-compatible endpoint, up to but without `/embeddings`. Default: the provider's own. */
  readonly baseUrl?: string
  /** Needed by the providers' own endpoints; others may do without. */
  readonly apiKey?: string
  /**
   * The model's name in the vendor's spelling, or a folder in `modelsDir`. The default is in
   * `DEFAULT_EMBEDDING_MODELS`.
   */
  readonly model?: string
  /** Wanted length of the vectors, for models that offer several. Default: the model's own, probed. */
  readonly dimension?: number
  /** `local`: the folder that holds the models' folders. */
  readonly modelsDir?: string
  /** `local`: true lets the model be fetched into `modelsDir` when it is not there. Default false. */
  readonly download?: boolean
  /** Longest wait for documents, retries included. Default 60,000. */
  readonly timeoutMs?: number
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

/** Every option with its value. */
export interface ResolvedEmbedderOptions {
  readonly provider: EmbeddingProvider
  /** The full address of embeddings; '' for `local`. */
  readonly address: string
  readonly apiKey: string | null
  readonly model: string
  readonly dimension: number | null
  readonly modelsDir: string
  readonly download: boolean
  readonly timeoutMs: number
  readonly queryTimeoutMs: number
  readonly retries: number
  readonly cacheEntries: number
  readonly knownVectors: KnownVectors | null
  readonly logger: Logger
  readonly clock: Clock
  readonly random: () => number
}

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
  provider: (field: string, value: unknown) => checkOneOf(field, value, EMBEDDING_PROVIDERS),
  baseUrl: asGiven,
  apiKey: asGiven,
  model: asGiven,
  dimension: orElse(null, checkInteger, 1, MOST_DIMENSIONS),
  modelsDir: asGiven,
  download: orElse(false, checkBoolean),
  timeoutMs: orElse(TIMEOUT_MS, checkInteger, 1, LONGEST_TIMEOUT_MS),
  queryTimeoutMs: orElse(QUERY_TIMEOUT_MS, checkInteger, 1, LONGEST_TIMEOUT_MS),
  retries: orElse(MOST_RETRIES, checkInteger, 0, MOST_RETRIES),
  cacheEntries: orElse(CACHE_ENTRIES, checkInteger, 0, MOST_CACHE_ENTRIES),
  knownVectors: asGiven,
  logger: asGiven,
  clock: asGiven,
  random: asGiven,
}

/** Checks the options and fills in the defaults. Throws `invalid_input`. */
export function resolveEmbedderOptions(options: EmbedderOptions): ResolvedEmbedderOptions {
  const { dimension, download, timeoutMs, queryTimeoutMs, retries, cacheEntries, provider } = checkFields(
    'embedding',
    options,
    OPTIONS,
  )
  const { baseUrl, apiKey, model = DEFAULT_EMBEDDING_MODELS[provider] } = options
  return {
    ...{ provider, dimension, download, timeoutMs, queryTimeoutMs, retries, cacheEntries },
    address:
      provider === 'local' ? '' : resolveAddress('embedding', baseUrl ?? PROVIDER_ADDRESSES[provider], '/embeddings'),
    apiKey: resolveKey('embedding', apiKey, provider !== 'local' && baseUrl === undefined ? provider : null),
    model: resolveModelName('embedding', model),
    modelsDir: resolveModelsDir(options.modelsDir, provider),
    knownVectors: options.knownVectors ?? null,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}

function resolveModelsDir(folder: unknown, provider: EmbeddingProvider): string {
  if (provider !== 'local') return ''
  const path = folder === undefined ? '' : checkText('embedding.modelsDir', folder, { maxBytes: 16_384 })
  if (path.trim() === '')
    throw invalid(
      'embedding.modelsDir',
      'is needed for a local model',
      'Name the folder that holds the folder of the model (MNEME_MODELS_DIR).',
    )
  return path
}
