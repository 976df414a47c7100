/** mem0's configuration as options of `openMemory`; impossible settings are refused, and only configured services are used. */
import { checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError, withField } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import type { OpenOptions } from '../library/index.ts'
import { camelName, snakeName } from '../operations/names.ts'

export interface ProviderConfig {
  readonly provider?: string
  readonly config?: Readonly<Record<string, unknown>>
}

export interface MemoryConfig {
  readonly version?: string
  readonly embedder?: ProviderConfig
  readonly llm?: ProviderConfig
  readonly vectorStore?: ProviderConfig
  readonly historyStore?: ProviderConfig
  /** Path of the only database file. */
  readonly historyDbPath?: string
  readonly disableHistory?: boolean
  readonly enableGraph?: boolean
  readonly graphStore?: unknown
  readonly reranker?: unknown
  readonly customInstructions?: string
  readonly customPrompt?: string
  readonly mneme?: OpenOptions
}

const PARTS = ['version', 'embedder', 'llm', 'vectorStore', 'historyStore', 'historyDbPath', 'graphStore', 'mneme']
const REFUSED: Readonly<Record<string, string>> = {
  reranker: 'Leave it out: Mneme ranks by many features of its own.',
  custom_instructions: 'Leave it out; write facts that must be kept with infer: false.',
  custom_prompt: 'Leave it out; write facts that must be kept with infer: false.',
  enable_graph: 'Leave it out: relations are memories like others.',
  disable_history: 'Leave it out: the story of a memory is deleted with it.',
}
const WITHOUT_EFFECT = ['temperature', 'top_p', 'top_k', 'max_tokens', 'model_properties']

export function openOptionsOf(config: MemoryConfig, environment: Environment): OpenOptions {
  checkRecord('config', config, [...PARTS, ...Object.keys(REFUSED).map(camelName)])
  for (const [name, value] of Object.entries(config)) {
    const remedy = REFUSED[snakeName(name)]
    if (remedy !== undefined && value !== undefined && value !== null && value !== false)
      throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
  }
  const path = databasePath(config)
  const mneme = config.mneme ?? {}
  return {
    ...(path === undefined ? {} : { path }),
    ...vectorStoreOf(config.vectorStore),
    ...(config.llm === undefined || mneme.llm !== undefined ? {} : { llm: llmOf(config.llm, environment) }),
    ...(config.embedder === undefined || mneme.embedding !== undefined
      ? {}
      : { embedding: embeddingOf(config.embedder, environment) }),
    ...mneme,
  }
}

/** Options of `openMemory` whose mem0 name is not `<part>.config.<option>`. */
const NAMES: Readonly<Record<string, string>> = {
  path: 'historyDbPath',
  'llm.baseUrl': 'llm.config.baseURL',
  'llm.timeoutMs': 'llm.config.timeout',
  'embedding.baseUrl': 'embedder.config.baseURL',
  'embedding.dimension': 'embedder.config.embeddingDims',
  'vectorStore.uri': 'vectorStore.config.url',
  'vectorStore.database': 'vectorStore.config.dbName',
  'vectorStore.collection': 'vectorStore.config.collectionName',
  'vectorStore.metric': 'vectorStore.config.metricType',
}

/** An error of `openMemory` about an option, by the name that it has here; options inside `mneme` keep their own names. */
export function inWordsOfMem0({ mneme }: MemoryConfig, error: unknown): unknown {
  if (!(error instanceof MnemeError) || error.field === undefined) return error
  const [part = '', option] = error.field.split('.')
  if (Object.hasOwn(mneme ?? {}, part)) return error
  const named = option === undefined ? error.field : `${part.replace('embedding', 'embedder')}.config.${option}`
  return withField(error, NAMES[error.field] ?? named)
}

/** The settings of a part that were given, by the names of `openMemory`; `names` has mem0's name of each. */
function texts<Option extends string>(
  part: string,
  settings: Settings,
  names: Readonly<Record<Option, string>>,
): { readonly [Name in Option]?: string } {
  const found = Object.entries<string>(names).flatMap(([option, name]) =>
    settings[name] === undefined ? [] : [[option, textOf(`${part}.config.${settingName(name)}`, settings[name])]],
  )
  return Object.fromEntries(found)
}

function vectorStoreOf(given: ProviderConfig | undefined): Pick<OpenOptions, 'vectorStore'> {
  const { provider, config = {} } = partOf('vectorStore', given)
  if (typeof provider !== 'string' || provider.toLowerCase() !== 'milvus') return {}
  const known = ['url', 'uri', 'token', 'db_name', 'collection_name', 'metric_type', 'db_path']
  const settings = settingsOf('vectorStore.config', config, known, ['embedding_model_dims', 'dimension'])
  const set = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
  const named = { token: 'token', database: 'db_name', collection: 'collection_name', metric: 'metric_type' }
  const places = texts('vectorStore', set, { ...named, uri: set.uri === undefined ? 'url' : 'uri' })
  const vectorStore = { provider: 'milvus', uri: 'http://localhost:19530', ...places }
  return { vectorStore: vectorStore as NonNullable<OpenOptions['vectorStore']> }
}

