/**
 * Is it worth asking at all? Not for a while after several final failures in a row; then one call tries and decides for
 * all.
 */
import { HOUR_MS } from '../../domain/clock.ts'
import type { CallFailure } from './call-failure.ts'

/** Final failures in a row that open the breaker. */
export const FAILURES_TO_OPEN = 5
/** Time for which the breaker stays open, in milliseconds. */
export const OPEN_MS = 30_000

/** Longest pause that a server's request to wait can cause, in milliseconds. */
const LONGEST_HOLD_MS = HOUR_MS

/** `openUntil` null: closed. Past it: half open, `trying` while the one call is under way. */
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
