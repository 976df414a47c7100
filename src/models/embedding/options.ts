/** Which embedder, reached how, within which bounds? Resolved once, at the door; a key never stands in an error. */
import { asGiven, checkBoolean, checkFields, checkInteger, checkOneOf, checkText, orElse } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { EmbeddingOptions, EmbedOptions } from '../../domain/contracts/models.ts'
import { invalid } from '../../domain/errors.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { MOST_RETRIES, PROVIDER_ADDRESSES, resolveAddress, resolveKey, resolveModelName } from '../http/endpoint.ts'

type EmbeddingProvider = EmbeddingOptions['provider']
const EMBEDDING_PROVIDERS: readonly EmbeddingProvider[] = ['local', 'openrouter', 'openai']

/** Vectors that are known already, by text; asked before a document is embedded. */
type KnownVectors = (texts: readonly string[], options: EmbedOptions) => Promise<ReadonlyMap<string, Float32Array>>

export interface EmbedderOptions extends EmbeddingOptions {
  /** `local`: true lets the model be fetched into `modelsDir` when it is not there. Default false. */
  readonly download?: boolean
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
export function resolveEmbedderOptions(options: EmbedderOptions) {
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
