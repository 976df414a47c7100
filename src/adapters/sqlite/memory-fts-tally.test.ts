import { expect, test } from 'vitest'
import { seeded } from '../../../test/support/random.ts'
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

test('the best of many are those that a sort of all would bring', () => {
  const random = seeded(3)
  for (let round = 0; round < 30; round += 1) {
    const sums = new Map<number, number>()
    const lists = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      // Weights far apart, and equal ones.
      const weight = 10 ** Math.floor(random() * 8 - 6) * (1 + Math.floor(random() * 3))
      const listed = new Set(Array.from({ length: Math.floor(random() * 2000) }, () => Math.floor(random() * 5000)))
      for (const place of listed) sums.set(place, (sums.get(place) ?? 0) + weight)
      return { places: [...listed], shift: 0, weight }
    })
    const sorted = [...sums].sort(([a, one], [b, other]) => other - one || b - a).map(([place]) => place)
    const tally = new Tally(lists)
    for (const count of [1, 40, 128, 700]) expect(tally.best(count)).toEqual(sorted.slice(0, count))
  }
})
