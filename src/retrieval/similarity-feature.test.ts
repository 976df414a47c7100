import { expect, test } from 'vitest'
import { similarityScores } from './similarity-feature.ts'

test('the nearest has 1 and the farthest 0, whatever range the cosines of a model have', () => {
  const narrow = similarityScores(
    new Map([
      [4, 0.84],
      [9, 0.81],
      [2, 0.8],
    ]),
  )
  const wide = similarityScores(
    new Map([
      [4, 0.6],
      [9, 0],
      [2, -0.2],
    ]),
  )
  for (const scores of [narrow, wide]) {
    expect(scores.get(4)).toBe(1)
    expect(scores.get(2)).toBe(0)
    expect(scores.get(9)).toBeCloseTo(0.5, 5)
    expect(scores.get(7)).toBeUndefined()
  }
})

test('a single turn is the nearest', () => {
  expect([...similarityScores(new Map([[3, 0.2]]))]).toEqual([[3, 1]])
})
