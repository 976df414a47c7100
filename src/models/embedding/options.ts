/** Which embedder, reached how, within which bounds? Resolved once, at the door; a key never stands in an error. */

import { checkBoolean, checkInteger, checkOneOf, checkRecord, checkText } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { EmbedOptions } from '../../domain/contracts/embedder.ts'
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
const NAMES: readonly (keyof EmbedderOptions)[] = [
  'provider',
  'baseUrl',
  'apiKey',
  'model',
  'dimension',
  'modelsDir',
  'download',
  'timeoutMs',
  'queryTimeoutMs',
  'retries',
  'cacheEntries',
  'knownVectors',
  'logger',
  'clock',
  'random',
]

/** Checks the options and fills in the defaults. Throws `invalid_input`. */
export function resolveEmbedderOptions(options: EmbedderOptions): ResolvedEmbedderOptions {
  checkRecord('embedding', options, NAMES)
  const provider = checkOneOf('embedding.provider', options.provider, EMBEDDING_PROVIDERS)
  const needsKey = provider !== 'local' && options.baseUrl === undefined
  const bounded = (name: keyof EmbedderOptions, least: number, most: number, otherwise: number): number =>
    options[name] === undefined ? otherwise : checkInteger(`embedding.${name}`, options[name], least, most)
  return {
    provider,
    address:
      provider === 'local'
        ? ''
        : resolveAddress('embedding', options.baseUrl ?? PROVIDER_ADDRESSES[provider], '/embeddings'),
    apiKey: resolveKey('embedding', options.apiKey, needsKey ? provider : null),
    model: resolveModelName('embedding', options.model ?? DEFAULT_EMBEDDING_MODELS[provider]),
    dimension: options.dimension === undefined ? null : bounded('dimension', 1, MOST_DIMENSIONS, 0),
    modelsDir: resolveModelsDir(options.modelsDir, provider),
    download: options.download === undefined ? false : checkBoolean('embedding.download', options.download),
    timeoutMs: bounded('timeoutMs', 1, LONGEST_TIMEOUT_MS, TIMEOUT_MS),
    queryTimeoutMs: bounded('queryTimeoutMs', 1, LONGEST_TIMEOUT_MS, QUERY_TIMEOUT_MS),
    retries: bounded('retries', 0, MOST_RETRIES, MOST_RETRIES),
    cacheEntries: bounded('cacheEntries', 0, MOST_CACHE_ENTRIES, CACHE_ENTRIES),
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
