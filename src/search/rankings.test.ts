import { expect, test } from 'vitest'
import { HYBRID_FEATURES } from './hybrid-weights.ts'
import { rankings, weightsOf } from './rankings.ts'

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
