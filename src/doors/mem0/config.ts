/** mem0's configuration as options of `openMemory`; impossible settings are refused, and only configured services are used. */
import { check } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../config/options.ts'
import type { OpenOptions } from '../library/index.ts'

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
  customInstructions: 'Leave it out; write facts that must be kept with infer: false.',
  customPrompt: 'Leave it out; write facts that must be kept with infer: false.',
  enableGraph: 'Leave it out: relations are memories like others.',
  disableHistory: 'Leave it out: the story of a memory is deleted with it.',
}

/** Settings of a part by mem0's names, with the option of `openMemory` that each is; null: it changes nothing here. */
type Settings = Readonly<Record<string, string | null>>

const MODEL: Settings = {
  apiKey: 'apiKey',
  model: 'model',
  baseURL: 'baseUrl',
  url: 'baseUrl',
  temperature: null,
  topP: null,
  topK: null,
  maxTokens: null,
  modelProperties: null,
}
const SETTINGS = {
  llm: { ...MODEL, timeout: 'timeoutMs' },
  embedder: { ...MODEL, embeddingDims: 'dimension', modelsDir: 'modelsDir' },
  vectorStore: { dbPath: 'path', collectionName: null, dimension: null, embeddingModelDims: null },
  milvus: {
    url: 'uri',
    uri: 'uri',
    token: 'token',
    dbName: 'database',
    collectionName: 'collection',
    metricType: null,
    dbPath: 'path',
    dimension: null,
    embeddingModelDims: null,
  },
  historyStore: { historyDbPath: 'path' },
} as const satisfies Readonly<Record<string, Settings>>

/** Options that `openMemory` checks, since they are no texts. */
const NUMBERS: readonly string[] = ['timeoutMs', 'dimension']

interface Provider {
  readonly provider: 'openai' | 'openrouter'
  readonly baseUrl?: string
  /** The suffix that a given address needs: Ollama serves OpenAI's API under /v1. */
  readonly suffix?: string
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { provider: 'openai' },
  openai_structured: { provider: 'openai' },
  openrouter: { provider: 'openrouter' },
  ollama: { provider: 'openai', baseUrl: 'http://localhost:11434/v1', suffix: '/v1' },
  lmstudio: { provider: 'openai', baseUrl: 'http://localhost:1234/v1' },
  groq: { provider: 'openai', baseUrl: 'https://api.groq.com/openai/v1' },
  deepseek: { provider: 'openai', baseUrl: 'https://api.deepseek.com/v1' },
  mistral: { provider: 'openai', baseUrl: 'https://api.mistral.ai/v1' },
}
/** The models that mem0 asks for of OpenAI unless one is named. */
const OPENAI_MODELS = { llm: 'gpt-5-mini', embedder: 'text-embedding-3-small' } as const
const KEY_VARIABLES = { openai: 'OPENAI_API_KEY', openrouter: 'OPENROUTER_API_KEY' } as const

export function openOptionsOf(config: MemoryConfig, environment: Environment): OpenOptions {
  check.record('config', config, [...PARTS, ...Object.keys(REFUSED)])
  for (const [name, value] of Object.entries(config)) {
    const remedy = REFUSED[name]
    if (remedy !== undefined && value !== undefined && value !== null && value !== false)
      throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
  }
  const { provider: store = 'memory' } = partOf('vectorStore', config.vectorStore)
  const isMilvus = isOneOf('vectorStore', store, ['memory', 'mneme', 'sqlite', 'milvus']) === 'milvus'
  const { path: inStore, ...places } = settingsOf('vectorStore', config, SETTINGS[isMilvus ? 'milvus' : 'vectorStore'])
  isOneOf('historyStore', partOf('historyStore', config.historyStore).provider ?? 'sqlite', ['sqlite', 'memory'])
  const { path: inHistory } = settingsOf('historyStore', config, SETTINGS.historyStore)
  const { mneme = {}, historyDbPath } = config
  const own = historyDbPath === undefined ? undefined : textOf('historyDbPath', historyDbPath, 'path')
  const [path, another] = new Set([inStore, own, inHistory].filter((one) => one !== undefined))
  if (another !== undefined)
    throw invalid('historyDbPath', `names a second file besides ${path}`, 'Name one: everything is in one database.')
  return {
    ...(path === undefined ? {} : { path }),
    ...(isMilvus ? { vectorStore: { provider: 'milvus', uri: 'http://localhost:19530', ...places } } : {}),
    ...(config.llm === undefined || mneme.llm !== undefined ? {} : { llm: llmOf(config, environment) }),
    ...(config.embedder === undefined || mneme.embedding !== undefined
      ? {}
      : { embedding: embeddingOf(config, environment) }),
    ...mneme,
  } as OpenOptions
}

