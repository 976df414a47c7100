import { expect, test } from 'vitest'
import { seeded, wholeNumber } from '../../test/support/random.ts'
import { DAY_MS } from '../domain/clock.ts'
import type { PostingList } from '../domain/contracts/text-index.ts'
import { dateMatch, isWithin } from './candidates.ts'
import { conversationScores, namedSpeakers } from './hybrid-features.ts'
import { contextSimilarity, conversationFeatures, recencyScore, sumOf } from './ranking-formulas.ts'
import {
  accumulate,
  acquireBoard,
  BM25_B,
  BM25_K1,
  coverageOf,
  HOT_LIST,
  inverseDocumentFrequency,
  kthLargest,
  releaseBoard,
  scoredLists,
  selectTop,
  upperBound,
  type WeightedList,
} from './word-scores.ts'

/** BM25's part that saturates with the frequency, as its authors write it. */
function termSaturation(frequency: number, length: number, averageLength: number): number {
  const norm = BM25_K1 * (1 - BM25_B + (BM25_B * length) / (averageLength || 1))
  return (frequency * (BM25_K1 + 1)) / (frequency + norm)
}

function list(term: string, documents: readonly number[]): PostingList {
  return { term, documents: Uint32Array.from(documents), frequencies: new Uint8Array(documents.length).fill(1) }
}

function weighted(...lists: readonly PostingList[]): WeightedList[] {
  return lists.map((one) => ({ list: one, weight: 1 }))
}

function collection(size: number) {
  return { live: size, averageLength: 10, columns: { length: new Uint16Array(size).fill(10) } }
}

test('a rarer term weighs more, a repeated one less and less, a long turn less', () => {
  expect(inverseDocumentFrequency(1, 100)).toBeGreaterThan(inverseDocumentFrequency(50, 100))
  expect(inverseDocumentFrequency(100, 100)).toBeGreaterThan(0)
  expect(inverseDocumentFrequency(120, 100)).toBeGreaterThan(0)
  const gain = (frequency: number) => termSaturation(frequency, 10, 10)
  expect(gain(2) - gain(1)).toBeGreaterThan(gain(3) - gain(2))
  expect(gain(255)).toBeLessThan(upperBound(1))
  expect(termSaturation(1, 50, 10)).toBeLessThan(termSaturation(1, 5, 10))
  expect(termSaturation(1, 5, 0)).toBeGreaterThan(0)
})

test('the board sums the BM25 of every term and remembers which terms a turn holds', () => {
  const lists = scoredLists(weighted(list('common', [0, 1, 2, 3]), list('rare', [2])), 8)
  expect(lists.map(({ list: { term } }) => term)).toEqual(['rare', 'common'])
  const board = acquireBoard(8)
  accumulate(board, lists, collection(8), 10)
  expect([...selectTop(board, 2, () => true)]).toEqual([2, 3])
  const expected = lists.reduce((sum, { gain }) => sum + gain * termSaturation(1, 10, 10), 0)
  expect(board.scores[2]).toBeCloseTo(expected, 5)
  expect(board.masks[2]).toBe(0b11)
  expect(board.masks[1]).toBe(0b10)
  releaseBoard(board)
})

test('a released board is clean, after few touched turns and after many', () => {
  for (const touched of [3, 900]) {
    const board = acquireBoard(1000)
    accumulate(
      board,
      scoredLists(
        weighted(
          list(
            'a',
            Array.from({ length: touched }, (_, i) => i),
          ),
        ),
        1000,
      ),
      collection(1000),
      5,
    )
    expect(board.count).toBe(touched)
    releaseBoard(board)
    const again = acquireBoard(1000)
    expect(again.count).toBe(0)
    expect(again.scores.every((score) => score === 0)).toBe(true)
    expect(again.masks.every((mask) => mask === 0)).toBe(true)
    releaseBoard(again)
  }
})

test('leaving hot words to turns already found does not change who is best', () => {
  const size = HOT_LIST * 4
  const hot = Array.from({ length: HOT_LIST * 2 }, (_, index) => index * 2)
  const rare = Array.from({ length: 40 }, (_, index) => index * 977)
  const middle = Array.from({ length: 500 }, (_, index) => index * 101)
  const lists = scoredLists(weighted(list('hot', hot), list('rare', rare), list('middle', middle)), size)
  const best = (keep: number): number[] => {
    const board = acquireBoard(size)
    accumulate(board, lists, collection(size), keep)
    const top = [...selectTop(board, 20, () => true)]
    releaseBoard(board)
    return top
  }
  expect(best(20)).toEqual(best(size))
})

