import { expect, test } from 'vitest'
import { oneOf, seeded, wholeNumber } from '../../../test/support/random.ts'
import { ABSENT, KeyTable } from './key-table.ts'

test.each([1, 2, 3])('a table says what a Map says, however often keys come and go (order %s)', (seed) => {
  const random = seeded(seed)
  const table = new KeyTable()
  const map = new Map<number, number>()
  // Few keys that want the same places, the least and the largest among them.
  const keys = Array.from({ length: 3000 }, () => wholeNumber(random, 0, 400) * 2 ** oneOf(random, [0, 10, 32, 40]))
  keys.push(0, Number.MAX_SAFE_INTEGER)
  for (let step = 0; step < 20_000; step += 1) {
    const key = oneOf(random, keys)
    if (random() < 0.4) {
      const slot = table.slotOf(key)
      expect(table.at(slot)).toBe(map.get(key) ?? ABSENT)
      table.put(slot, ABSENT)
      map.delete(key)
    } else {
      table.put(table.slotOf(key), step - 10_000)
      map.set(key, step - 10_000)
    }
    const other = oneOf(random, keys)
    expect(table.get(other)).toBe(map.get(other) ?? ABSENT)
  }
  for (const key of keys) expect(table.get(key)).toBe(map.get(key) ?? ABSENT)
})

test('keys that came once and went leave no larger table behind', () => {
  const table = new KeyTable()
  for (let key = 1; key < 100_000; key += 1) {
    const slot = table.slotOf(key * 7919)
    table.put(slot, key)
    table.put(slot, ABSENT)
  }
  expect(table.bytes).toBeLessThan(4000)
})
