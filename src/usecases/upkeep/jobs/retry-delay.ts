/** How long does a job wait after a failure, and is it worth another attempt? */
import { MINUTE_MS, SECOND_MS } from '../../../domain/clock.ts'
import { type ErrorCode, MnemeError } from '../../../domain/errors.ts'

/** Attempts before a job is dead. */
export const MAX_ATTEMPTS = 5
const FIRST_DELAY_MS = SECOND_MS
const FACTOR = 4
/** A delay is longer or shorter by up to this part of it, so that jobs that failed together do not come back together. */
const JITTER = 0.25
/** A spent budget is looked at again after this long. */
const BUDGET_DELAY_MS = 15 * MINUTE_MS

/** Trying again would bring the same. */
const FINAL: readonly ErrorCode[] = ['model_refused', 'invalid_input']

/**
 * Milliseconds to wait after failed attempt 1, 2, …: 1 s, 4 s, 16 s, 64 s, each ± a quarter (exponential backoff with
 * jitter). `chance` is a random number in [0, 1).
 */
export function retryDelay(attempt: number, chance: number): number {
  const delay = FIRST_DELAY_MS * FACTOR ** (attempt - 1)
  return Math.round(delay * (1 - JITTER + 2 * JITTER * chance))
}

/** The next step for a failed job: another attempt, one that is not blamed for this, or none. */
export type Verdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'postpone'; readonly delayMs: number }
  | { readonly kind: 'dead' }

/** `attempt` is the one that failed, from 1. */
export function judgeFailure(error: unknown, attempt: number, chance: number): Verdict {
  const code = error instanceof MnemeError ? error.code : null
  if (code === 'budget_spent') return { kind: 'postpone', delayMs: BUDGET_DELAY_MS }
  if (attempt >= MAX_ATTEMPTS || (code !== null && FINAL.includes(code))) return { kind: 'dead' }
  return { kind: 'retry', delayMs: retryDelay(attempt, chance) }
}

/** The reason of a failure on one line, at most 500 characters. */
export function failureReason(error: unknown): string {
  const said = error instanceof MnemeError ? `${error.code}: ${error.message}` : String(error)
  return said.replaceAll(/\s+/gu, ' ').slice(0, 500).toWellFormed()
}
