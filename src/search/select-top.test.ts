import { expect, test } from 'vitest'
import { seeded, wholeNumber } from '../../test/support/random.ts'
import { kthLargest } from './select-top.ts'

test.each([1, 2, 7, 100, 1000])('the k-th of %i values is the one that sorting finds, repeats included', (count) => {
  const random = seeded(count)
  for (let round = 0; round < 50; round += 1) {
    const values = Float64Array.from({ length: count }, () => wholeNumber(random, 0, round))
    const k = wholeNumber(random, 1, count)
    expect(kthLargest(values.slice(), k)).toBe(values.slice().sort().at(-k))
  }
})

test('there is no tenth of nine', () => {
  expect(kthLargest(new Float64Array(9), 10)).toBe(Number.NEGATIVE_INFINITY)
})
