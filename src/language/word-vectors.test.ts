import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeWordVectors } from '../../bench/training/tables.ts'
import { cosineOf } from '../../test/support/cosine.ts'
import { loadWordVectors, readWordVectors, signBits, wordVectorsOf } from './word-vectors.ts'

const vectors = await loadWordVectors()

function alike(a: string, b: string): number {
  return cosineOf(vectors.encode(a)!, vectors.encode(b)!)
}

test('the table that is shipped is at most 8 MB', () => {
  expect(statSync(new URL('../../data/word-vectors-en.bin', import.meta.url)).size).toBeLessThan(8_000_000)
  expect(vectors.pieces).toBeGreaterThan(25_000)
})

test('sentences that mean the same in other words are alike, others are not', () => {
  expect(alike('I quit my job', 'I resigned from work')).toBeGreaterThan(0.6)
  expect(alike('My dog was ill last night', 'The puppy had to see a vet')).toBeGreaterThan(0.4)
  expect(alike('How much did the car cost?', 'I paid nine thousand for the Volvo')).toBeGreaterThan(
    alike('How much did the car cost?', 'We had a wonderful hike') + 0.2,
  )
  expect(Math.abs(alike('My dog was ill last night', 'The server listens on port 8080'))).toBeLessThan(0.2)
})

test('codes are 256 numbers, the largest of them 127 or -127', () => {
  const codes = vectors.encode('We moved to Porto in the spring.')!
  expect(codes).toHaveLength(256)
  expect(Math.max(...codes.map(Math.abs))).toBe(127)
  expect(cosineOf(codes, codes)).toBeCloseTo(1, 10)
})

test('a text without an English word has no meaning here', () => {
  for (const text of ['', '   ', '?!…', '你好，世界！', 'Привет, как дела?', '🎉🎉'])
    expect(vectors.encode(text)).toBeNull()
})

test('a very long text costs no more than its first 8,000 characters', () => {
  const said = 'We moved to Porto in the spring. '
  expect(vectors.encode(said.repeat(30_000))).toEqual(vectors.encode(said.repeat(30_000).slice(0, 8000)))
})

test('a sign is set for each code above zero', () => {
  const codes = vectors.encode('I keep bees behind the garage.')!
  const bits = signBits(codes)
  expect(bits).toHaveLength(32)
  for (const [at, code] of codes.entries()) expect((bits[at >> 3]! >> (at & 7)) & 1).toBe(code > 0 ? 1 : 0)
})

test('a file says what was written to it, and a part of one is refused', () => {
  const codes = Int8Array.from({ length: 512 }, (_, at) => (at * 37) % 120)
  const table = { pieces: ['tea', '##pot'], dimensions: 256, scales: Float32Array.of(0.5, 0.25), codes }
  const file = writeWordVectors(table)
  expect(readWordVectors(file, 'table')).toEqual(table)
  expect(wordVectorsOf(readWordVectors(file, 'table')).encode('teapot')).not.toBeNull()
  for (const part of [file.subarray(0, 10), file.subarray(0, -1), Buffer.from('no table, but long enough')])
    expect(() => readWordVectors(part, 'table')).toThrow('table is not a whole table of word vectors')
})
