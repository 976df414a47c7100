/** How is the model reached, and within which bounds? Resolved once, at the door; a key never stands in an error. */
import { checkInteger, checkOneOf } from '../../domain/checks.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { UsageLedger } from '../../domain/contracts/documents.ts'
import type { LlmOptions } from '../../domain/contracts/models.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { MOST_RETRIES, PROVIDER_ADDRESSES, resolveAddress, resolveKey, resolveModelName } from '../http/endpoint.ts'

/** Options of `openLanguageModel`. */
export interface LanguageModelOptions extends LlmOptions {
  readonly logger?: Logger
  readonly clock?: Clock
  readonly ledger: UsageLedger
  /** 0 up to 1, for the jitter of waiting times. */
  readonly random?: () => number
}

/** Every option with its value: `address` is the full one of chat completions. */
export type ResolvedModelOptions = ReturnType<typeof resolveModelOptions>

/** 002 R1.3 names OpenRouter's. */
const DEFAULT_MODELS = { openrouter: 'x-ai/grok-4.1-fast:free', openai: 'gpt-4o-mini' } as const

const TIMEOUT_MS = 60_000
/** Node's fetch ends a call after five minutes without headers or body. */
const LONGEST_TIMEOUT_MS = 5 * 60_000
const NO_BOUND = Number.MAX_SAFE_INTEGER

/** Checks the options and fills in the defaults. Throws `invalid_input`. */
export function resolveModelOptions(options: LanguageModelOptions) {
  const provider = checkOneOf('llm.provider', options.provider, ['openrouter', 'openai'] as const)
  const bounded = (field: string, value: number | undefined, least: number, most: number, otherwise: number) =>
    value === undefined ? otherwise : checkInteger(field, value, least, most)
  return {
    provider,
    address: resolveAddress('llm', options.baseUrl ?? PROVIDER_ADDRESSES[provider], '/chat/completions'),
    apiKey: resolveKey('llm', options.apiKey, options.baseUrl === undefined ? provider : null),
    model: resolveModelName('llm', options.model ?? DEFAULT_MODELS[provider]),
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
