import { expect, test } from 'vitest'
import { seeded } from '../../../test/support/random.ts'
import { decodePostings, encodePairs, postingsCount, withoutOrdinals } from './postings.ts'
import { chunkLists, encodeChunk, readPostings, termKey } from './term-chunks.ts'

test('lists of any length, distance and frequency are read back as they were, alone and out of a chunk', () => {
  const random = seeded(23)
  const lists = Array.from({ length: 400 }, (_, at) => {
    const [count, widest] = [1 + Math.floor(random() ** 4 * 600), 1 + Math.floor(random() ** 6 * 200_000)]
    const pairs: number[] = []
    for (let ordinal = 7, index = 0; index < count; index += 1, ordinal += 1 + Math.floor(random() * widest))
      pairs.push(ordinal, random() < 0.8 ? 1 : 1 + Math.floor(random() * 255))
    return { term: at * 4000 + Math.floor(random() * 4000), pairs, bytes: encodePairs(pairs, 7) }
  })
  const read = (bytes: Uint8Array): number[] => {
    const count = postingsCount(bytes)
    const [ordinals, frequencies] = [new Uint32Array(count), new Uint8Array(count)]
    expect(decodePostings(bytes, 7, ordinals, frequencies, 0)).toBe(count)
    return [...ordinals].flatMap((ordinal, index) => [ordinal, frequencies[index]!])
  }
  const chunk = encodeChunk(lists)
  const directory = { firstTerms: new Float64Array([0]), rows: new Float64Array([1]) }
  const table = { chunk: () => chunk, insertChunk: () => 1, updateChunk: () => {} }
  expect([...chunkLists(chunk)].map(({ term, bytes }) => [term, read(bytes)])).toEqual(
    lists.map(({ term, pairs }) => [term, pairs]),
  )
  for (const { term, pairs } of lists) expect(read(readPostings(table, directory, term)!)).toEqual(pairs)
  const [first, ...others] = lists.find(({ pairs }) => pairs.length > 40)!.pairs.filter((_, at) => at % 2 === 0)
  const left = withoutOrdinals(lists.find(({ pairs }) => pairs.length > 40)!.bytes, new Set([first! - 7]))!
  expect(read(left).filter((_, at) => at % 2 === 0)).toEqual(others)
})

test('every character and every pair of a script without blanks has a number of its own, which no word has', () => {
  const characters = Array.from({ length: 3000 }, (_, at) => String.fromCharCode(0x4e00 + at * 5))
  const terms = [...characters, ...characters.flatMap((one, at) => [one + characters[0], one + characters.at(-at)])]
  const keys = new Set(terms.map(termKey))
  expect(keys.size).toBe(new Set(terms).size)
  expect(Math.min(...keys)).toBeGreaterThanOrEqual(2 ** 32)
  for (const word of ['a', 'go', 'räume', '1998', '#orderservice']) expect(termKey(word)).toBeLessThan(2 ** 32)
})