test('the selection returns the best accepted turns, best first, the later of equals first', () => {
  const board = acquireBoard(100)
  const scores = Array.from({ length: 50 }, (_, index) => ((index * 37) % 50) + 1)
  scores.forEach((score, index) => {
    board.scores[index] = score
    board.touched[board.count++] = index
  })
  const accepts = (ordinal: number): boolean => ordinal % 2 === 0
  const expected = scores
    .map((score, ordinal) => ({ score, ordinal }))
    .filter(({ ordinal }) => accepts(ordinal))
    .sort((a, b) => b.score - a.score || b.ordinal - a.ordinal)
    .map(({ ordinal }) => ordinal)
  expect([...selectTop(board, 7, accepts)]).toEqual(expected.slice(0, 7))
  expect([...selectTop(board, 80, accepts)]).toEqual(expected)
  expect([...selectTop(board, 0, accepts)]).toEqual([])
  releaseBoard(board)
})

test('coverage is the share of the query by rarity', () => {
  const lists = scoredLists(weighted(list('a', [1]), list('b', [1, 2]), list('c', [1, 2, 3])), 10)
  const coverage = coverageOf(lists)
  expect(coverage(0)).toBe(0)
  expect(coverage(0b111)).toBeCloseTo(1, 5)
  expect(coverage(0b001)).toBeGreaterThan(coverage(0b100))
  expect(coverageOf([])(5)).toBe(0)
})

test('coverage knows the highest of 32 terms and ignores what lies beyond', () => {
  const lists = scoredLists(weighted(...Array.from({ length: 40 }, (_, index) => list(`t${index}`, [1]))), 10)
  expect(coverageOf(lists)(1 << 31)).toBeCloseTo(1 / 32, 5)
  expect(coverageOf(lists)(-1)).toBeCloseTo(1, 5)
})

test('a conversation with more of the terms, in more turns, scores more', () => {
  const conversation = Uint32Array.from([0, 0, 0, 1, 1, 2])
  const lists = scoredLists(weighted(list('tea', [0, 1, 3]), list('kyoto', [2])), 6)
  const { scores, best } = conversationScores(lists, conversation, 3)
  expect(scores[0]).toBe(best)
  expect(scores[0]).toBeGreaterThan(scores[1]!)
  expect(scores[2]).toBe(0)
  expect(conversationScores(lists, conversation, 1).best).toBe(0)
})

test('a named speaker is known by any word of the name, also one who came later', () => {
  const speakers = ['', 'Nora Jansen', '小明']
  expect([...namedSpeakers(['what', 'did', 'nora', 'say'], speakers)!]).toEqual([0, 1, 0])
  expect([...namedSpeakers(['小明'], speakers)!]).toEqual([0, 0, 1])
  expect(namedSpeakers(['ben'], speakers)).toBeNull()
  speakers.push('Ben')
  expect([...namedSpeakers(['ben'], speakers)!]).toEqual([0, 0, 0, 1])
})

test('a time matches inside its range, less in the days after, not before', () => {
  const range = [{ from: 10 * DAY_MS, to: 11 * DAY_MS, text: '', grain: 'day' as const }]
  expect(dateMatch(10.5 * DAY_MS, range)).toBe(1)
  expect(dateMatch(11 * DAY_MS + 3.5 * DAY_MS, range)).toBeCloseTo(0.5, 10)
  expect(dateMatch(9 * DAY_MS, range)).toBe(0)
  expect(isWithin(11 * DAY_MS, range)).toBe(true)
  expect(isWithin(12 * DAY_MS, range)).toBe(false)
})

test('recency halves every half-life and knows no future', () => {
  expect(recencyScore(0, 0, DAY_MS)).toBe(1)
  expect(recencyScore(0, 2 * DAY_MS, DAY_MS)).toBeCloseTo(0.25, 10)
  expect(recencyScore(5 * DAY_MS, 0, DAY_MS)).toBe(1)
})

test('the formula of 003 weighs symbol, recency and context 0.4, 0.3 and 0.3', () => {
  expect(sumOf(conversationFeatures({ symbolMatch: 1, recency: 1, contextSimilarity: 1 }))).toBeCloseTo(1, 10)
  expect(sumOf(conversationFeatures({ symbolMatch: 1, recency: 0, contextSimilarity: 0 }))).toBeCloseTo(0.4, 10)
  expect(sumOf(conversationFeatures({ symbolMatch: 0, recency: 1, contextSimilarity: 0.5 }))).toBeCloseTo(0.45, 10)
  expect(contextSimilarity(1, 1, null)).toBe(1)
  expect(contextSimilarity(1, 1, 0)).toBeLessThan(contextSimilarity(1, 1, 1))
})

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
