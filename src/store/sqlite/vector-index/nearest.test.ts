import { expect, test } from 'vitest'
import { seeded } from '../../../../test/support/random.ts'
import { LeastHeap } from './user-vectors.ts'

test('the least is the k-th largest so far, whatever the order, and repeats count', () => {
  const random = seeded(4)
  for (const most of [1, 2, 7, 50]) {
    const heap = new LeastHeap(most)
    const pushed: number[] = []
    for (let step = 0; step < 300; step += 1) {
      const value = Math.floor(random() * 40)
      heap.push(value)
      pushed.push(value)
      const wanted = [...pushed].sort((a, b) => b - a)[most - 1]
      expect(heap.least).toBe(wanted ?? Number.NEGATIVE_INFINITY)
    }
  }
})
