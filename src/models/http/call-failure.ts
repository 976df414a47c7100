/** What went wrong with one request, and is it worth sending again? */
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { z } from 'zod'
import { HOUR_MS } from '../../domain/clock.ts'

/** A request whose body may lack some parameters. */
interface TolerantRequest<T extends string> {
  /** Parameters that an answer can do without. */
  readonly optional: readonly T[]
  /** The parameters that the server has refused so far; the set grows. */
  readonly refused: Set<T>
  /** The body without the `refused` parameters. */
  readonly body: () => Readonly<Record<string, unknown>>
  readonly send: (body: Readonly<Record<string, unknown>>) => Promise<Response>
  /** Listener that is called once for each parameter. */
  readonly onRefused: (name: T) => void
}

/** Sends with fewer parameters each time, until the server refuses none that can be left out. Rejects as `send`. */
export async function sendTolerated<T extends string>(request: TolerantRequest<T>): Promise<Response> {
  for (;;) {
    const body = request.body()
    try {
      return await request.send(body)
    } catch (error) {
      const name = refusedParameter(error, body, request.optional)
      if (name === null) throw error
      request.refused.add(name)
      request.onRefused(name)
    }
  }
}

/** The parameter of this body that a refusal names; null when it names none that could be left out. */
function refusedParameter<T extends string>(
  error: unknown,
  body: Readonly<Record<string, unknown>>,
  optional: readonly T[],
): T | null {
  // A wrong key is refused whatever the parameters are.
  if (!(error instanceof CallFailure) || !error.refused || error.status === 401) return null
  const named = (name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`, 'i').test(error.said ?? '')
  return optional.find((name) => name in body && named(name)) ?? null
}

/** An error inside a body, even with status 200, as OpenRouter sends them. */
export interface StatedError {
  readonly status: number
  readonly message: string
  /** The vendor's name for the error, such as `model_not_found`; null when it gives none. */
  readonly name: string | null
}

/** The form of an error's name, an identifier; anything else may be words of a request. */
const NAME = /^[a-z][a-z0-9_]{2,39}$/i

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.string().optional(),
      code: z.union([z.string(), z.number()]).nullish().catch(null),
      type: z.string().nullish().catch(null),
    }),
  ]),
})

/** The error that a body states; null when it states none. Without a status of its own it counts as 502. */
export function readError(body: unknown): StatedError | null {
  const read = errorSchema.safeParse(body)
  if (!read.success) return null
  const { error } = read.data
  if (typeof error === 'string') return { status: 502, message: error, name: null }
  const status = Number(error.code)
  const name = [error.code, error.type].find((one): one is string => typeof one === 'string' && NAME.test(one))
  return {
    status: status >= 400 && status < 600 ? status : 502,
    message: error.message ?? 'no reason given',
    name: name ?? null,
  }
}

/** How long does the server ask to be left alone, and how long is the wait without a word from it? */
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000

/** The wait of `Retry-After` (RFC 9110, 10.2.3) or `retry-after-ms`, in milliseconds; null for none. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = headers.get('retry-after-ms')?.trim()
  if (exact !== undefined && /^\d+(?:\.\d+)?$/.test(exact)) return Math.ceil(Number(exact))
  const asked = headers.get('retry-after')?.trim()
  if (asked === undefined || asked === '') return null
  if (/^\d+(?:\.\d+)?$/.test(asked)) return Math.ceil(Number(asked) * 1000)
  // Date.parse takes "-5" and "2" for dates; an HTTP date names its weekday.
  const date = /^[A-Za-z]{3}/.test(asked) ? Date.parse(asked) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Exponential backoff with full jitter: random × min(cap, first × 2^retry), `random` 0 up to 1. */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry))
}

/** A failed request. Its message is ours, masked and short, so that a log may have it. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** HTTP status; null when there was none (network, time). */
  readonly status: number | null
  /** true when a repeated request may be answered. */
  readonly transient: boolean
  /** The wait that the server asked for; null when none. */
  readonly waitMs: number | null
  /** The server's words, masked and short; null when none. They may quote what was asked, so no log may have them. */
  readonly said: string | null

  constructor(
    message: string,
    about: { status?: number | null; transient: boolean; waitMs?: number | null; said?: string | null },
  ) {
    super(message)
    this.status = about.status ?? null
    this.transient = about.transient
    this.waitMs = about.waitMs ?? null
    this.said = about.said || null
  }

  /** true when the server itself refused this request; other requests may still succeed. */
  get refused(): boolean {
    return !this.transient && this.status !== null && this.status >= 300 && this.status < 500
  }
}

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/** Longest wait inside a call, in milliseconds. */
const LONGEST_WAIT_MS = 20_000

/** The number of retries, their pauses, and their listener. */
interface RetryRules {
  /** Retries after the first try, 0 to 3. */
  readonly retries: number
  /** 0 up to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  /** Milliseconds that are left for waiting and trying again. */
  readonly timeLeft: () => number
  readonly onRetry: (failure: CallFailure, waitMs: number) => void
}

/** Rejects with the last try's error; anything but a transient CallFailure is final. */
export function withRetries<T>(work: () => Promise<T>, rules: RetryRules): Promise<T> {
  return pRetry(work, {
    retries: rules.retries,
    // Waits itself, because the server may say for how long.
    minTimeout: 0,
    signal: rules.signal,
    shouldRetry: async ({ error, retriesConsumed }) => {
      if (!(error instanceof CallFailure) || !error.transient) return false
      const wait = Math.max(error.waitMs ?? 0, backoffMs(retriesConsumed, rules.random()))
      if (wait > LONGEST_WAIT_MS || wait >= rules.timeLeft()) return false
      rules.onRetry(error, wait)
      await sleep(wait, undefined, { signal: rules.signal })
      return true
    },
  })
}

/** Final failures in a row that open the breaker. */
export const FAILURES_TO_OPEN = 5
/** Time for which the breaker stays open, in milliseconds. */
export const OPEN_MS = 30_000

/** Longest pause that a server's request to wait can cause, in milliseconds. */
const LONGEST_HOLD_MS = HOUR_MS

/** Whether a server is worth asking: not for a while after failures in a row, then one call decides for all. */
export interface BreakerState {
  readonly failures: number
  readonly openUntil: number | null
  readonly trying: boolean
}

/** The state at the beginning, and after every answer. */
export const CLOSED: BreakerState = { failures: 0, openUntil: null, trying: false }

/** Admits a call or not, and gives the next state. `at` in milliseconds since the epoch. */
export function admit(state: BreakerState, at: number): { readonly admitted: boolean; readonly state: BreakerState } {
  if (state.openUntil === null) return { admitted: true, state }
  if (at < state.openUntil || state.trying) return { admitted: false, state }
  // A pause that the server asked for is over.
  if (state.failures < FAILURES_TO_OPEN) return { admitted: true, state: { ...state, openUntil: null } }
  return { admitted: true, state: { ...state, trying: true } }
}

/** true after a failed last call, while calls are left out or the next one only tries. */
export function isLeftAlone({ openUntil }: BreakerState): boolean {
  return openUntil !== null
}

/** The server answered, be it with a refusal. */
export function afterSuccess(): BreakerState {
  return CLOSED
}

/** A call finally failed. `waitMs`: the server asked to be left alone for so long; 0 when it did not. */
export function afterFailure(state: BreakerState, at: number, waitMs: number): BreakerState {
  const failures = state.failures + 1
  const until = Math.max(
    failures >= FAILURES_TO_OPEN ? at + OPEN_MS : 0,
    waitMs > 0 ? at + waitMs : 0,
    state.openUntil ?? 0,
  )
  return { failures, openUntil: until > 0 ? until : null, trying: false }
}

/** A call ended with this failure. A refusal is an answer too; a pause that the server asks for is kept, up to an hour. */
export function afterCallFailure(state: BreakerState, failure: CallFailure, at: number): BreakerState {
  return failure.refused ? afterSuccess() : afterFailure(state, at, Math.min(failure.waitMs ?? 0, LONGEST_HOLD_MS))
}

/** The state after a call that its caller gave up, which says nothing about the server. */
export function afterAbort(state: BreakerState): BreakerState {
  return { ...state, trying: false }
}
