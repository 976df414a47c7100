/**
 * Resolves the models, their addresses and their keys; none is used unless configured, and a key alone enables no
 * calls. A key is sent only to its own address, and is never shown.
 */
import { invalid } from '../../domain/errors.ts'
import type { EmbeddingOptions, LlmOptions } from '../../usecases/options.ts'
import type { Environment } from '../config/environment.ts'
import type { ConfigFile } from './config-file.ts'
import { oneWord } from './flag-values.ts'
import { byDefault, first, type Setting } from './setting.ts'

/** The settings of one kind of model, as `mneme doctor` shows them. */
interface ShownModel {
  /** false: rules answer instead. */
  readonly enabled: Setting<boolean>
  readonly provider: Setting<string | null>
  readonly model: Setting<string | null>
  readonly base_url: Setting<string | null>
  readonly api_key: Setting<'set' | 'not set'>
}

/** The configuration of one kind of model. */
interface ChosenModel<Options> {
  readonly shown: ShownModel
  /** The library's options; undefined when it is off. Throws `invalid` when a key is missing. */
  options(): Options | undefined
}

/** Both kinds of models, and where local ones lie. */
export interface ModelSettings {
  readonly llm: ChosenModel<LlmOptions>
  readonly embedding: ChosenModel<EmbeddingOptions>
  readonly models_dir: Setting<string | null>
}

const EMBEDDINGS = ['none', 'local', 'openrouter', 'openai'] as const
type Provider = 'openrouter' | 'openai'
/** Hosts of the providers, with the environment variable of their key. */
const PROVIDERS = {
  openrouter: { host: 'openrouter.ai', key: 'OPENROUTER_API_KEY' },
  openai: { host: 'api.openai.com', key: 'OPENAI_API_KEY' },
} as const
const OFF = 'none'

/** Resolves both; throws `invalid` for a word that is not known. */
export function resolveModels(environment: Environment, config: ConfigFile): ModelSettings {
  const from = config.path ?? ''
  const modelsDir =
    first<string>(['MNEME_MODELS_DIR', environment.MNEME_MODELS_DIR], [from, config.embedding?.models_dir]) ??
    byDefault(null)
  return {
    llm: chooseLlm(environment, config),
    embedding: chooseEmbedding(environment, config, modelsDir),
    models_dir: modelsDir,
  }
}

function chooseLlm(environment: Environment, config: ConfigFile): ChosenModel<LlmOptions> {
  const from = config.path ?? ''
  const { llm } = config
  const model =
    first<string>(['MNEME_LLM_MODEL', environment.MNEME_LLM_MODEL], [from, llm?.model]) ??
    byDefault<string | null>(null)
  const named = first<string>(['MNEME_LLM_BASE_URL', environment.MNEME_LLM_BASE_URL], [from, llm?.base_url])
  const switched = first<unknown>(
    ['MNEME_LLM_MODEL', environment.MNEME_LLM_MODEL],
    ['MNEME_LLM_BASE_URL', environment.MNEME_LLM_BASE_URL],
    [from, llm],
  )
  if (switched === undefined || model.value === OFF)
    return off(model.value === OFF ? { value: false, source: model.source } : byDefault(false))
  const provider =
    first<Provider>([from, llm?.provider], [named?.source ?? '', providerOf(named?.value)]) ??
    byModelName(model, environment)
  const address = named ?? ownAddress(provider.value, environment)
  const key = first<string>(
    ['MNEME_LLM_API_KEY', environment.MNEME_LLM_API_KEY],
    [from, llm?.api_key],
    keyOf(provider.value, address, environment),
  )
  return {
    shown: shown({ value: true, source: switched.source }, provider, model, address, key),
    options: () => ({
      provider: provider.value,
      ...reached(provider.value, address, key, 'MNEME_LLM_API_KEY', 'MNEME_LLM_BASE_URL', inFile(from, 'llm.api_key')),
      ...(model.value === null ? {} : { model: model.value }),
      ...(llm?.timeout_ms === undefined ? {} : { timeoutMs: llm.timeout_ms }),
      ...(llm?.daily_calls === undefined ? {} : { dailyCalls: llm.daily_calls }),
      ...(llm?.daily_tokens === undefined ? {} : { dailyTokens: llm.daily_tokens }),
    }),
  }
}

