/** Which of mem0's providers can be reached, and how? Every one that speaks OpenAI's language; the others are refused. */
import { invalid } from '../../domain/errors.ts'

/** How a provider is reached. */
export interface Provider {
  readonly provider: 'openai' | 'openrouter'
  /** Its own address where a configuration names none; undefined: OpenAI's or OpenRouter's. */
  readonly baseUrl?: string
  /** The model where a configuration names none; without one it has to. */
  readonly model?: string
  /** What an address that was named lacks: Ollama answers in OpenAI's language under /v1. */
  readonly suffix?: string
}

const HOSTED: Readonly<Record<string, Provider>> = {
  openrouter: { provider: 'openrouter' },
  ollama: { provider: 'openai', baseUrl: 'http://localhost:11434/v1', suffix: '/v1' },
  lmstudio: { provider: 'openai', baseUrl: 'http://localhost:1234/v1' },
  together: { provider: 'openai', baseUrl: 'https://api.together.xyz/v1' },
}

/** Providers of models that think. */
export const LLM_PROVIDERS: Readonly<Record<string, Provider>> = {
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

/** Providers of models of meaning. */
export const EMBEDDER_PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { provider: 'openai', model: 'text-embedding-3-small' },
  ...HOSTED,
}

/** The provider of this name; throws `invalid` that says what to use instead. */
export function providerNamed(
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
