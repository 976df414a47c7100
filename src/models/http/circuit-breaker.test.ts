import { expect, test } from 'vitest'
import {
  admit,
  afterAbort,
  afterFailure,
  afterSuccess,
  type BreakerState,
  CLOSED,
  FAILURES_TO_OPEN,
  OPEN_MS,
} from './call-failure.ts'

function failed(times: number, at: number, from: BreakerState = CLOSED): BreakerState {
  let state = from
  for (let time = 0; time < times; time++) state = afterFailure(state, at, 0)
  return state
}

test('it opens after so many failures in a row and not one earlier', () => {
  expect(admit(failed(FAILURES_TO_OPEN - 1, 0), 1).admitted).toBe(true)
  expect(admit(failed(FAILURES_TO_OPEN, 0), 1).admitted).toBe(false)
  expect(admit(failed(FAILURES_TO_OPEN - 1, 0, afterSuccess()), 1).admitted).toBe(true)
})

test('half open, one call tries: its success closes, its failure opens again, its abort lets another try', () => {
  const trial = admit(failed(FAILURES_TO_OPEN, 0), OPEN_MS)
  expect(trial.admitted).toBe(true)
  expect(admit(trial.state, OPEN_MS).admitted).toBe(false)
  expect(admit(afterAbort(trial.state), OPEN_MS).admitted).toBe(true)
  const again = afterFailure(trial.state, OPEN_MS, 0)
  expect(admit(again, 2 * OPEN_MS - 1).admitted).toBe(false)
  expect(admit(again, 2 * OPEN_MS).admitted).toBe(true)
})

test('a pause that the server asks for is kept, and is not counted as an open breaker', () => {
  const paused = afterFailure(CLOSED, 0, 90_000)
  expect(admit(paused, 89_999).admitted).toBe(false)
  const resumed = admit(paused, 90_000)
  expect(resumed.admitted).toBe(true)
  expect(admit(resumed.state, 90_000).admitted).toBe(true)
  expect(admit(afterFailure(resumed.state, 90_000, 0), 90_001).admitted).toBe(true)
})
