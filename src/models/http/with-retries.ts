/**
 * How is a failed request sent again? After the pause that the server asks for, if a retry may help and time is left.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { backoffMs, CallFailure } from './call-failure.ts'

/** Longest wait inside a call, in milliseconds. */
const LONGEST_WAIT_MS = 20_000

/** The number of retries, their pauses, and their listener. */
export interface RetryRules {
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
