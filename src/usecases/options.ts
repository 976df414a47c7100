/** The options of opening a memory, and their defaults, resolved once, at the door. */

import { checkBoolean, checkId, checkInteger, checkOneOf, checkRecord } from '../domain/checks.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { Embedder } from '../domain/contracts/embedder.ts'
import type { LanguageModel } from '../domain/contracts/language-model.ts'
import type { VectorMirror } from '../domain/contracts/vector-mirror.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT } from '../domain/limits.ts'
import { type Logger, silentLogger } from '../domain/logger.ts'
import { checkSetting, checkSettingName, SETTING_NAMES, type SettingValues } from '../domain/settings.ts'
import type { SettingOverrides } from './settings.ts'

/** The failure that an acknowledged write survives: the end of this process, or a power cut. */
export const DURABILITIES = ['process', 'full'] as const
type Durability = (typeof DURABILITIES)[number]

/** Options of `openMemory`, but for those of the memory file. */
export interface OpenCoreOptions {
  /** The database file, or `:memory:`. Default `.devbooks/conversation-memory.db` in the working directory. */
  readonly path?: string | undefined
  /** false: an absent file is an error instead of being created. Default true. */
  readonly create?: boolean | undefined
  /** The user of calls that name none. Default: none, so that every call must name one. */
  readonly userId?: string | undefined
  /** The source of the time. Default: the computer's clock. */
  readonly clock?: Clock | undefined
  /** The receiver of reports. Default: none. */
  readonly logger?: Logger | undefined
  /** The model that thinks; an object is one that is ready. Default: none, the rules think. */
  readonly llm?: LlmOptions | LanguageModel | undefined
  /** The model of meaning for similarity; an object with `embed` is one that is ready. Default `none`. */
  readonly embedding?: 'none' | EmbeddingOptions | Embedder | undefined
  /**
   * The place where vectors are searched: the SQLite file, or a vector database; an object is a ready one. Default
   * `embedded`.
   */
  readonly vectorStore?: 'embedded' | VectorStoreOptions | VectorMirror | undefined
  /** Largest turn or memory in UTF-8 bytes, 1 KB to 64 MB. Default 1 MB. */
  readonly maxContentBytes?: number | undefined
  /** Memories that a search with ranking `long-term` returns (000, MEMORY_RETRIEVAL_LIMIT). Default 5. */
  readonly retrievalLimit?: number | undefined
  /** Memories kept of one user by `maintenance.evict` (000, MEMORY_EVICTION_THRESHOLD). Default: all. */
  readonly evictionThreshold?: number | undefined
  /** true: working memory that expires leaves a memory of its topic and variables. Default false. */
  readonly archiveWorkingMemory?: boolean | undefined
  /** true: turns that are stored are thought about in the background. Default true. */
  readonly thinking?: boolean | undefined
  /**
   * false: jobs wait until `idle` asks for them, or another process does them; for a process that ends with its answer.
   * Default true.
   */
  readonly background?: boolean | undefined
  /**
   * The failures that an acknowledged write survives: with `process` (default) a crash or kill; a power cut may cost
   * the last moments, never the file. With `full` also a power cut, at the cost of a sync a write.
   */
  readonly durability?: Durability | undefined
  /** Settings that override those in the database, by name. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** The name of a setting's source in messages. Default `option`. */
  readonly settingsSource?: string | undefined
}

/** The options with nothing left open. */
export interface ResolvedOptions {
  readonly path: string
  readonly create: boolean
  readonly userId: string | null
  readonly clock: Clock
  readonly logger: Logger
  readonly maxContentBytes: number
  readonly retrievalLimit: number
  readonly evictionThreshold: number | null
  readonly archiveWorkingMemory: boolean
  readonly thinking: boolean
  readonly background: boolean
  readonly durability: Durability
  readonly settings: SettingOverrides
  readonly llm: LlmOptions | LanguageModel | null
  readonly embedding: EmbeddingOptions | Embedder | null
  readonly vectorStore: VectorStoreOptions | VectorMirror | null
}

