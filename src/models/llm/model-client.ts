/** The client of one model: breaker, budget, refused parameters, closing, and the life of one call. */
import { check, orElse } from '../../domain/checks.ts'
import { type Clock, DAY_MS, systemClock } from '../../domain/clock.ts'
import type { LlmOptions, ModelAnswer, ModelRequest, ModelUsage } from '../../domain/contracts/models.ts'
import type { UsageLedger, UsageRecord } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { inTurns } from '../../domain/scheduling.ts'
import { type CallFailure, endpointAt } from '../http/post.ts'
import { openClient } from '../http/retrying-client.ts'
import { MOST_RETRIES, remedyOf, resolveVendor } from '../http/vendor.ts'

export interface ModelReply {
  readonly text: string
  readonly model: string | null
  readonly usage: ModelUsage | null
}

export type ModelClient = ReturnType<typeof modelClient>
export type OpenCall = ReturnType<ModelClient['open']>

export function modelClient(options: ResolvedModelOptions) {
  const { model, logger, clock } = options
  const budget = dailyBudget({ calls: options.dailyCalls, tokens: options.dailyTokens }, options.ledger, clock)
  const now = (): number => clock().getTime()
  const client = openClient({
    endpoint: endpointAt(options.address, options.apiKey),
    retries: options.retries,
    random: options.random,
    now,
    logger,
    optional: OPTIONAL_PARAMETERS,
  })
  const { breaker, closing } = client

  /** Writes down what requests took; without a word from the vendor, by the length of the texts. */
  async function settle(
    about: { readonly step: string; readonly userId: string },
    calls: number,
    asked: readonly string[],
    { text, usage }: Pick<ModelReply, 'text' | 'usage'>,
  ): Promise<ModelUsage> {
    const spent = usage ?? {
      promptTokens: asked.reduce((sum, words) => sum + estimateTokens(words), 0),
      completionTokens: estimateTokens(text),
      cost: null,
    }
    const { step, userId } = about
    if (calls > 0)
      await budget.settle({ at: now(), userId, step, model, calls, ...spent }).catch((error: unknown) => {
        const reason = String(error)
        logger.warn('The usage of a model call could not be recorded.', { model, step, userId, reason })
      })
    return spent
  }

  /** Throws `model_failed` at once while the breaker is open, `closed` after the end. */
  function open(request: ModelRequest) {
    if (closing.aborted) throw closedError()
    if (request.signal?.aborted === true) throw abortedError()
    if (!breaker.admits()) throw pausedError(model, breaker.waitMs())

    const about = { model, step: request.step, userId: request.userId }
    const started = performance.now()
    const call = client.open(request.signal, about)
    const settled = (reply: Pick<ModelReply, 'text' | 'usage'>): Promise<ModelUsage> => {
      const asked = request.messages.map(({ content }) => content)
      return settle(about, call.attempts, asked, reply)
    }

    return {
      /** Demands a piece of the answer within the time limit from now on, or ends the call; null: no limit. */
      expect: call.expect,
      /** Sends the request and handles the response, both again on a transient failure. */
      retry: <T>(stream: boolean, work: (response: Response) => Promise<T>): Promise<T> =>
        call.send((refused) => requestBody(request, options, stream, refused), work, budget.take),
      /** The call is answered. */
      async answered(reply: ModelReply): Promise<ModelAnswer> {
        call.answered()
        const usage = await settled(reply)
        const latencyMs = performance.now() - started
        const { attempts } = call
        logger.debug('The model answered.', { ...about, attempts, latencyMs: Math.round(latencyMs), ...usage })
        return { text: reply.text, model: reply.model ?? model, usage, attempts, latencyMs }
      },
      /** The caller stopped listening. */
      async abandoned(reply: ModelReply): Promise<void> {
        call.left()
        await settled(reply)
      },
      /** The call has failed; resolves the error to throw. */
      async failed(error: unknown): Promise<MnemeError> {
        const ended = request.signal?.aborted === true ? abortedError() : closing.aborted ? closedError() : null
        const known = ended ?? (error instanceof MnemeError ? error : null)
        if (known !== null) call.left()
        const failure = known === null ? call.failed(error) : null
        await settled({ text: '', usage: { promptTokens: 0, completionTokens: 0, cost: null } })
        if (failure === null) return known!
        logger.error('A model call failed.', { ...about, attempts: call.attempts, reason: failure.message })
        return toModelError(failure, model, call.attempts)
      },
    }
  }

  return {
    endpoint: client.endpoint,
    budget,
    settle,
    /** Aborts when the client closes. */
    closing,
    open,
    /** true when the breaker is open, or was and no call has succeeded since. */
    isLeftAlone: breaker.isLeftAlone,
    close: client.close,
  }
}