function chooseEmbedding(
  environment: Environment,
  config: ConfigFile,
  modelsDir: Setting<string | null>,
): ChosenModel<EmbeddingOptions> {
  const from = config.path ?? ''
  const { embedding } = config
  const word = environment.MNEME_EMBEDDING
  const provider = first(
    ['MNEME_EMBEDDING', word === undefined ? undefined : oneWord('MNEME_EMBEDDING', word, EMBEDDINGS)],
    [from, embedding?.provider],
  )
  if (provider === undefined || provider.value === OFF)
    return off(provider === undefined ? byDefault(false) : { value: false, source: provider.source })
  const { value: kind, source } = provider
  const model =
    first<string>(['MNEME_EMBEDDING_MODEL', environment.MNEME_EMBEDDING_MODEL], [from, embedding?.model]) ??
    byDefault<string | null>(null)
  const common = {
    ...(model.value === null ? {} : { model: model.value }),
    ...(embedding?.dimension === undefined ? {} : { dimension: embedding.dimension }),
  }
  const enabled = { value: true, source }
  if (kind === 'local')
    return {
      shown: shown(enabled, { value: kind, source }, model, undefined, undefined),
      options: () => {
        if (modelsDir.value === null)
          throw invalid(
            'MNEME_MODELS_DIR',
            'is not set',
            `Name the folder that holds the folders of local models${inFile(from, 'embedding.models_dir')}.`,
          )
        return { provider: kind, ...common, modelsDir: modelsDir.value }
      },
    }
  const address = first<string>([from, embedding?.base_url]) ?? ownAddress(kind, environment)
  const key = first<string>([from, embedding?.api_key], keyOf(kind, address, environment))
  return {
    shown: shown(enabled, { value: kind, source }, model, address, key),
    options: () => ({
      provider: kind,
      ...reached(kind, address, key, PROVIDERS[kind].key, 'OPENAI_BASE_URL', inFile(from, 'embedding.api_key')),
      ...common,
    }),
  }
}

function off(enabled: Setting<boolean>): ChosenModel<never> {
  const nothing = byDefault(null)
  return {
    shown: { enabled, provider: nothing, model: nothing, base_url: nothing, api_key: byDefault('not set') },
    options: () => undefined,
  }
}

function shown(
  enabled: Setting<boolean>,
  provider: Setting<string>,
  model: Setting<string | null>,
  address: Setting<string> | undefined,
  key: Setting<string> | undefined,
): ShownModel {
  return {
    enabled,
    provider,
    model,
    base_url: address === undefined ? byDefault(null) : { ...address, value: withoutSecrets(address.value) },
    api_key: key === undefined ? byDefault('not set') : { ...key, value: 'set' },
  }
}

/** The address without user, password and parameters, which may hold a key. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return 'not an address'
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

/** Any address but OpenRouter's is treated as OpenAI-compatible. */
function providerOf(address: string | undefined): Provider | undefined {
  if (address === undefined) return undefined
  return hostOf(address) === PROVIDERS.openrouter.host ? 'openrouter' : 'openai'
}

/** Without an address the model's name decides: OpenRouter's names begin with a vendor and a slash. */
function byModelName(model: Setting<string | null>, environment: Environment): Setting<Provider> {
  const isSlashed = model.value?.includes('/') ?? true
  const hasOwnServer = environment.OPENAI_BASE_URL !== undefined && environment.OPENROUTER_API_KEY === undefined
  return { value: isSlashed && !hasOwnServer ? 'openrouter' : 'openai', source: model.source }
}

/** The address in OPENAI_BASE_URL, for OpenAI only; undefined means the provider's own. */
function ownAddress(provider: Provider, environment: Environment): Setting<string> | undefined {
  return provider === 'openai' ? first(['OPENAI_BASE_URL', environment.OPENAI_BASE_URL]) : undefined
}

/** The key in the environment that belongs to this address: the provider's own, or the one beside OPENAI_BASE_URL. */
function keyOf(
  provider: Provider,
  address: Setting<string> | undefined,
  environment: Environment,
): readonly [string, string | undefined] {
  const { host, key } = PROVIDERS[provider]
  const isOwn = address === undefined || hostOf(address.value) === host
  const isBeside = provider === 'openai' && address?.value === environment.OPENAI_BASE_URL
  return [key, isOwn || isBeside ? environment[key] : undefined]
}

/** Where else a value can stand, for who has a config file. */
function inFile(from: string, key: string): string {
  return from === '' ? '' : ` (or ${from}: ${key})`
}

function reached(
  provider: Provider,
  address: Setting<string> | undefined,
  key: Setting<string> | undefined,
  keyName: string,
  addressName: string,
  keyInFile: string,
): { readonly baseUrl?: string; readonly apiKey?: string } {
  if (address === undefined && key === undefined)
    throw invalid(
      keyName,
      `is not set, and ${provider === 'openrouter' ? 'OpenRouter' : 'OpenAI'} needs a key`,
      keyName === PROVIDERS[provider].key
        ? `Set ${keyName}${keyInFile}, or use another embedding.`
        : `Set it or ${PROVIDERS[provider].key}${keyInFile}, or name an endpoint of your own with ${addressName}.`,
    )
  return {
    ...(address === undefined ? {} : { baseUrl: address.value }),
    ...(key === undefined ? {} : { apiKey: key.value }),
  }
}
