import { distance } from 'fastest-levenshtein'
import { expect, test } from 'vitest'
import { editSimilarity, spelledOut } from './spelling.ts'

test.each([
  ['im vegan and my gf isnt, pls note', "i'm vegan and my girlfriend isn't, please note"],
  ['Ive moved in w/ Ann, thats new', "I've moved in with Ann, that's new"],
  ['we were ill; the id and its ant cant', "we were ill; the id and its ant can't"],
])('%s', (text, full) => {
  expect(spelledOut(text)).toBe(full)
})

test.each(['u.s. ships', 'mail im@x.org', 'src/im/dont.ts', 'The CAN bus', '我用pls文件夹'])('stays: %s', (text) => {
  expect(spelledOut(text)).toBe(text)
})

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