/** A budget over this ledger; Number.MAX_SAFE_INTEGER means no bound. */
function dailyBudget(bounds: { readonly calls: number; readonly tokens: number }, ledger: UsageLedger, clock: Clock) {
  const bounded = Math.min(bounds.calls, bounds.tokens) < Number.MAX_SAFE_INTEGER
  let taken = 0
  // A request must not slip through between reading the ledger and writing to it.
  const queue = inTurns()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue(ledger, 'budget', work)
  return {
    /** Takes one request out of the budget. Rejects `budget_spent`. */
    take: () =>
      inTurn(async () => {
        if (bounded) {
          const now = clock().getTime()
          const spent = await ledger.spent(startOfDay(now))
          if (spent.calls + taken >= bounds.calls) throw spentError('calls', bounds.calls, now)
          if (spent.tokens >= bounds.tokens) throw spentError('tokens', bounds.tokens, now)
        }
        taken++
      }),
    /** Writes the usage of requests that were taken. */
    settle: (usage: UsageRecord) =>
      inTurn(async () => {
        taken = Math.max(0, taken - usage.calls)
        await ledger.record(usage)
      }),
  }
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS
}

function spentError(what: 'calls' | 'tokens', bound: number, now: number): MnemeError {
  const option = what === 'calls' ? 'llm.dailyCalls' : 'llm.dailyTokens'
  return new MnemeError('budget_spent', `Today's budget of ${bound} ${what} to the model is spent.`, {
    remedy: `Wait for the next day (UTC), or raise ${option}.`,
    field: option,
    retryAfterSeconds: Math.ceil((startOfDay(now) + DAY_MS - now) / 1000),
  })
}

/** Parameters that an answer can do without. */
const OPTIONAL_PARAMETERS = ['response_format', 'stream_options', 'temperature', 'max_completion_tokens', 'max_tokens']

/** The body of a chat completion; the server has refused the parameters in `refused`. */
function requestBody(
  request: ModelRequest,
  endpoint: { readonly model: string; readonly provider: 'openrouter' | 'openai' },
  stream: boolean,
  refused: ReadonlySet<string>,
): Record<string, unknown> {
  // Newer models of OpenAI want the longer name and refuse the older one.
  const limit = refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens'
  return {
    model: endpoint.model,
    messages: request.messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { [limit]: request.maxTokens }),
    ...(request.json === true ? { response_format: { type: 'json_object' } } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    // OpenRouter states the cost only with this option.
    ...(endpoint.provider === 'openrouter' ? { usage: { include: true } } : {}),
  }
}

/** The error that a caller sees: `model_refused` when the server said no, else `model_failed`. */
function toModelError(failure: CallFailure, model: string, attempts: number): MnemeError {
  const times = attempts > 1 ? ` (after ${attempts} requests)` : ''
  const remedy = remedyOf(failure.status)
  const said = failure.said === null ? {} : { said: failure.said }
  if (failure.refused)
    return new MnemeError('model_refused', `The model ${model} refused${times}: ${failure.message}`, {
      ...said,
      remedy: remedy ?? 'Check the name and the address of the model; the reason is quoted above.',
    })
  return new MnemeError('model_failed', `The model ${model} gave no answer${times}: ${failure.message}`, {
    ...said,
    remedy:
      remedy ??
      'Check that the address of the model answers, and ask again; work in the background is tried again by itself.',
  })
}

export function abortedError(): MnemeError {
  return new MnemeError('aborted', 'The call to the model was stopped by its caller.', { remedy: 'Call it again.' })
}

/** The caller's time is over. */
export function lateError(): MnemeError {
  return new MnemeError('model_failed', 'The vendor of the model did not answer in time.', {
    remedy: 'Check that the address of the model answers, then ask again.',
  })
}

/** `close` was called. */
export function closedError(): MnemeError {
  return new MnemeError('closed', 'The model has been closed.', { remedy: 'Open it again.' })
}

/** The circuit breaker is open for so many milliseconds more. */
function pausedError(model: string, waitMs: number): MnemeError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new MnemeError('model_failed', `The model ${model} failed lately and is left alone for now.`, {
    remedy: `Try again in ${seconds} s; until then everything works by rules.`,
  })
}

/** How many tokens is this text, roughly, when the vendor does not say? At least one for a text with words. */
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g
/** Characters of English prose to a token, as OpenAI's own documentation puts it. */
const CHARACTERS_PER_TOKEN = 4

/** One token per Han, kana or hangul character, and one per four others, rounded up. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN)
}

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
  const provider = check.oneOf('llm.provider', options.provider, ['openrouter', 'openai'] as const)
  const { timeoutMs, retries, dailyCalls, dailyTokens } = options
  return {
    provider,
    ...resolveVendor('llm', options, provider, '/chat/completions', DEFAULT_MODELS[provider]),
    timeoutMs: orElse(TIMEOUT_MS, check.integer, 1, LONGEST_TIMEOUT_MS)('llm.timeoutMs', timeoutMs),
    retries: orElse(MOST_RETRIES, check.integer, 0, MOST_RETRIES)('llm.retries', retries),
    dailyCalls: orElse(NO_BOUND, check.integer, 0, NO_BOUND)('llm.dailyCalls', dailyCalls),
    dailyTokens: orElse(NO_BOUND, check.integer, 0, NO_BOUND)('llm.dailyTokens', dailyTokens),
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    ledger: options.ledger,
    random: options.random ?? Math.random,
  }
}
