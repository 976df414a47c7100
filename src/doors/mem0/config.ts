/**
 * mem0's configuration as options of `openMemory`. Nothing is reached that the configuration does not name: without `llm`
 * the rules think, and without `embedder` words alone find. What cannot be done as it is asked for is refused.
 */
import { checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../cli/environment.ts'
import type { CallersNames } from '../cli/in-words-of-caller.ts'
import type { OpenOptions } from '../library/index.ts'
import { snakeName } from '../operations/names.ts'
import { databasePath } from './database-path.ts'
import { partOf, settingName, settingsOf, textOf } from './provider-settings.ts'
import { EMBEDDER_PROVIDERS, LLM_PROVIDERS, providerNamed } from './providers.ts'
import { ADDRESSES, reachProvider } from './reach-provider.ts'

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

/** Maps a configuration; throws `invalid` or `unsupported` naming the part at fault. */
export function openOptionsOf(config: MemoryConfig, environment: Environment): OpenOptions {
  checkRecord('config', config, CONFIG_NAMES)
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

/** Options of `openMemory` by the names of mem0's configuration from which they were mapped. */
const NAMES: CallersNames = new Map([
  ['path', 'historyDbPath'],
  ['llm.baseUrl', 'llm.config.baseURL'],
  ['llm.apiKey', 'llm.config.apiKey'],
  ['llm.model', 'llm.config.model'],
  ['llm.timeoutMs', 'llm.config.timeout'],
  ['embedding.baseUrl', 'embedder.config.baseURL'],
  ['embedding.apiKey', 'embedder.config.apiKey'],
  ['embedding.model', 'embedder.config.model'],
  ['embedding.dimension', 'embedder.config.embeddingDims'],
  ['embedding.modelsDir', 'embedder.config.modelsDir'],
  ['vectorStore.uri', 'vectorStore.config.url'],
  ['vectorStore.token', 'vectorStore.config.token'],
  ['vectorStore.database', 'vectorStore.config.dbName'],
  ['vectorStore.collection', 'vectorStore.config.collectionName'],
  ['vectorStore.metric', 'vectorStore.config.metricType'],
])

/** What an error of `openMemory` shall call the options; what stands in `mneme` keeps its own names. */
export function callersNames({ mneme }: MemoryConfig): CallersNames {
  const own = Object.keys(mneme ?? {})
  return new Map([...NAMES].filter(([option]) => !own.includes(option.replace(/\..*/, ''))))
}

/** mem0's own names for a Milvus; the dimension is that of the embedder. */
function vectorStoreOf(given: ProviderConfig | undefined): Pick<OpenOptions, 'vectorStore'> {
  const { provider, config = {} } = partOf('vectorStore', given)
  if (typeof provider !== 'string' || provider.toLowerCase() !== 'milvus') return {}
  const known = ['url', 'uri', 'token', 'db_name', 'collection_name', 'metric_type', 'db_path']
  const withoutEffect = ['embedding_model_dims', 'dimension']
  const settings = settingsOf('vectorStore.config', config, known, withoutEffect)
  const text = (option: string, ...names: readonly string[]): object => {
    const [name] = names.filter((one) => settings[one] !== undefined && settings[one] !== '')
    return name === undefined ? {} : { [option]: textOf(`vectorStore.config.${settingName(name)}`, settings[name]) }
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
  const { provider: name = 'openai', config = {} } = partOf('llm', given)
  const provider = providerNamed('llm', name, LLM_PROVIDERS)
  const settings = settingsOf('llm.config', config, ['api_key', 'model', 'timeout', ...ADDRESSES], WITHOUT_EFFECT)
  const model = settings.model ?? provider.model
  if (model === undefined) throw invalid('llm.config.model', 'is missing', 'Name the model.')
  return {
    ...reachProvider('llm', provider, settings, environment),
    model: textOf('llm.config.model', model),
    ...(settings.timeout === undefined
      ? {}
      : { timeoutMs: checkInteger('llm.config.timeout', settings.timeout, 1, 3_600_000) }),
  }
}

function embeddingOf(given: ProviderConfig, environment: Environment): NonNullable<OpenOptions['embedding']> {
  const { provider: named = 'openai', config = {} } = partOf('embedder', given)
  const name = typeof named === 'string' ? named.toLowerCase() : named
  const names = ['api_key', 'model', 'embedding_dims', 'models_dir', ...ADDRESSES]
  const settings = settingsOf('embedder.config', config, names, WITHOUT_EFFECT)
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
    ...reachProvider('embedder', provider, settings, environment),
    ...common,
    model: textOf('embedder.config.model', model),
  }
}
