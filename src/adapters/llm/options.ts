/** How is the model reached, and within which bounds? Resolved once, at the door; a key never stands in an error. */

import type { UsageLedger } from '../../contracts/usage-ledger.ts'
import { checkInteger, checkOneOf, checkText } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import { invalid } from '../../domain/errors.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'

/** Options of `openLanguageModel`. */
export interface LanguageModelOptions {
  readonly provider: 'openrouter' | 'openai'
  /** Any OpenAI-compatible endpoint, up to but without `/chat/completions`. Default: the provider's own. */
  readonly baseUrl?: string
  /** Needed by the providers' own endpoints; others may do without. */
  readonly apiKey?: string
  /** As the vendor spells it. Default: `DEFAULT_MODELS`. */
  readonly model?: string
  /** Longest call of `ask`, its retries included, and longest silence of a stream. Default 60,000. */
  readonly timeoutMs?: number
  /** Retries after the first request, 0 to 3 (002 R10.2). Default 3. */
  readonly retries?: number
  /** Requests in one day (UTC), retries counted, over all users. Default: no bound. */
  readonly dailyCalls?: number
  /** Tokens in one day (UTC), prompt and completion, over all users; calls under way may pass it. Default: no bound. */
  readonly dailyTokens?: number
  readonly logger?: Logger
  readonly clock?: Clock
  readonly ledger: UsageLedger
  /** 0 up to 1, for the jitter of waiting times. */
  readonly random?: () => number
}

/** Every option with its value. */
export interface ResolvedModelOptions {
  readonly provider: 'openrouter' | 'openai'
  /** The full address of chat completions. */
  readonly address: string
  readonly apiKey: string | null
  readonly model: string
  readonly timeoutMs: number
  readonly retries: number
  readonly dailyCalls: number
  readonly dailyTokens: number
  readonly logger: Logger
  readonly clock: Clock
  readonly ledger: UsageLedger
  readonly random: () => number
}

const DEFAULT_ADDRESSES = { openrouter: 'https://openrouter.ai/api/v1', openai: 'https://api.openai.com/v1' } as const
/** 002 R1.3 names OpenRouter's. */
export const DEFAULT_MODELS = { openrouter: 'x-ai/grok-4.1-fast:free', openai: 'gpt-4o-mini' } as const

const TIMEOUT_MS = 60_000
/** Node's fetch gives up by itself after five minutes without headers or body. */
const LONGEST_TIMEOUT_MS = 5 * 60_000
/** 002 R10.2. */
const MOST_RETRIES = 3
const NO_BOUND = Number.MAX_SAFE_INTEGER
/** What an HTTP header may hold; anything else would be quoted by the error that `fetch` throws. */
const HEADER_VALUE = /^[\x21-\x7e]+$/

/** Checks the options and fills in what was left out. Throws `invalid_input`. */
export function resolveModelOptions(options: LanguageModelOptions): ResolvedModelOptions {
  const provider = checkOneOf('llm.provider', options.provider, ['openrouter', 'openai'] as const)
  const bounded = (field: string, value: number | undefined, least: number, most: number, otherwise: number) =>
    value === undefined ? otherwise : checkInteger(field, value, least, most)
  return {
    provider,
    address: resolveAddress(options.baseUrl ?? DEFAULT_ADDRESSES[provider]),
    apiKey: resolveKey(options.apiKey, provider, options.baseUrl === undefined),
    model: resolveModel(options.model ?? DEFAULT_MODELS[provider]),
    timeoutMs: bounded('llm.timeoutMs', options.timeoutMs, 1, LONGEST_TIMEOUT_MS, TIMEOUT_MS),
    retries: bounded('llm.retries', options.retries, 0, MOST_RETRIES, MOST_RETRIES),
    dailyCalls: bounded('llm.dailyCalls', options.dailyCalls, 0, NO_BOUND, NO_BOUND),
    dailyTokens: bounded('llm.dailyTokens', options.dailyTokens, 0, NO_BOUND, NO_BOUND),
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    ledger: options.ledger,
    random: options.random ?? Math.random,
  }
}

function resolveModel(model: unknown): string {
  const name = checkText('llm.model', model, { maxBytes: 512 }).trim()
  if (name === '') throw invalid('llm.model', 'is empty', 'Name a model, or leave it out for the default.')
  return name
}

function resolveAddress(baseUrl: unknown): string {
  const text = checkText('llm.baseUrl', baseUrl, { maxBytes: 4096 }).trim()
  if (!URL.canParse(text)) throw invalid('llm.baseUrl', 'is no address', 'Pass one such as http://127.0.0.1:8080/v1.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid('llm.baseUrl', `cannot be reached by ${url.protocol}`, 'Pass an address with https: or http:.')
  if (url.username !== '' || url.password !== '')
    throw invalid('llm.baseUrl', 'contains a user or a password', 'Pass the key as apiKey.')
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`
  return url.href
}

function resolveKey(apiKey: unknown, provider: string, own: boolean): string | null {
  const key = apiKey === undefined ? '' : checkText('llm.apiKey', apiKey, { maxBytes: 16_384 }).trim()
  if (key === '') {
    if (own) throw invalid('llm.apiKey', `is needed for ${provider}`, 'Pass a key, or a baseUrl that needs none.')
    return null
  }
  if (!HEADER_VALUE.test(key))
    throw invalid(
      'llm.apiKey',
      'holds characters that no key has',
      'Copy the key again, without spaces or line breaks.',
    )
  return key
}