function llmOf(given: ProviderConfig, environment: Environment): NonNullable<OpenOptions['llm']> {
  const { provider: name = 'openai', config = {} } = partOf('llm', given)
  const provider = providerNamed('llm', name, LLM_PROVIDERS)
  const settings = settingsOf('llm.config', config, ['api_key', 'model', 'timeout', ...ADDRESSES], WITHOUT_EFFECT)
  return {
    ...reachProvider('llm', provider, settings, environment),
    ...(settings.timeout === undefined
      ? {}
      : { timeoutMs: checkInteger('llm.config.timeout', settings.timeout, 1, 3_600_000) }),
  }
}

function embeddingOf(given: ProviderConfig, environment: Environment): NonNullable<OpenOptions['embedding']> {
  const { provider: named = 'openai', config = {} } = partOf('embedder', given)
  const name = typeof named === 'string' ? named.toLowerCase() : named
  const known = ['api_key', 'model', 'embedding_dims', 'models_dir', ...ADDRESSES]
  const settings = settingsOf('embedder.config', config, known, WITHOUT_EFFECT)
  const { embedding_dims: dimension } = settings
  const common =
    dimension === undefined ? {} : { dimension: checkInteger('embedder.config.embeddingDims', dimension, 1, 1_000_000) }
  if (name === 'none') return 'none'
  if (name === 'local') {
    const folder = { models_dir: environment.MNEME_MODELS_DIR, ...settings }
    return { provider: 'local', ...common, ...texts('embedder', folder, { model: 'model', modelsDir: 'models_dir' }) }
  }
  const provider = providerNamed('embedder', name, EMBEDDER_PROVIDERS, ['local', 'none'])
  return { ...reachProvider('embedder', provider, settings, environment), ...common }
}

/** Names under which mem0's providers take an address. */
const ADDRESSES = ['base_url', 'url', 'openai_base_url', 'ollama_base_url', 'lmstudio_base_url', 'vllm_base_url']
const KEY_VARIABLES = { openai: 'OPENAI_API_KEY', openrouter: 'OPENROUTER_API_KEY' } as const

/** Provider, model, address and key of a part (such as `llm`); an environment key goes only to its own provider. */
function reachProvider(
  part: string,
  { provider, baseUrl: own, model: usual, suffix = '' }: Provider,
  settings: Settings,
  environment: Environment,
) {
  const name = ADDRESSES.find((address) => settings[address] !== undefined)
  const named =
    name === undefined ? undefined : textOf(`${part}.config.${settingName(name)}`, settings[name]).replace(/\/+$/, '')
  const baseUrl = named === undefined ? own : named.endsWith(suffix) ? named : named + suffix
  const variable = KEY_VARIABLES[provider]
  const isOwn = baseUrl === undefined
  const field = `${part}.config.apiKey`
  const remedy = isOwn
    ? `Set ${variable}, or leave ${part} out: nobody is asked then.`
    : 'Pass a key, or leave it out where the endpoint needs none.'
  const model = settings.model ?? usual
  if (model === undefined) throw invalid(`${part}.config.model`, 'is missing', 'Name the model.')
  const key = settings.api_key ?? (isOwn ? environment[variable] : undefined)
  if (key === undefined && isOwn) throw invalid(field, `is missing, and ${variable} is not set`, remedy)
  return {
    provider,
    model: textOf(`${part}.config.model`, model),
    ...(isOwn ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: textOf(field, key, remedy) }),
  }
}

type Settings = Readonly<Record<string, unknown>>

function partOf(field: string, given: unknown): { readonly provider?: unknown; readonly config?: Settings } {
  if (given === undefined || given === null) return {}
  const { provider, config } = checkRecord(field, given, ['provider', 'config'])
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(config === undefined ? {} : { config: checkRecord(`${field}.config`, config) }),
  }
}

/** The settings in snake_case, from either spelling; unknown ones are refused, and those without effect skipped. */
function settingsOf(
  field: string,
  config: Settings,
  known: readonly string[],
  withoutEffect: readonly string[],
): Settings {
  const settings: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(config)) {
    const name = snakeName(written.replace('baseURL', 'baseUrl').replace('BaseURL', 'BaseUrl'))
    if (value === undefined || value === null || withoutEffect.includes(name)) continue
    if (!known.includes(name))
      throw invalid(`${field}.${written}`, 'is not known here', `Use: ${known.map(settingName).join(', ')}.`)
    if (settings[name] !== undefined && settings[name] !== value)
      throw invalid(`${field}.${written}`, 'is given twice, differently', 'Give it once.')
    settings[name] = value
  }
  return settings
}

