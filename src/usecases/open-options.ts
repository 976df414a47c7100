/** The options of opening a memory, resolved once, and the settings that hold now. */
import { asGiven, check, type FieldCheck, givenAs, type InputOf, orElse, orNull } from '../domain/checks.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { Embedder, EmbeddingOptions, LanguageModel, LlmOptions } from '../domain/contracts/models.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { VectorMirror, VectorStoreOptions } from '../domain/contracts/vector-index.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT } from '../domain/limits.ts'
import { type Logger, silentLogger } from '../domain/logger.ts'
import { MEMORY_FILE_DEFAULTS } from '../domain/memory-file.ts'
import {
  checkSetting,
  checkSettingName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingState,
  type SettingValues,
} from '../domain/settings.ts'
import { steadyClock } from './guarded-adapters.ts'

/** The failure that an acknowledged write survives: the end of this process, or a power cut. */
export const DURABILITIES = ['process', 'full'] as const
type Durability = (typeof DURABILITIES)[number]

/** A thread that does the background work over the same file. */
export interface Elsewhere {
  /** There is work, or may be. */
  wake(): void
  /** Resolves when no rolling summaries of the user (default: of anybody) are left; null: none are due. */
  pending(userId?: string): Promise<unknown> | null
  /** As in ActivityNotes, which lie there. */
  recalled(userId: string, question: string, found: number, milliseconds: number): void
}

/** 003's place for the database, relative to the working directory. */
export const DEFAULT_PATH = '.devbooks/conversation-memory.db'

const LLM_NAMES = ['provider', 'baseUrl', 'apiKey', 'model', 'timeoutMs', 'retries', 'dailyCalls', 'dailyTokens']
const EMBEDDING_NAMES = ['provider', 'baseUrl', 'apiKey', 'model', 'dimension', 'modelsDir', 'timeoutMs']

const MOST_CONTENT_BYTES = 64 * 1024 * 1024
const OPTIONS = {
  /** The database file, or `:memory:`. Default `.devbooks/conversation-memory.db` in the working directory. */
  path: checkPath,
  /** false: an absent file is an error instead of being created. Default true. */
  create: orElse(true, check.boolean),
  /** The user of calls that name none. Default: none, so that every call must name one. */
  userId: orElse(null, check.id),
  /** The source of the time. Default: the computer's clock. */
  clock: checkClock as FieldCheck<Clock>,
  /** The receiver of reports. Default: none. */
  logger: checkLogger as FieldCheck<Logger>,
  /** The model that thinks; an object is one that is ready. Default: none, the rules think. */
  llm: orElse(null, checkLlm),
  /** The model of meaning for similarity; an object with `embed` is one that is ready. Default `none`. */
  embedding: orElse(
    null,
    checkEmbedding as FieldCheck<EmbeddingOptions | Embedder | null, 'none' | EmbeddingOptions | Embedder>,
  ),
  /** Where vectors are searched: the SQLite file, or a vector database. Default `embedded`. */
  vectorStore: orElse(
    null,
    checkVectorStore as FieldCheck<
      VectorStoreOptions | VectorMirror | null,
      'embedded' | VectorStoreOptions | VectorMirror
    >,
  ),
  /** Largest turn or memory in UTF-8 bytes, 1 KB to 64 MB. Default 1 MB. */
  maxContentBytes: orElse(LIMITS.contentBytes, check.integer, 1024, MOST_CONTENT_BYTES),
  /** The zone in which a day begins, such as `Asia/Shanghai`, for the days that texts name and that are shown. Default UTC. */
  timeZone: orElse(null, check.timeZone),
  /** Memories that a search with ranking `long-term` returns (000, MEMORY_RETRIEVAL_LIMIT). Default 5. */
  retrievalLimit: orElse(MEMORY_RETRIEVAL_LIMIT, check.integer, 1, LIMITS.resultLimit),
  /** Memories kept of one user by `maintenance.evict` (000, MEMORY_EVICTION_THRESHOLD). Default: all. */
  evictionThreshold: orElse(null, check.integer, 1, Number.MAX_SAFE_INTEGER),
  /** true: working memory that expires leaves a memory of its topic and variables. Default false. */
  archiveWorkingMemory: orElse(false, check.boolean),
  /** true: turns that are stored are thought about in the background. Default true. */
  thinking: orElse(true, check.boolean),
  /** false: jobs wait until `idle` asks for them, or another process does them. Default true. */
  background: orElse(true, check.boolean),
  /** The thread that does the background work of this memory instead. Default: none. */
  elsewhere: orNull(givenAs<Elsewhere>()),
  /** `process` (default): an acknowledged write survives a kill; `full`: a power cut, too, for a sync a write. */
  durability: orElse('process', check.oneOf<Durability>, DURABILITIES),
  // Resolved by the notes themselves, which refuse a threshold that is none.
  memoryFile: asGiven,
  /** Settings that override those in the database, by name. */
  settings: orElse({}, checkOverrides as FieldCheck<Partial<SettingValues>, Readonly<Record<string, unknown>>>),
  /** The name of a setting's source in messages. Default `option`. */
  settingsSource: orElse('option', check.id),
}

/** Options of `openMemory`, but for those of the memory file. */
export type OpenCoreOptions = InputOf<typeof OPTIONS>

