/**
 * Which models, addresses and keys do the options choose? None is used unless configured, and a key alone enables no
 * calls. A key is sent only to its own address, and is never shown.
 */

import type { EmbeddingOptions, LlmOptions } from '../../domain/contracts/models.ts'
import type { VectorStoreOptions } from '../../domain/contracts/vector-mirror.ts'
import { invalid } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import { isInFile, type Setting, type Settings } from './settings.ts'

/** One kind of model as it was chosen; `provider` and what follows are null where it is off. */
export interface ChosenModel<Options> {
  /** false: rules answer instead. */
  readonly enabled: Setting<boolean>
  readonly provider: Setting<string | null>
  readonly model: Setting<string | null>
  readonly address: Setting<string | null>
  readonly key: Setting<string | null>
  /** The library's options; undefined when it is off. Throws `invalid` when a key is missing. */
  options(): Options | undefined
}

type Provider = 'openrouter' | 'openai'
/** Hosts of the providers, with the environment variable of their key. */
const PROVIDERS = {
  openrouter: { host: 'openrouter.ai', key: 'OPENROUTER_API_KEY', name: 'OpenRouter' },
  openai: { host: 'api.openai.com', key: 'OPENAI_API_KEY', name: 'OpenAI' },
} as const
const OFF = 'none'
const NOTHING = { value: null, source: 'default' }

/** The model that thinks. */
export function chooseLlm(settings: Settings): ChosenModel<LlmOptions> {
  const { environment, config } = settings
  const model = settings['llm.model']
  const named = settings['llm.base_url']
  const variable = [model, named].find(({ source }) => source.startsWith('MNEME_'))
  const switched = variable?.source ?? (isInFile(settings, 'llm') ? (config.value ?? '') : undefined)
  if (switched === undefined || model.value === OFF)
    return off({ value: false, source: model.value === OFF ? model.source : 'default' })
  const provider = llmProvider(settings)
  const address = given(named) ?? ownAddress(provider.value, environment)
  const key = given(settings['llm.api_key']) ?? keyOf(provider.value, address, environment)
  return {
    enabled: { value: true, source: switched },
    provider,
    model,
    address: address ?? NOTHING,
    key: key ?? NOTHING,
    options: () => ({
      provider: provider.value,
      ...reached(provider.value, address, key, {
        key: 'MNEME_LLM_API_KEY',
        remedy: `Set it or ${PROVIDERS[provider.value].key}${inFile(settings, 'llm.api_key')}, or name an endpoint of your own with MNEME_LLM_BASE_URL.`,
      }),
      ...ifSet('model', model),
      ...ifSet('timeoutMs', settings['llm.timeout_ms']),
      ...ifSet('dailyCalls', settings['llm.daily_calls']),
      ...ifSet('dailyTokens', settings['llm.daily_tokens']),
    }),
  }
}

/** The model of meaning. */
export function chooseEmbedding(settings: Settings): ChosenModel<EmbeddingOptions> {
  const { environment } = settings
  const { value: kind, source } = settings['embedding.provider']
  if (kind === null || kind === OFF) return off({ value: false, source })
  const model = settings['embedding.model']
  const common = { ...ifSet('model', model), ...ifSet('dimension', settings['embedding.dimension']) }
  const chosen = { enabled: { value: true, source }, provider: { value: kind, source }, model }
  if (kind === 'local')
    return {
      ...chosen,
      address: NOTHING,
      key: NOTHING,
      options: () => {
        const { value: modelsDir } = settings['embedding.models_dir']
        if (modelsDir !== null) return { provider: kind, ...common, modelsDir }
        const place = inFile(settings, 'embedding.models_dir')
        const remedy = `Name the folder that holds the folders of local models${place}.`
        throw invalid('MNEME_MODELS_DIR', 'is not set', remedy)
      },
    }
  const address = given(settings['embedding.base_url']) ?? ownAddress(kind, environment)
  const key = given(settings['embedding.api_key']) ?? keyOf(kind, address, environment)
  const variable = PROVIDERS[kind].key
  return {
    ...chosen,
    address: address ?? NOTHING,
    key: key ?? NOTHING,
    options: () => ({
      provider: kind,
      ...reached(kind, address, key, {
        key: variable,
        remedy: `Set ${variable}${inFile(settings, 'embedding.api_key')}, or use another embedding.`,
      }),
      ...common,
    }),
  }
}

/**
 * The vector database; undefined where none is named. A command must work while Milvus is down, so it is required only if
 * the config file says so.
 */
