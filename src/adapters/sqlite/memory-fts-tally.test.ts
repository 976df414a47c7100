import { expect, test } from 'vitest'
import { seeded } from '../../../test/support/random.ts'
import { Tally } from './memory-fts-tally.ts'

const descending = (places: readonly number[]): readonly number[] => places.toSorted((a, b) => b - a)

test('the places with the largest sums are the best, of equal ones the larger places', () => {
  const lists = [
    { places: [9000, 3, 1], shift: 0, weight: 1 },
    // The last bit does not count.
    { places: [7, 4], shift: 1, weight: 0.5 },
    { places: [], shift: 0, weight: 7 },
  ]
  const tally = new Tally(lists, 2)
  expect(tally.size).toBe(4)
  expect(tally.best(1)).toEqual([3])
  expect(descending(tally.best(2))).toEqual([9000, 3])
  expect(descending(tally.best(10))).toEqual([9000, 3, 2, 1])
  expect(new Tally([], 5).best(5)).toEqual([])
  expect(new Tally(lists, 0).best(0)).toEqual([])
})

test('nothing of one search is left for the next', () => {
  new Tally([{ places: [5, 6], shift: 0, weight: 100 }], 1)
  expect(descending(new Tally([{ places: [6, 7], shift: 0, weight: 1 }], 5).best(5))).toEqual([7, 6])
})

test('others than were meant first are found, too, whatever was added up meanwhile', () => {
  const places = Array.from({ length: 5000 }, (_, at) => at)
  const tally = new Tally([{ places, shift: 0, weight: 1 }], 3)
  expect(descending(tally.best(3))).toEqual([4999, 4998, 4997])
  new Tally([{ places: [1, 2], shift: 0, weight: 9 }], 1)
  expect(descending(tally.best(6000))).toEqual(places.toReversed())
  expect(descending(tally.best(2))).toEqual([4999, 4998])
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
      const shift = Math.floor(random() * 4)
      const packed = descending([...listed]).map((place) => (place << shift) + Math.floor(random() * 2 ** shift))
      return { places: random() < 0.5 ? packed : Int32Array.from(packed), shift, weight }
    })
    const sorted = [...sums].sort(([a, one], [b, other]) => other - one || b - a).map(([place]) => place)
    const tally = new Tally(lists, 40)
    for (const count of [1, 40, 128, 700])
      expect(descending(tally.best(count))).toEqual(descending(sorted.slice(0, count)))
  }
})
