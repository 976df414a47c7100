import { expect, test } from 'vitest'
import { cosineOf } from '../../../test/support/cosine.ts'
import { plainKernel } from '../../../test/support/plain-kernel.ts'
import { CODE_COUNT, loadWordVectors } from '../../language/word-vectors.ts'
import { cosinesOf, nearest, spreadOf } from './meaning-scores.ts'
import { FRAME_TEXTS, MeaningArena, type MeaningStore } from './meaning-store.ts'

const vectors = await loadWordVectors()
const SAID = [
  'We adopted a kitten from the shelter on Saturday.',
  '我养了一只猫。',
  'The dentist says two of my teeth have to come out.',
  'I finally handed in my notice at the bank.',
  'Our train to Vienna leaves at seven.',
  'She bakes sourdough bread every weekend.',
]

function storeOf(texts: readonly string[], arena = new MeaningArena()): MeaningStore {
  const store = arena.open()
  for (const text of texts) store.append(vectors.encode(text))
  return store
}

/** Codes of texts that nobody said: some direction, the same for the same number. */
function someCodes(number: number): Int8Array {
  return Int8Array.from({ length: CODE_COUNT }, (_, at) => Math.imul(number * CODE_COUNT + at + 1, 2_654_435_761) >> 24)
}

test('a question finds what was said in other words', () => {
  const store = storeOf(SAID)
  const first = (question: string) => SAID[nearest(store, vectors.encode(question)!, 1)[0]!.ordinal]
  expect(first('Which pet did they get?')).toBe(SAID[0])
  expect(first('Did I quit my job?')).toBe(SAID[3])
  expect(first('When does the railway trip start?')).toBe(SAID[4])
})

test('the largest cosine comes first, and the newer text where cosines are equal', () => {
  const store = storeOf([...SAID, SAID[0]!])
  const query = vectors.encode('They have a young cat now')!
  const found = nearest(store, query, 10)
  expect(found.slice(0, 2).map(({ ordinal }) => ordinal)).toEqual([6, 0])
  expect(found.map(({ cosine }) => cosine)).toEqual(found.map(({ cosine }) => cosine).toSorted((a, b) => b - a))
  expect(found[0]!.cosine).toBeCloseTo(cosineOf(query, vectors.encode(SAID[0]!)!), 5)
})

test('a text without meaning is never found, but counts as a place', () => {
  const store = storeOf(SAID)
  expect(store.count).toBe(SAID.length)
  const found = nearest(store, vectors.encode('cat')!, 10)
  expect(found.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b)).toEqual([0, 2, 3, 4, 5])
  expect(Array.from(cosinesOf(store, vectors.encode('cat')!, [1, -1]))).toEqual([Number.NaN, Number.NaN])
})

test('a filter that lets few texts through still gets as many as it asks for', () => {
  const store = new MeaningArena().open()
  for (let number = 0; number < 5000; number += 1) store.append(someCodes(number))
  const query = someCodes(4321)
  const accepts = (ordinal: number) => ordinal % 500 === 321
  const found = nearest(store, query, 10, accepts)
  expect(found).toHaveLength(10)
  expect(found[0]).toEqual({ ordinal: 4321, cosine: expect.closeTo(1, 5) })
  expect(found.every(({ ordinal }) => accepts(ordinal))).toBe(true)
})

test('plain loops find the same', () => {
  const [quick, plain] = [new MeaningArena(), new MeaningArena(plainKernel())].map((arena) => {
    const store = arena.open()
    for (let number = 0; number < 3000; number += 1) store.append(someCodes(number))
    return store
  }) as [MeaningStore, MeaningStore]
  expect(nearest(plain, someCodes(7), 20)).toEqual(nearest(quick, someCodes(7), 20))
})

test('two stores in one memory never see each other, and what is given back is used again', () => {
  const arena = new MeaningArena()
  const mine = storeOf(SAID, arena)
  const yours = storeOf(['Our cat is called Miso.'], arena)
  const cat = vectors.encode('cat')!
  expect(nearest(yours, cat, 10)).toHaveLength(1)
  expect(nearest(mine, cat, 10)).toHaveLength(5)
  const frame = mine.frames[0]!
  mine.clear()
  expect(new Uint8Array(arena.kernel.buffer, frame, FRAME_TEXTS * CODE_COUNT).some((byte) => byte !== 0)).toBe(false)
  expect(nearest(mine, cat, 10)).toEqual([])
  expect(storeOf(SAID, arena).frames[0]).toBe(frame)
})

test('the spread says how alike all texts are to a query; of few it says what most texts are like', () => {
  const query = vectors.encode('kitten')!
  const cosines = [0, 2, 3, 4, 5].map((ordinal) => cosinesOf(storeOf(SAID), query, [ordinal])[0]!)
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / 5
  const few = spreadOf(storeOf(SAID), query)!
  const many = spreadOf(storeOf(Array.from({ length: 60 }, () => SAID).flat()), query)!
  expect(few.mean).toBeLessThan(mean)
  expect(Math.abs(many.mean - mean)).toBeLessThan(0.02)
  expect(spreadOf(storeOf([SAID[0]!]), query)!.deviation).toBeGreaterThan(0.05)
  expect(spreadOf(storeOf(['你好']), query)).toBeUndefined()
})
