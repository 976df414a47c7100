import { expect, test } from 'vitest'
import { backoffMs, retryAfterMs } from './post.ts'

const NOW = Date.parse('2026-05-07T12:00:00Z')
const asked = (value: string): number | null => retryAfterMs(new Headers({ 'retry-after': value }), NOW)

test('seconds and dates are understood, everything else asks nothing', () => {
  expect(asked('7')).toBe(7_000)
  expect(asked('0.5')).toBe(500)
  expect(asked('Thu, 07 May 2026 12:00:09 GMT')).toBe(9_000)
  expect(asked('Thu, 07 May 2026 11:00:00 GMT')).toBe(0)
  expect(asked('-5')).toBeNull()
  expect(asked('soon')).toBeNull()
  expect(retryAfterMs(new Headers(), NOW)).toBeNull()
})

test('the wait doubles with each retry up to a bound, and jitter only shortens it', () => {
  expect([0, 1, 2, 10].map((retry) => backoffMs(retry, 1))).toEqual([500, 1000, 2000, 8000])
  expect(backoffMs(1, 0.25)).toBe(250)
})
