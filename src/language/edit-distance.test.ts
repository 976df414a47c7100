import { distance } from 'fastest-levenshtein'
import { expect, test } from 'vitest'
import { editSimilarity } from './spelling.ts'

const LONG = Array.from({ length: 900 }, (_, at) => `第 ${at} 行 line ${at * 7}. `).join('')

test('long texts that differ in one place are as alike as their letters say', () => {
  const other = LONG.replace('第 400 行', '第 400 行，改过的一行')
  expect(editSimilarity(LONG, other)).toBe(1 - distance(LONG, other) / other.length)
  expect(editSimilarity(LONG, LONG)).toBe(1)
  expect(editSimilarity(LONG, '')).toBe(0)
  expect(editSimilarity('', '')).toBe(1)
})

test('long texts that differ everywhere are never taken for more alike than they are', () => {
  const other = [...LONG].reverse().join('')
  expect(editSimilarity(LONG, other)).toBeLessThanOrEqual(1 - distance(LONG, other) / LONG.length)
  const shorter = LONG.slice(3, 7000)
  const exact = 1 - distance(LONG, shorter) / LONG.length
  expect(editSimilarity(LONG, shorter)).toBeLessThanOrEqual(exact)
})