function settingName(name: string): string {
  return camelName(name).replace(/[bB]aseUrl$/, (base) => base.replace('Url', 'URL'))
}

function textOf(field: string, value: unknown, remedy = 'Pass a string.'): string {
  if (typeof value !== 'string') throw invalid(field, 'must be text', remedy)
  if (value.trim() === '') throw invalid(field, 'is empty', remedy)
  return value
}

interface Provider {
  readonly provider: 'openai' | 'openrouter'
  readonly baseUrl?: string
  readonly model?: string
  /** The suffix that a given address needs: Ollama serves OpenAI's API under /v1. */
  readonly suffix?: string
}

const HOSTED: Readonly<Record<string, Provider>> = {
  openrouter: { provider: 'openrouter' },
  ollama: { provider: 'openai', baseUrl: 'http://localhost:11434/v1', suffix: '/v1' },
  lmstudio: { provider: 'openai', baseUrl: 'http://localhost:1234/v1' },
  together: { provider: 'openai', baseUrl: 'https://api.together.xyz/v1' },
}

const LLM_PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { provider: 'openai', model: 'gpt-5-mini' },
  openai_structured: { provider: 'openai', model: 'gpt-5-mini' },
  ...HOSTED,
  vllm: { provider: 'openai', baseUrl: 'http://localhost:8000/v1' },
  litellm: { provider: 'openai', baseUrl: 'http://localhost:4000/v1' },
  groq: { provider: 'openai', baseUrl: 'https://api.groq.com/openai/v1' },
  deepseek: { provider: 'openai', baseUrl: 'https://api.deepseek.com/v1' },
  xai: { provider: 'openai', baseUrl: 'https://api.x.ai/v1' },
  mistral: { provider: 'openai', baseUrl: 'https://api.mistral.ai/v1' },
}

const EMBEDDER_PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { provider: 'openai', model: 'text-embedding-3-small' },
  ...HOSTED,
}

function providerNamed(
  field: string,
  name: unknown,
  known: Readonly<Record<string, Provider>>,
  besides: readonly string[] = [],
): Provider {
  const found = typeof name === 'string' && Object.hasOwn(known, name.toLowerCase()) && known[name.toLowerCase()]
  if (found) return found
  throw invalid(
    `${field}.provider`,
    `${JSON.stringify(name)} cannot be used here`,
    `Use one of: ${[...Object.keys(known), ...besides].join(', ')}; for another, openai with the baseURL of an OpenAI-compatible endpoint; or leave ${field} out.`,
  )
}

const KNOWN_ALREADY = ['collection_name', 'dimension', 'embedding_model_dims']

/** The database file; undefined where none is named. Two different ones are refused. */
function databasePath({ vectorStore, historyStore, historyDbPath }: MemoryConfig): string | undefined {
  const { provider: store = 'memory', config: inStore = {} } = partOf('vectorStore', vectorStore)
  const storeName = typeof store === 'string' ? store.toLowerCase() : ''
  if (!['memory', 'mneme', 'sqlite', 'milvus'].includes(storeName))
    throw invalid(
      'vectorStore.provider',
      `${JSON.stringify(store)} cannot be used here`,
      'Leave vectorStore out, or use "memory": vectors are kept in the database file. Or use "milvus".',
    )
  const { provider: history = 'sqlite', config: inHistory = {} } = partOf('historyStore', historyStore)
  if (typeof history !== 'string' || !['sqlite', 'memory'].includes(history.toLowerCase()))
    throw invalid('historyStore.provider', `${JSON.stringify(history)} cannot be used here`, 'Use "sqlite".')
  const names = {
    // Other settings of Milvus are read with the rest of it.
    'vectorStore.config.dbPath':
      storeName === 'milvus'
        ? (inStore.dbPath ?? inStore.db_path)
        : settingsOf('vectorStore.config', inStore, ['db_path'], KNOWN_ALREADY).db_path,
    historyDbPath,
    'historyStore.config.historyDbPath': settingsOf('historyStore.config', inHistory, ['history_db_path'], [])
      .history_db_path,
  }
  let path: string | undefined
  for (const [name, value] of Object.entries(names)) {
    if (value === undefined || value === null) continue
    const named = textOf(name, value, 'Pass the name of a file.')
    if (path !== undefined && path !== named)
      throw invalid(name, `names a second file besides ${path}`, 'Name one: everything is in one database.')
    path = named
  }
  return path
}
