/**
 * The line to one model: what all calls share (breaker, budget, refused parameters, closing) and the life of one call
 * on it: admitted, retried, ended once, written into the ledger once.
 */
import type { ModelAnswer, ModelRequest, ModelUsage } from '../../domain/contracts/language-model.ts'
import { MnemeError } from '../../domain/errors.ts'
import { CallFailure } from '../http/call-failure.ts'
import { admit, afterAbort, afterCallFailure, afterSuccess, CLOSED, isLeftAlone } from '../http/circuit-breaker.ts'
import { openDeadline } from '../http/deadline.ts'
import { type Endpoint, endpointAt } from '../http/endpoint.ts'
import { networkFailure, post } from '../http/post.ts'
import { sendTolerated } from '../http/refused-parameters.ts'
import { withRetries } from '../http/with-retries.ts'
import { type DailyBudget, dailyBudget } from './daily-budget.ts'
import { abortedError, closedError, pausedError, toModelError } from './model-error.ts'
import type { ResolvedModelOptions } from './options.ts'
import { OPTIONAL_PARAMETERS, type OptionalParameter, requestBody } from './request-body.ts'
import { estimateTokens } from './token-estimate.ts'

/** What a model has said in one call. */
export interface ModelReply {
  readonly text: string
  readonly model: string | null
  readonly usage: ModelUsage | null
}

/** One call under way. */
export interface OpenCall {
  /** Aborts when the caller gives up, the line closes or the time is out. */
  readonly signal: AbortSignal
  /** From now on something must come within the time limit, or the call is over; null: no limit for now. */
  expect(within: number | null): void
  /** Sends the request and does the work with the response; both again on a transient failure. */
  retry<T>(stream: boolean, work: (response: Response) => Promise<T>): Promise<T>
  /** The call is answered. */
  answered(reply: ModelReply): Promise<ModelAnswer>
  /** The caller stopped listening. */
  abandoned(reply: ModelReply): Promise<void>
  /** The call has failed; resolves the error to throw. */
  failed(error: unknown): Promise<MnemeError>
}

/** What all calls of one model share. */
export interface ModelLine {
  readonly endpoint: Endpoint
  readonly budget: DailyBudget
  /** Aborts when the line closes. */
  readonly closing: AbortSignal
  /** Throws `model_failed` at once while the breaker is open, `closed` after the end. */
  open(request: ModelRequest): OpenCall
  /** Whether the breaker is open, or was and no call has succeeded since. */
  isLeftAlone(): boolean
  close(): void
}

/** A line by these options; nothing is sent before a call. */
export function modelLine(options: ResolvedModelOptions): ModelLine {
  const { model, logger, clock } = options
  const endpoint = endpointAt(options.address, options.apiKey)
  const budget = dailyBudget({ calls: options.dailyCalls, tokens: options.dailyTokens }, options.ledger, clock)
  const refused = new Set<OptionalParameter>()
  const closing = new AbortController()
  let breaker = CLOSED
  const now = (): number => clock().getTime()

  function open(request: ModelRequest): OpenCall {
    if (closing.signal.aborted) throw closedError()
    if (request.signal?.aborted === true) throw abortedError()
    const admission = admit(breaker, now())
    breaker = admission.state
    if (!admission.admitted) throw pausedError(model, (breaker.openUntil ?? 0) - now())

    const about = { model, step: request.step, userId: request.userId }
    const started = performance.now()
    const deadline = openDeadline([closing.signal, ...(request.signal === undefined ? [] : [request.signal])])
    const { signal, expect } = deadline
    let attempts = 0

    const send = (stream: boolean): Promise<Response> =>
      sendTolerated({
        optional: OPTIONAL_PARAMETERS,
        refused,
        body: () => requestBody(request, options, stream, refused),
        send: async (body) => {
          await budget.take()
          attempts++
          return post(endpoint, body, signal, now())
        },
        onRefused: (parameter) =>
          logger.info('The model does not take a parameter; it is left out from now on.', { ...about, parameter }),
      })

    async function settle(usage: ModelUsage, by: string): Promise<void> {
      if (attempts === 0) return
      try {
        const { userId, step } = request
        await budget.settle({ at: now(), userId, step, model: by, calls: attempts, ...usage })
      } catch (error) {
        logger.warn('The usage of a model call could not be recorded.', { ...about, reason: String(error) })
      }
    }

    const estimated = (text: string): ModelUsage => ({
      promptTokens: request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
      completionTokens: estimateTokens(text),
      cost: null,
    })

    return {
      signal,
      expect,
      retry: (stream, work) =>
        withRetries(
          async () => {
            try {
              return await work(await send(stream))
            } catch (error) {
              throw error instanceof MnemeError ? error : networkFailure(error, endpoint)
            }
          },
          {
            retries: options.retries,
            random: options.random,
            signal,
            timeLeft: deadline.timeLeft,
            onRetry: ({ message: reason }, waitMs) =>
              logger.warn('A request to the model failed and is sent again.', { ...about, reason, waitMs }),
          },
        ),
      async answered({ text, model: by, usage }) {
        deadline.end()
        breaker = afterSuccess()
        const spent = usage ?? estimated(text)
        await settle(spent, model)
        const latencyMs = performance.now() - started
        logger.debug('The model answered.', { ...about, attempts, latencyMs: Math.round(latencyMs), ...spent })
        return { text, model: by ?? model, usage: spent, attempts, latencyMs }
      },
      async abandoned({ text, usage }) {
        deadline.end()
        breaker = afterAbort(breaker)
        await settle(usage ?? estimated(text), model)
      },
      async failed(error) {
        deadline.end()
        const ended = request.signal?.aborted === true ? abortedError() : closing.signal.aborted ? closedError() : null
        const known = ended ?? (error instanceof MnemeError ? error : null)
        const failure = deadline.passed()
          ? new CallFailure(`nothing came within ${options.timeoutMs} ms`, { transient: true })
          : networkFailure(error, endpoint)
        if (known !== null) breaker = afterAbort(breaker)
        else breaker = afterCallFailure(breaker, failure, now())
        await settle({ promptTokens: 0, completionTokens: 0, cost: null }, model)
        if (known !== null) return known
        logger.error('A model call failed.', { ...about, attempts, reason: failure.message })
        return toModelError(failure, model, attempts)
      },
    }
  }

  return {
    endpoint,
    budget,
    closing: closing.signal,
    open,
    isLeftAlone: () => isLeftAlone(breaker),
    close: () => closing.abort(),
  }
}