/** 003's place for the database, relative to the working directory. */
export const DEFAULT_PATH = '.devbooks/conversation-memory.db'

const NAMES = [
  'path',
  'create',
  'userId',
  'clock',
  'logger',
  'llm',
  'embedding',
  'vectorStore',
  'maxContentBytes',
  'retrievalLimit',
  'evictionThreshold',
  'archiveWorkingMemory',
  'thinking',
  'background',
  'durability',
  // Resolved by the notes themselves.
  'memoryFile',
  'settings',
  'settingsSource',
]
const LLM_NAMES = ['provider', 'baseUrl', 'apiKey', 'model', 'timeoutMs', 'retries', 'dailyCalls', 'dailyTokens']
const EMBEDDING_NAMES = ['provider', 'baseUrl', 'apiKey', 'model', 'dimension', 'modelsDir', 'timeoutMs']

/** Checks the options and fills in the defaults. */
export function resolveOptions(options: OpenCoreOptions): ResolvedOptions {
  checkRecord('', options, NAMES)
  const { path = DEFAULT_PATH, userId, clock = systemClock, logger = silentLogger } = options
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalid('path', 'must be the name of a file', 'Pass a file name, or ":memory:".')
  checkClock(clock)
  checkLogger(logger)
  const bounded = (name: keyof OpenCoreOptions, fallback: number, least: number, most: number): number =>
    options[name] === undefined ? fallback : checkInteger(name, options[name], least, most)
  return {
    path,
    create: options.create === undefined ? true : checkBoolean('create', options.create),
    userId: userId === undefined ? null : checkId('userId', userId),
    clock,
    logger,
    maxContentBytes: bounded('maxContentBytes', LIMITS.contentBytes, 1024, 64 * 1024 * 1024),
    retrievalLimit: bounded('retrievalLimit', MEMORY_RETRIEVAL_LIMIT, 1, LIMITS.resultLimit),
    evictionThreshold:
      options.evictionThreshold === undefined
        ? null
        : checkInteger('evictionThreshold', options.evictionThreshold, 1, Number.MAX_SAFE_INTEGER),
    archiveWorkingMemory:
      options.archiveWorkingMemory === undefined
        ? false
        : checkBoolean('archiveWorkingMemory', options.archiveWorkingMemory),
    thinking: options.thinking === undefined ? true : checkBoolean('thinking', options.thinking),
    background: options.background === undefined ? true : checkBoolean('background', options.background),
    durability:
      options.durability === undefined ? 'process' : checkOneOf('durability', options.durability, DURABILITIES),
    settings: {
      values: checkOverrides(options.settings),
      source: options.settingsSource === undefined ? 'option' : checkId('settingsSource', options.settingsSource),
    },
    llm: options.llm === undefined ? null : checkLlm(options.llm),
    embedding: options.embedding === undefined ? null : checkEmbedding(options.embedding),
    vectorStore: options.vectorStore === undefined ? null : checkVectorStore(options.vectorStore),
  }
}

function checkOverrides(settings: unknown): Partial<SettingValues> {
  if (settings === undefined) return {}
  const given = Object.entries(checkRecord('settings', settings, SETTING_NAMES))
  return Object.fromEntries(
    given
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, checkSetting(checkSettingName(name), value)]),
  )
}

/** Whether the object is a model that is ready rather than a description of one. */
function isReady(value: unknown, ...functions: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    functions.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}

function checkLlm(llm: LlmOptions | LanguageModel): LlmOptions | LanguageModel {
  if (isReady(llm, 'ask', 'stream')) return llm
  checkOneOf('llm.provider', checkRecord('llm', llm, LLM_NAMES).provider, ['openrouter', 'openai'])
  return llm
}

