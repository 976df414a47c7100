/**
 * mem0's configuration as options of `openMemory`. Nothing is reached that the configuration does not name: without `llm`
 * the rules think, and without `embedder` words alone find. What cannot be done as it is asked for is refused.
 */
import { checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../cli/environment.ts'
import type { OpenOptions } from '../library/index.ts'
import { snakeName } from '../operations/names.ts'
import { EMBEDDER_PROVIDERS, LLM_PROVIDERS, type Provider, providerNamed } from './providers.ts'

/** A provider with its own configuration. */
export interface ProviderConfig {
  readonly provider?: string
  readonly config?: Readonly<Record<string, unknown>>
}

/** What mem0's `Memory` takes. */
export interface MemoryConfig {
  readonly version?: string
  readonly embedder?: ProviderConfig
  readonly llm?: ProviderConfig
  readonly vectorStore?: ProviderConfig
  readonly historyStore?: ProviderConfig
  /** The database; everything is in this one file. */
  readonly historyDbPath?: string
  readonly disableHistory?: boolean
  readonly enableGraph?: boolean
  readonly graphStore?: unknown
  readonly reranker?: unknown
  readonly customInstructions?: string
  readonly customPrompt?: string
  /** Options of `openMemory`; they win over what was mapped. */
  readonly mneme?: OpenOptions
}

type Settings = Readonly<Record<string, unknown>>

const CONFIG_NAMES = [
  'version',
  'embedder',
  'llm',
  'vectorStore',
  'historyStore',
  'historyDbPath',
  'disableHistory',
  'enableGraph',
  'graphStore',
  'reranker',
  'customInstructions',
  'customPrompt',
  'mneme',
]
const REFUSED: Readonly<Record<string, string>> = {
  reranker: 'Leave it out: Mneme ranks by many features of its own.',
  custom_instructions: 'Leave it out; write facts that must be kept with infer: false.',
  custom_prompt: 'Leave it out; write facts that must be kept with infer: false.',
  enable_graph: 'Leave it out: relations are memories like others.',
  disable_history: 'Leave it out: the story of a memory is deleted with it.',
}
/** Of a model: how it talks is chosen by Mneme. */
const WITHOUT_EFFECT = ['temperature', 'top_p', 'top_k', 'max_tokens', 'model_properties']
const ADDRESSES = ['base_url', 'url', 'openai_base_url', 'ollama_base_url', 'lmstudio_base_url', 'vllm_base_url']

/** Maps a configuration; throws `invalid` or `unsupported` naming the part at fault. */
export function openOptionsOf(config: MemoryConfig, environment: Environment): OpenOptions {
  checkRecord('config', config, CONFIG_NAMES)
  for (const [name, value] of Object.entries(config)) {
    const remedy = REFUSED[snakeName(name)]
    if (remedy !== undefined && value !== undefined && value !== null && value !== false)
      throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
  }
  const path = pathOf(config)
  return {
    ...(path === undefined ? {} : { path }),
    ...vectorStoreOf(config.vectorStore),
    ...(config.llm === undefined ? {} : { llm: llmOf(config.llm, environment) }),
    ...(config.embedder === undefined ? {} : { embedding: embeddingOf(config.embedder, environment) }),
    ...config.mneme,
  }
}

/** One file holds everything; two names for it would be two meanings. */
function pathOf({ vectorStore, historyStore, historyDbPath }: MemoryConfig): string | undefined {
  const { provider: store = 'memory', config: inStore = {} } = checkProvider('vectorStore', vectorStore)
  if (typeof store !== 'string' || !['memory', 'mneme', 'sqlite', 'milvus'].includes(store.toLowerCase()))
    throw invalid(
      'vectorStore.provider',
      `${JSON.stringify(store)} cannot be used here`,
      'Leave vectorStore out, or use "memory": vectors are kept in the database file. Or use "milvus".',
    )
  const { provider: history = 'sqlite', config: inHistory = {} } = checkProvider('historyStore', historyStore)
  if (typeof history !== 'string' || !['sqlite', 'memory'].includes(history.toLowerCase()))
    throw invalid('historyStore.provider', `${JSON.stringify(history)} cannot be used here`, 'Use "sqlite".')
  const names: Settings = {
    'vectorStore.config.dbPath': inStore.dbPath,
    historyDbPath,
    'historyStore.config.historyDbPath': inHistory.historyDbPath,
  }
  let path: string | undefined
  for (const [name, value] of Object.entries(names)) {
    if (value === undefined) continue
    if (typeof value !== 'string' || value === '') throw invalid(name, 'must be the name of a file', 'Pass one.')
    if (path !== undefined && path !== value)
      throw invalid(name, `names a second file besides ${path}`, 'Name one: everything is in one database.')
    path = value
  }
  return path
}

/** mem0's own names for a Milvus; the dimension is that of the embedder. */
function vectorStoreOf(given: ProviderConfig | undefined): Pick<OpenOptions, 'vectorStore'> {
  const { provider, config = {} } = checkProvider('vectorStore', given)
  if (typeof provider !== 'string' || provider.toLowerCase() !== 'milvus') return {}
  const known = ['url', 'uri', 'token', 'db_name', 'collection_name', 'metric_type', 'db_path']
  const withoutEffect = ['embedding_model_dims', 'dimension']
  const settings = snakeSettings('vectorStore.config', config, known, withoutEffect)
  const text = (option: string, ...names: readonly string[]): object => {
    const [name] = names.filter((one) => settings[one] !== undefined && settings[one] !== '')
    return name === undefined ? {} : { [option]: textOf(`vectorStore.config.${name}`, settings[name]) }
  }
  return {
    vectorStore: {
      provider: 'milvus',
      uri: 'http://localhost:19530',
      ...text('uri', 'uri', 'url'),
      ...text('token', 'token'),
      ...text('database', 'db_name'),
      ...text('collection', 'collection_name'),
      ...text('metric', 'metric_type'),
    },
  }
}

function llmOf(given: ProviderConfig, environment: Environment): NonNullable<OpenOptions['llm']> {
  const { provider: name = 'openai', config = {} } = checkProvider('llm', given)
  const provider = providerNamed('llm', name, LLM_PROVIDERS)
  const settings = snakeSettings('llm.config', config, ['api_key', 'model', 'timeout', ...ADDRESSES])
  const model = settings.model ?? provider.model
  if (model === undefined) throw invalid('llm.config.model', 'is missing', 'Name the model.')
  return {
    ...reached('llm', provider, settings, environment),
    model: textOf('llm.config.model', model),
    ...(settings.timeout === undefined
      ? {}
      : { timeoutMs: checkInteger('llm.config.timeout', settings.timeout, 1, 3_600_000) }),
  }
}

function embeddingOf(given: ProviderConfig, environment: Environment): NonNullable<OpenOptions['embedding']> {
  const { provider: name = 'openai', config = {} } = checkProvider('embedder', given)
  const names = ['api_key', 'model', 'embedding_dims', 'models_dir', ...ADDRESSES]
  const settings = snakeSettings('embedder.config', config, names)
  const dimension = settings.embedding_dims
  const common = {
    ...(settings.model === undefined ? {} : { model: textOf('embedder.config.model', settings.model) }),
    ...(dimension === undefined
      ? {}
      : { dimension: checkInteger('embedder.config.embeddingDims', dimension, 1, 1_000_000) }),
  }
  if (name === 'none') return 'none'
  if (name === 'local') {
    const folder = settings.models_dir ?? environment.MNEME_MODELS_DIR
    return {
      provider: 'local',
      ...common,
      ...(folder === undefined ? {} : { modelsDir: textOf('embedder.config.modelsDir', folder) }),
    }
  }
  const provider = providerNamed('embedder', name, EMBEDDER_PROVIDERS, ['local', 'none'])
  const model = settings.model ?? provider.model
  if (model === undefined) throw invalid('embedder.config.model', 'is missing', 'Name the model.')
  return {
    ...reached('embedder', provider, settings, environment),
    ...common,
    model: textOf('embedder.config.model', model),
  }
}

/** Address and key. A key of the environment goes only to the provider that it belongs to. */
function reached(
  part: string,
  { provider, baseUrl: own, suffix }: Provider,
  settings: Settings,
  environment: Environment,
): { readonly provider: Provider['provider']; readonly baseUrl?: string; readonly apiKey?: string } {
  const [name] = ADDRESSES.filter((address) => settings[address] !== undefined)
  const named = name === undefined ? undefined : textOf(`${part}.config.${name}`, settings[name]).replace(/\/+$/, '')
  const baseUrl = named === undefined ? own : suffix === undefined || named.endsWith(suffix) ? named : named + suffix
  const ofEnvironment = provider === 'openrouter' ? environment.OPENROUTER_API_KEY : environment.OPENAI_API_KEY
  const key = settings.api_key ?? (baseUrl === undefined ? ofEnvironment : undefined)
  return {
    provider,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: textOf(`${part}.config.apiKey`, key) }),
  }
}

function checkProvider(field: string, given: unknown): { readonly provider?: unknown; readonly config?: Settings } {
  if (given === undefined || given === null) return {}
  const { provider, config } = checkRecord(field, given, ['provider', 'config'])
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(config === undefined ? {} : { config: checkRecord(`${field}.config`, config) }),
  }
}

/** The settings of a model by name in snake_case, as mem0 takes them either way; unknown ones are refused. */
function snakeSettings(
  field: string,
  config: Settings,
  known: readonly string[],
  withoutEffect: readonly string[] = WITHOUT_EFFECT,
): Settings {
  const settings: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(config)) {
    const name = snakeName(written.replace('baseURL', 'baseUrl').replace('BaseURL', 'BaseUrl'))
    if (value === undefined || value === null || withoutEffect.includes(name)) continue
    if (!known.includes(name)) throw invalid(`${field}.${written}`, 'is not known here', `Use: ${known.join(', ')}.`)
    settings[name] = value
  }
  return settings
}

function textOf(field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalid(field, 'must be text', 'Pass a string.')
  return value
}
