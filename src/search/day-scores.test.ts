import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/clock.ts'
import { dayScores } from './day-scores.ts'

test('every text has the score of the best other text of its day, as a share of the best of all', () => {
  const times = [0, 3_600_000, 2 * DAY_MS, 2 * DAY_MS + 1, 2 * DAY_MS + 2, 5 * DAY_MS]
  expect([...dayScores(times, [0.5, 0.25, 1, 0.75, 0.5, 0.9])]).toEqual([0.25, 0.5, 0.75, 1, 1, 0])
})

test('nothing scored gives nothing', () => {
  expect([...dayScores([1, 2], [0, 0])]).toEqual([0, 0])
  expect([...dayScores([], [])]).toEqual([])
})
