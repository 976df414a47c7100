import { expect, test } from 'vitest'
import { momentBefore } from './commands/store.ts'

const NOW = new Date('2026-03-31T12:00:00Z')
const before = (age: string): string => momentBefore('--older-than', age, NOW).toISOString()

test('hours, days and weeks are counted exactly', () => {
  expect(before('12h')).toBe('2026-03-31T00:00:00.000Z')
  expect(before('30d')).toBe('2026-03-01T12:00:00.000Z')
  expect(before('2w')).toBe('2026-03-17T12:00:00.000Z')
})

test('months and years are those of the calendar, and a month without a 31st ends on its last day', () => {
  expect(before('1m')).toBe('2026-02-28T12:00:00.000Z')
  expect(before('4m')).toBe('2025-11-30T12:00:00.000Z')
  expect(before('2y')).toBe('2024-03-31T12:00:00.000Z')
})

test.each(['', '30', 'd', '0d', '-3d', '3.5d', '30 days', '三天', '5s', '9999999d', '999999y'])(
  'the age %j is refused with the flag and a remedy',
  (age) => {
    expect(() => before(age)).toThrow(expect.objectContaining({ code: 'invalid_input', field: '--older-than' }))
  },
)
