import { expect, test, vi } from 'vitest'
import { rarityOf } from './word-rarity.ts'

test('the rarity of thousands of words that nobody knows takes no search through the lists for each', () => {
  for (let at = 0; at < 1000; at += 1) rarityOf(`jarn${at}`)
  const search = vi.spyOn(String.prototype, 'indexOf')
  for (let at = 0; at < 5000; at += 1) expect(rarityOf(`jarm${at}`)).toBe(1)
  const searches = search.mock.calls.filter(([start]) => String(start).startsWith(', ja')).length
  search.mockRestore()
  expect(searches).toBe(0)
  expect([rarityOf('make'), rarityOf('今天'), rarityOf('15')]).toEqual([0, 0, 0.3])
})