function embeddingOf(config: MemoryConfig, environment: Environment): object | string {
  const { provider: named = 'openai' } = partOf('embedder', config.embedder)
  const provider = isOneOf('embedder', named, [...Object.keys(PROVIDERS), 'local', 'none'])
  if (provider !== 'local' && provider !== 'none') return modelOf('embedder', provider, config, environment)
  const { modelsDir = environment.MNEME_MODELS_DIR, ...settings } = settingsOf('embedder', config, SETTINGS.embedder)
  return provider === 'none' ? 'none' : { ...settings, provider, modelsDir }
}

function llmOf(config: MemoryConfig, environment: Environment): object {
  const { provider = 'openai' } = partOf('llm', config.llm)
  return modelOf('llm', isOneOf('llm', provider, Object.keys(PROVIDERS)), config, environment)
}

/** Provider, model, address and key of a part; an environment key goes only to its own provider. */
function modelOf(part: 'llm' | 'embedder', name: string, config: MemoryConfig, environment: Environment): object {
  const { provider, baseUrl: usual, suffix = '' } = PROVIDERS[name] as Provider
  const variable = KEY_VARIABLES[provider]
  const settings = settingsOf(part, config, SETTINGS[part], variable)
  const given = settings.baseUrl?.replace(/\/+$/, '')
  const baseUrl = given === undefined ? usual : given.endsWith(suffix) ? given : given + suffix
  const model = settings.model ?? (provider === 'openai' && usual === undefined ? OPENAI_MODELS[part] : undefined)
  if (model === undefined) throw invalid(`${part}.config.model`, 'is missing', 'Name the model.')
  const apiKey = settings.apiKey ?? (baseUrl === undefined ? environment[variable] : undefined)
  if (apiKey === undefined && baseUrl === undefined)
    throw invalid(`${part}.config.apiKey`, `is missing, and ${variable} is not set`, remedyOf('apiKey', variable))
  return { ...settings, provider, model, baseUrl, apiKey }
}

/** The provider's name in small letters. Throws `invalid` for one that is not known. */
function isOneOf(part: string, name: unknown, known: readonly string[]): string {
  const found = known.find((one) => typeof name === 'string' && one === name.toLowerCase())
  if (found !== undefined) return found
  const model = part === 'llm' || part === 'embedder' ? '; for another, openai with the baseURL of its endpoint' : ''
  const remedy = `Use one of: ${known.join(', ')}${model}; or leave ${part} out.`
  throw invalid(`${part}.provider`, `${JSON.stringify(name)} cannot be used here`, remedy)
}

function partOf(field: string, given: unknown): { readonly provider?: unknown; readonly config?: unknown } {
  return given === undefined || given === null ? {} : check.record(field, given, ['provider', 'config'])
}

/** The settings of a part that were given, by the names of `openMemory`. */
function settingsOf(
  part: 'llm' | 'embedder' | 'vectorStore' | 'historyStore',
  config: MemoryConfig,
  known: Settings,
  variable?: string,
): Readonly<Partial<Record<string, string>>> {
  const field = `${part}.config`
  const settings: Record<string, string> = {}
  const given = check.record(field, partOf(part, config[part]).config ?? {}, Object.keys(known))
  for (const [name, value] of Object.entries(given)) {
    const option = known[name]
    // A Milvus without a password has an empty token.
    if (!option || value === undefined || value === null || (part === 'vectorStore' && value === '')) continue
    if (settings[option] !== undefined && settings[option] !== value)
      throw invalid(`${field}.${name}`, 'is given twice, differently', 'Give it once.')
    settings[option] = NUMBERS.includes(option)
      ? (value as string)
      : textOf(`${field}.${name}`, value, option, variable)
  }
  return settings
}

function textOf(field: string, value: unknown, option: string, variable?: string): string {
  if (typeof value !== 'string') throw invalid(field, 'must be text', remedyOf(option, variable))
  if (value.trim() === '') throw invalid(field, 'is empty', remedyOf(option, variable))
  return value
}

function remedyOf(option: string, variable?: string): string {
  if (option === 'path') return 'Pass the name of a file.'
  return option === 'apiKey'
    ? `Pass a key, or set ${variable}; or leave it out where none is needed.`
    : 'Pass a string.'
}
