import { expect, test } from 'vitest'
import { seeded } from '../../../../test/support/random.ts'
import { Largest } from './user-vectors.ts'

test('the least is the k-th largest so far, whatever the order, and repeats count', () => {
  const random = seeded(4)
  for (const most of [1, 2, 7, 50]) {
    const largest = new Largest(most)
    const pushed: number[] = []
    for (let step = 0; step < 300; step += 1) {
      const value = Math.floor(random() * 40)
      largest.push(value)
      pushed.push(value)
      const wanted = [...pushed].sort((a, b) => b - a)[most - 1]
      expect(largest.least).toBe(wanted ?? Number.NEGATIVE_INFINITY)
    }
  }
})
