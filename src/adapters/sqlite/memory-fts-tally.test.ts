import { expect, test } from 'vitest'
import { Tally } from './memory-fts-tally.ts'

test('the places with the largest sums come first, of equal ones the larger place', () => {
  const tally = new Tally([
    { places: [9000, 3, 1], shift: 0, weight: 1 },
    // The last bit does not count.
    { places: [7, 4], shift: 1, weight: 0.5 },
    { places: [], shift: 0, weight: 7 },
  ])
  expect(tally.size).toBe(4)
  expect(tally.best(2)).toEqual([3, 9000])
  expect(tally.best(10)).toEqual([3, 9000, 1, 2])
})

test('nothing of one search is left for the next', () => {
  new Tally([{ places: [5, 6], shift: 0, weight: 100 }])
  expect(new Tally([{ places: [6, 7], shift: 0, weight: 1 }]).best(5)).toEqual([7, 6])
})

test('more than are kept are found, too, whatever was added up meanwhile', () => {
  const places = Array.from({ length: 5000 }, (_, at) => at)
  const tally = new Tally([{ places, shift: 0, weight: 1 }])
  expect(tally.best(3)).toEqual([4999, 4998, 4997])
  new Tally([{ places: [1, 2], shift: 0, weight: 9 }])
  expect(tally.best(6000)).toEqual(places.toReversed())
  expect(tally.best(2)).toEqual([4999, 4998])
})