/** The options with nothing left open; null where there is none. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** Checks the options and fills in the defaults. */
export function resolveOptions(options: OpenCoreOptions) {
  const { settings: values, settingsSource: source, memoryFile, ...rest } = check.fields('', options, OPTIONS)
  /** The settings given at the start of the process, and the name of their source. */
  const overrides: { readonly values: Partial<SettingValues>; readonly source: string } = { values, source }
  const { dedupThreshold = MEMORY_FILE_DEFAULTS.dedupThreshold } = (memoryFile ?? {}) as { dedupThreshold?: number }
  return { ...rest, settings: overrides, dedupThreshold }
}

function checkPath(field: string, value: unknown = DEFAULT_PATH): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0'))
    throw invalid(field, 'must be the name of a file', 'Pass a file name, or ":memory:".')
  return value
}

function checkOverrides(field: string, settings: unknown): Partial<SettingValues> {
  const given = Object.entries(check.record(field, settings, SETTING_NAMES)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, checkSetting(checkSettingName(name), value)]))
}

/** Whether the object is a model that is ready rather than a description of one. */
function isReady(value: unknown, ...functions: readonly string[]): boolean {
  const isObject = typeof value === 'object' && value !== null
  return isObject && functions.every((name) => typeof Reflect.get(value, name) === 'function')
}

/** A provider's own options are checked by its adapter. */
function checkLlm(field: string, llm: unknown): LlmOptions | LanguageModel {
  if (!isReady(llm, 'ask', 'stream'))
    check.oneOf(`${field}.provider`, check.record(field, llm, LLM_NAMES).provider, ['openrouter', 'openai'])
  return llm as LlmOptions | LanguageModel
}

function checkEmbedding(field: string, embedding: unknown): EmbeddingOptions | Embedder | null {
  if (typeof embedding === 'string') return check.oneOf(field, embedding, ['none']) && null
  if (!isReady(embedding, 'embed', 'dimension')) {
    const { provider } = check.record(field, embedding, EMBEDDING_NAMES)
    check.oneOf(`${field}.provider`, provider, ['local', 'openrouter', 'openai'])
  }
  return embedding as EmbeddingOptions | Embedder
}

function checkVectorStore(field: string, store: unknown): VectorStoreOptions | VectorMirror | null {
  if (typeof store === 'string') return check.oneOf(field, store, ['embedded']) && null
  if (!isReady(store, 'prepare', 'searchSettled')) {
    const { provider, required } = check.record(field, store)
    check.oneOf(`${field}.provider`, provider, ['milvus'])
    if (required !== undefined) check.boolean(`${field}.required`, required)
  }
  return store as VectorStoreOptions | VectorMirror
}

function checkClock(field: string, clock: unknown = systemClock): Clock {
  try {
    return steadyClock(field, clock as Clock)
  } catch {
    throw invalid(field, 'must be a function that returns a valid Date', 'Leave it out for the computer’s clock.')
  }
}

/** Pino, winston and console are objects whose functions may be inherited. */
function checkLogger(field: string, logger: unknown = silentLogger): Logger {
  for (const name of ['debug', 'info', 'warn', 'error'])
    if (!isReady(logger, name))
      throw invalid(field, `has no function ${name}`, 'Pass a logger with debug, info, warn and error.')
  return logger as Logger
}

/** An open store and the options that it was opened with: what most use cases need. */
export interface Opened {
  readonly store: Store
  readonly options: ResolvedOptions
}

/** Every setting with its value and source. */
export type SettingStates = { readonly [Name in SettingName]: SettingState<SettingValues[Name]> }

/** Every setting as it holds now; where `memory.rag_top_n` was not set, MEMORY_RETRIEVAL_LIMIT (000) takes its place. */
export async function settingStates({ store, options }: Opened): Promise<SettingStates> {
  const { settings: overrides, retrievalLimit } = options
  const stored = await store.settings.all()
  const states = SETTING_NAMES.map((name): [SettingName, SettingState] => {
    const over = overrides.values[name]
    if (over !== undefined) return [name, { value: over, source: overrides.source }]
    if (stored.has(name)) return [name, { value: stored.get(name), source: 'database' }]
    if (name === 'memory.rag_top_n' && retrievalLimit !== MEMORY_RETRIEVAL_LIMIT)
      return [name, { value: Math.min(retrievalLimit, SETTINGS[name].bounds[1]), source: 'retrieval_limit' }]
    return [name, { value: SETTINGS[name].byDefault, source: 'default' }]
  })
  return Object.fromEntries(states) as unknown as SettingStates
}

/** The values alone. */
export async function settingValues(opened: Opened): Promise<SettingValues> {
  const states = await settingStates(opened)
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, states[name].value])) as unknown as SettingValues
}

/** Changes settings, all or none; null takes one back to its default. Rejects with `invalid`. */
export async function changeSettings(opened: Opened, changes: unknown): Promise<SettingStates> {
  const { store, options } = opened
  const { settings: overrides, clock } = options
  const values = Object.entries(check.record('settings', changes, SETTING_NAMES)).map(([key, value]) => {
    const name = checkSettingName(key)
    if (overrides.values[name] !== undefined)
      throw invalid(name, `is fixed by ${overrides.source}`, 'Start the process without it to change it here.')
    return [name, value === null ? null : checkSetting(name, value)] as const
  })
  await store.settings.set(Object.fromEntries(values), clock().getTime())
  return settingStates(opened)
}