export function vectorStoreOptions(settings: Settings): VectorStoreOptions | undefined {
  const { value: uri } = settings['vector_store.uri']
  if (uri === null) return undefined
  return {
    provider: 'milvus',
    uri,
    collection: settings['vector_store.collection'].value,
    required: settings['vector_store.required'].value,
    ...ifSet('token', settings['vector_store.token']),
    ...ifSet('database', settings['vector_store.database']),
    ...ifSet('index', settings['vector_store.index']),
    ...ifSet('metric', settings['vector_store.metric']),
    ...ifSet('partitionByUser', settings['vector_store.partition_by_user']),
    ...ifSet('timeoutMs', settings['vector_store.timeout_ms']),
  }
}

/** The settings with the addresses and keys that other variables give, for the names in errors. */
export function effectiveSettings(settings: Settings) {
  const [llm, embedding] = [chooseLlm(settings), chooseEmbedding(settings)]
  const unless = (one: Setting<string | null>, source: string) => (one.source === 'default' ? { ...one, source } : one)
  return {
    ...settings,
    'llm.base_url': unless(llm.address, 'MNEME_LLM_BASE_URL'),
    'llm.api_key': unless(llm.key, 'MNEME_LLM_API_KEY'),
    'embedding.base_url': unless(embedding.address, 'OPENAI_BASE_URL'),
    'embedding.api_key': embedding.key,
  }
}

function ifSet<Name extends string, T>(name: Name, { value }: Setting<T | null>): { readonly [One in Name]?: T } {
  return (value === null ? {} : { [name]: value }) as { readonly [One in Name]?: T }
}

function given<T>({ value, source }: Setting<T | null>): Setting<T> | undefined {
  return value === null ? undefined : { value, source }
}

function off(enabled: Setting<boolean>): ChosenModel<never> {
  return { enabled, provider: NOTHING, model: NOTHING, address: NOTHING, key: NOTHING, options: () => undefined }
}

/** The named provider; else that of the address, of which any but OpenRouter's is OpenAI-compatible; else by the model. */
function llmProvider(settings: Settings): Setting<Provider> {
  const named = given(settings['llm.provider'])
  if (named !== undefined) return named
  const address = given(settings['llm.base_url'])
  if (address !== undefined)
    return { ...address, value: hostOf(address.value) === PROVIDERS.openrouter.host ? 'openrouter' : 'openai' }
  // OpenRouter's names begin with a vendor and a slash.
  const { value, source } = settings['llm.model']
  const isSlashed = value?.includes('/') ?? true
  const { OPENAI_BASE_URL, OPENROUTER_API_KEY } = settings.environment
  const hasOwnServer = OPENAI_BASE_URL !== undefined && OPENROUTER_API_KEY === undefined
  return { value: isSlashed && !hasOwnServer ? 'openrouter' : 'openai', source }
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

/** The address in OPENAI_BASE_URL, for OpenAI only; undefined means the provider's own. */
function ownAddress(provider: Provider, { OPENAI_BASE_URL: value }: Environment): Setting<string> | undefined {
  return provider === 'openai' && value !== undefined ? { value, source: 'OPENAI_BASE_URL' } : undefined
}

/** The key in the environment that belongs to this address: the provider's own, or the one beside OPENAI_BASE_URL. */
function keyOf(
  provider: Provider,
  address: Setting<string> | undefined,
  environment: Environment,
): Setting<string> | undefined {
  const { host, key } = PROVIDERS[provider]
  const isOwn = address === undefined || hostOf(address.value) === host
  const isBeside = provider === 'openai' && address?.value === environment.OPENAI_BASE_URL
  const value = isOwn || isBeside ? environment[key] : undefined
  return value === undefined ? undefined : { value, source: key }
}

/** Where else a value can stand, for who has a config file. */
function inFile({ config }: Settings, key: string): string {
  return config.value === null ? '' : ` (or ${config.value}: ${key})`
}

function reached(
  provider: Provider,
  address: Setting<string> | undefined,
  key: Setting<string> | undefined,
  missing: { readonly key: string; readonly remedy: string },
): { readonly baseUrl?: string; readonly apiKey?: string } {
  if (address === undefined && key === undefined)
    throw invalid(missing.key, `is not set, and ${PROVIDERS[provider].name} needs a key`, missing.remedy)
  return {
    ...(address === undefined ? {} : { baseUrl: address.value }),
    ...(key === undefined ? {} : { apiKey: key.value }),
  }
}
