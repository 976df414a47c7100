import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/clock.ts'
import {
  categoryBoost,
  frequencyScore,
  HYBRID_FEATURES,
  longTermFeatures,
  rankings,
  recencyScore,
  sumOf,
  TOPIC_BOOST,
  weightsOf,
} from './ranking-formulas.ts'

const NOW = Date.parse('2026-05-01T00:00:00Z')

test('Relevance score calculation: the sum of 000 with its five weights', () => {
  const factors = { keyword: 0.5, category: 1, recency: 0.25, frequency: 0.5, confidence: 0.9 }
  // 0.2 + 0.2 + 0.0375 + 0.05 + 0.135
  expect(sumOf(longTermFeatures(factors))).toBeCloseTo(0.6225, 12)
  expect(sumOf(longTermFeatures(factors)) * TOPIC_BOOST).toBeCloseTo(0.80925, 12)
  expect(sumOf(longTermFeatures({ ...factors, category: 1.5 }))).toBeCloseTo(0.7225, 12)
})

test('recency halves every seven days and never exceeds 1', () => {
  expect(recencyScore(NOW, NOW)).toBe(1)
  expect(recencyScore(NOW - 7 * DAY_MS, NOW)).toBe(0.5)
  expect(recencyScore(NOW - 21 * DAY_MS, NOW)).toBe(0.125)
  expect(recencyScore(NOW + DAY_MS, NOW)).toBe(1)
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

test('the file names each feature of the ranking once, with what it says and a weight for both shapes of a log', () => {
  expect(Object.keys(rankings.hybrid).sort()).toEqual([...HYBRID_FEATURES].sort())
  for (const feature of HYBRID_FEATURES)
    expect(rankings.hybrid[feature]).toEqual({
      says: expect.stringMatching(/\.$/),
      people: expect.any(Number),
      assistant: expect.any(Number),
    })
})

test('the formulas of the specifications have the weights that they name', () => {
  expect(weightsOf('long-term')).toEqual({
    keyword: 0.4,
    category: 0.2,
    recency: 0.15,
    frequency: 0.1,
    confidence: 0.15,
  })
  expect(weightsOf('conversation')).toEqual({ symbol_match: 0.4, recency: 0.3, context_similarity: 0.3 })
})