function checkEmbedding(embedding: 'none' | EmbeddingOptions | Embedder): EmbeddingOptions | Embedder | null {
  if (typeof embedding === 'string') {
    checkOneOf('embedding', embedding, ['none'])
    return null
  }
  if (isReady(embedding, 'embed', 'dimension')) return embedding
  const { provider } = checkRecord('embedding', embedding, EMBEDDING_NAMES)
  checkOneOf('embedding.provider', provider, ['local', 'openrouter', 'openai'])
  return embedding
}

/** A provider's own options are checked by its adapter. */
function checkVectorStore(
  store: 'embedded' | VectorStoreOptions | VectorMirror,
): VectorStoreOptions | VectorMirror | null {
  if (typeof store === 'string') {
    checkOneOf('vectorStore', store, ['embedded'])
    return null
  }
  if (isReady(store, 'prepare', 'searchSettled')) return store
  const { provider, required } = checkRecord('vectorStore', store)
  checkOneOf('vectorStore.provider', provider, ['milvus'])
  if (required !== undefined) checkBoolean('vectorStore.required', required)
  return store
}

function checkClock(clock: unknown): void {
  const now: unknown = typeof clock === 'function' ? clock() : undefined
  if (!(now instanceof Date) || Number.isNaN(now.getTime()))
    throw invalid('clock', 'must be a function that returns a valid Date', 'Leave it out for the computer’s clock.')
}

/** Pino, winston and console are objects whose functions may be inherited. */
function checkLogger(logger: unknown): void {
  for (const name of ['debug', 'info', 'warn', 'error'] as const)
    if (typeof logger !== 'object' || logger === null || typeof Reflect.get(logger, name) !== 'function')
      throw invalid('logger', `has no function ${name}`, 'Pass a logger with debug, info, warn and error.')
}

/** A model that thinks. */
export interface LlmOptions {
  readonly provider: 'openrouter' | 'openai'
  /** Any OpenAI-compatible endpoint. Default: the provider's own. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** Default: `x-ai/grok-4.1-fast:free` of OpenRouter. */
  readonly model?: string | undefined
  /** Milliseconds that one call may take. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** 0 to 3. Default 3. */
  readonly retries?: number | undefined
  /** Calls and tokens in one day; default: as many as are needed. */
  readonly dailyCalls?: number | undefined
  readonly dailyTokens?: number | undefined
}

/** A model of meaning. */
export interface EmbeddingOptions {
  readonly provider: 'local' | 'openrouter' | 'openai'
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly model?: string | undefined
  /** Length of its vectors; default: asked once. */
  readonly dimension?: number | undefined
  /** Folder of local models. */
  readonly modelsDir?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** A vector database in which the vectors are searched; the SQLite file stays the record. */
export interface VectorStoreOptions {
  readonly provider: 'milvus'
  /** `http://127.0.0.1:19530`, `https://user:password@host:19530/database`. */
  readonly uri: string
  /** An API key, or `user:password`. */
  readonly token?: string | undefined
  readonly database?: string | undefined
  /** Default `memories`; turns lie in `<collection>_turns`. */
  readonly collection?: string | undefined
  /** true: opening rejects when it does not answer. false: it opens, and recall goes by words until it does. Default true. */
  readonly required?: boolean | undefined
  /** Default `HNSW`, on Milvus Lite `FLAT`. */
  readonly index?: 'HNSW' | 'FLAT' | 'IVF_FLAT' | 'IVF_SQ8' | 'DISKANN' | 'AUTOINDEX' | undefined
  /** Default `COSINE`. */
  readonly metric?: 'COSINE' | 'IP' | 'L2' | undefined
  /** true: a new collection is parted by user. Default false. */
  readonly partitionByUser?: boolean | undefined
  /** Milliseconds that a search may take. Default 3,000. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds that loading a collection may take. Default 60,000. */
  readonly readyWithinMs?: number | undefined
}
