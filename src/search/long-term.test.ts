import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/clock.ts'
import { categoryBoost, frequencyScore, longTermRecency, scoreLongTerm } from './long-term.ts'

const NOW = Date.parse('2026-05-01T00:00:00Z')

test('Relevance score calculation: the sum of 000 with its five weights', () => {
  const factors = { keyword: 0.5, categoryBoost: 1, recency: 0.25, frequency: 0.5, confidence: 0.9 }
  // 0.2 + 0.2 + 0.0375 + 0.05 + 0.135
  expect(scoreLongTerm(factors, false)).toBeCloseTo(0.6225, 12)
  expect(scoreLongTerm(factors, true)).toBeCloseTo(0.80925, 12)
  expect(scoreLongTerm({ ...factors, categoryBoost: 1.5 }, false)).toBeCloseTo(0.7225, 12)
})

test('recency halves every seven days and never exceeds 1', () => {
  expect(longTermRecency(NOW, NOW)).toBe(1)
  expect(longTermRecency(NOW - 7 * DAY_MS, NOW)).toBe(0.5)
  expect(longTermRecency(NOW - 21 * DAY_MS, NOW)).toBe(0.125)
  expect(longTermRecency(NOW + DAY_MS, NOW)).toBe(1)
})

test('frequency grows with the logarithm of the accesses, from 0 to 1', () => {
  expect(frequencyScore(0)).toBe(0)
  expect(frequencyScore(9)).toBeCloseTo(Math.log(10) / Math.log(101), 12)
  expect(frequencyScore(100)).toBe(1)
  expect(frequencyScore(1e9)).toBe(1)
})

test('Category-based candidate recall: only preferences gain, and only when preferences are spoken of', () => {
  expect(categoryBoost('preference', true)).toBe(1.5)
  expect(categoryBoost('preference', false)).toBe(1)
  expect(categoryBoost('fact', true)).toBe(1)
})
