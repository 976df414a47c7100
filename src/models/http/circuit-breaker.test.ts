import { expect, test } from 'vitest'
import { createBreaker, FAILURES_TO_OPEN, OPEN_MS } from './retrying-client.ts'

/** A breaker after so many failures, and its clock. */
function failed(times: number) {
  const clock = { now: 0 }
  const breaker = createBreaker(() => clock.now)
  for (let time = 0; time < times; time++) breaker.failed(0)
  return { breaker, clock }
}

test('it opens after so many failures in a row and not one earlier', () => {
  expect(failed(FAILURES_TO_OPEN - 1).breaker.admits()).toBe(true)
  expect(failed(FAILURES_TO_OPEN).breaker.admits()).toBe(false)
  const { breaker } = failed(FAILURES_TO_OPEN - 1)
  breaker.answered()
  for (let time = 1; time < FAILURES_TO_OPEN; time++) breaker.failed(0)
  expect(breaker.admits()).toBe(true)
})

test('half open, one call tries: its success closes, its failure opens again, its abort lets another try', () => {
  const { breaker, clock } = failed(FAILURES_TO_OPEN)
  clock.now = OPEN_MS
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false])
  breaker.left()
  expect(breaker.admits()).toBe(true)
  breaker.failed(0)
  clock.now = 2 * OPEN_MS - 1
  expect(breaker.admits()).toBe(false)
  clock.now = 2 * OPEN_MS
  expect(breaker.admits()).toBe(true)
  breaker.answered()
  expect([breaker.admits(), breaker.isLeftAlone()]).toEqual([true, false])
})

test('a pause that the server asks for is kept, and is not counted as an open breaker', () => {
  const { breaker, clock } = failed(0)
  breaker.failed(90_000)
  clock.now = 89_999
  expect([breaker.admits(), breaker.waitMs()]).toEqual([false, 1])
  clock.now = 90_000
  expect([breaker.admits(), breaker.admits()]).toEqual([true, true])
  breaker.failed(0)
  expect(breaker.admits()).toBe(true)
})
