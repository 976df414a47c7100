/** How is a provider of a model reached: at which address, and with which key? */
import { invalid } from '../../domain/errors.ts'
import type { Environment } from '../cli/environment.ts'
import { type Settings, settingName, textOf } from './provider-settings.ts'
import type { Provider } from './providers.ts'

/** Names under which mem0's providers take an address. */
export const ADDRESSES = ['base_url', 'url', 'openai_base_url', 'ollama_base_url', 'lmstudio_base_url', 'vllm_base_url']
const KEY_VARIABLES = { openai: 'OPENAI_API_KEY', openrouter: 'OPENROUTER_API_KEY' } as const

/** What of `LlmOptions` and `EmbeddingOptions` says how to reach it. */
export interface Reached {
  readonly provider: Provider['provider']
  readonly baseUrl?: string
  readonly apiKey?: string
}

/**
 * Address and key of the provider that `part` (`llm`) names. A key of the environment goes only to the provider that it
 * belongs to. Throws `invalid` where a key is empty, or missing though nobody answers without one.
 */
export function reachProvider(
  part: string,
  { provider, baseUrl: own, suffix }: Provider,
  settings: Settings,
  environment: Environment,
): Reached {
  const [name] = ADDRESSES.filter((address) => settings[address] !== undefined)
  const named =
    name === undefined ? undefined : textOf(`${part}.config.${settingName(name)}`, settings[name]).replace(/\/+$/, '')
  const baseUrl = named === undefined ? own : suffix === undefined || named.endsWith(suffix) ? named : named + suffix
  const variable = KEY_VARIABLES[provider]
  const isOwn = baseUrl === undefined
  const field = `${part}.config.apiKey`
  const remedy = isOwn
    ? `Set ${variable}, or leave ${part} out: nobody is asked then.`
    : 'Pass a key, or leave it out where the endpoint needs none.'
  const key = settings.api_key ?? (isOwn ? environment[variable] : undefined)
  if (key === undefined && isOwn) throw invalid(field, `is missing, and ${variable} is not set`, remedy)
  return {
    provider,
    ...(isOwn ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: textOf(field, key, remedy) }),
  }
}
