/** The client of one server: a breaker, the parameters that it refused, and the life of one call with up to four tries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../../domain/clock.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import { backoffMs, CallFailure, type Endpoint, networkFailure, openDeadline, post } from './post.ts'

/** Longest wait inside a call, in milliseconds. */
const LONGEST_WAIT_MS = 20_000
/** Longest pause that a server's request to wait can cause, in milliseconds. */
const LONGEST_HOLD_MS = HOUR_MS
/** Final failures in a row that open the breaker. */
export const FAILURES_TO_OPEN = 5
/** Time for which the breaker stays open, in milliseconds. */
export const OPEN_MS = 30_000

/** Whether a server is worth asking: not for a while after failures in a row, then one call decides for all. */
export function createBreaker(now: () => number) {
  let failures = 0
  let openUntil: number | null = null
  let isTrying = false
  return {
    /** true after a failed last call, while calls are left out or the next one only tries. */
    isLeftAlone: (): boolean => openUntil !== null,
    /** Milliseconds for which calls are still left out. */
    waitMs: (): number => (openUntil ?? 0) - now(),
    admits: (): boolean => {
      if (openUntil === null) return true
      if (now() < openUntil || isTrying) return false
      // A pause that the server asked for is over.
      if (failures < FAILURES_TO_OPEN) openUntil = null
      else isTrying = true
      return true
    },
    /** The server answered, be it with a refusal. */
    answered: (): void => {
      failures = 0
      openUntil = null
      isTrying = false
    },
    /** A call finally failed. `waitMs`: the server asked to be left alone for so long; 0 when it did not. */
    failed: (waitMs: number): void => {
      failures += 1
      isTrying = false
      const opened = failures >= FAILURES_TO_OPEN ? now() + OPEN_MS : 0
      const held = waitMs > 0 ? now() + Math.min(waitMs, LONGEST_HOLD_MS) : 0
      openUntil = Math.max(opened, held, openUntil ?? 0) || null
    },
    /** A call was given up by its caller, which says nothing about the server. */
    left: (): void => {
      isTrying = false
    },
  }
}

export interface ClientOptions {
  readonly endpoint: Endpoint
  /** Retries after the first try, 0 to 3. */
  readonly retries: number
  /** 0 up to 1. */
  readonly random: () => number
  readonly now: () => number
  readonly logger: Logger
  /** Parameters that an answer can do without. */
  readonly optional: readonly string[]
}

export function openClient(options: ClientOptions) {
  const closing = new AbortController()
  const breaker = createBreaker(options.now)
  const refused = new Set<string>()
  return {
    endpoint: options.endpoint,
    /** Aborts when the client closes. */
    closing: closing.signal as AbortSignal,
    breaker,
    /** A call, which the breaker has admitted; `about` goes into its log lines. */
    open: (stop: AbortSignal | undefined, about: Record<string, unknown>) =>
      openCall(options, breaker, refused, [closing.signal, ...(stop === undefined ? [] : [stop])], about),
    close: (): void => closing.abort(),
  }
}

type Body = Record<string, unknown>

function openCall(
  { endpoint, retries, random, now, logger, optional }: ClientOptions,
  breaker: ReturnType<typeof createBreaker>,
  refused: Set<string>,
  stops: readonly AbortSignal[],
  about: Record<string, unknown>,
) {
  const deadline = openDeadline(stops)
  const signal: AbortSignal = deadline.signal
  let attempts = 0
  let within = 0

  /** Sends with fewer parameters each time, until the server refuses none that can be left out. */
  const request = async (bodyWithout: (refused: ReadonlySet<string>) => Body, before: () => Promise<void>) => {
    for (;;) {
      const body = bodyWithout(refused)
      for (const name of refused) delete body[name]
      try {
        await before()
        attempts += 1
        return await post(endpoint, body, signal, now())
      } catch (error) {
        const parameter = refusedParameter(error, body, optional)
        if (parameter === null) throw error
        refused.add(parameter)
        logger.info('A parameter is not taken; it is left out from now on.', { ...about, parameter })
      }
    }
  }

  return {
    /** Aborts when the caller gives up, the client closes or the time is out. */
    signal,
    get attempts() {
      return attempts
    },
    /** Demands a piece of the answer within the time limit from now on, or ends the call; null: no limit. */
    expect: (milliseconds: number | null): void => {
      within = milliseconds ?? within
      deadline.expect(milliseconds)
    },
    /** Sends the request and handles the response, both again on a transient failure. Rejects with the last try's error. */
    send: async <T>(
      body: (refused: ReadonlySet<string>) => Body,
      work: (response: Response) => Promise<T>,
      before: () => Promise<void> = async () => {},
    ): Promise<T> => {
      const { default: pRetry } = await import('p-retry')
      return pRetry(
        async () => {
          try {
            return await work(await request(body, before))
          } catch (error) {
            throw error instanceof MnemeError ? error : networkFailure(error, endpoint)
          }
        },
        {
          retries,
          // Waits itself, because the server may say for how long.
          minTimeout: 0,
          signal,
          shouldRetry: async ({ error, retriesConsumed }) => {
            if (!(error instanceof CallFailure) || !error.transient) return false
            const waitMs = Math.max(error.waitMs ?? 0, backoffMs(retriesConsumed, random()))
            if (waitMs > LONGEST_WAIT_MS || waitMs >= deadline.timeLeft()) return false
            logger.warn('A request failed and is sent again.', { ...about, reason: error.message, waitMs })
            await sleep(waitMs, undefined, { signal })
            return true
          },
        },
      )
    },
    answered: (): void => {
      deadline.end()
      breaker.answered()
    },
    left: (): void => {
      deadline.end()
      breaker.left()
    },
    /** Ends the call by this error, which the breaker counts. */
    failed: (error: unknown): CallFailure => {
      deadline.end()
      const failure = deadline.passed()
        ? new CallFailure(`nothing came within ${within} ms`, { transient: true })
        : networkFailure(error, endpoint)
      if (failure.refused) breaker.answered()
      else breaker.failed(failure.waitMs ?? 0)
      return failure
    },
  }
}

/** The parameter of this body that a refusal names; null when it names none that could be left out. */
export function refusedParameter(error: unknown, body: Body, optional: readonly string[]): string | null {
  // A wrong key is refused whatever the parameters are.
  if (!(error instanceof CallFailure) || !error.refused || error.status === 401) return null
  const named = (name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`, 'i').test(error.said ?? '')
  return optional.find((name) => name in body && named(name)) ?? null
}
