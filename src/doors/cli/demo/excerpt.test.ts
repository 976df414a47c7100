import { expect, test } from 'vitest'
import { excerpt, matchPattern } from '../commands/demo.ts'

const LONG = `${'We talked about the weather and the plans for summer. '.repeat(6)}Then processPayment failed again in staging, \
and we rolled it back. ${'Nothing else happened that day at all. '.repeat(4)}`

test('a short turn is shown whole, on one line', () => {
  expect(excerpt('决定：\n使用互斥锁', [], 40)).toBe('决定： 使用互斥锁')
})

test('a long turn is shown around what matched, cut at words', () => {
  const shown = excerpt(LONG, ['processPayment'], 120)
  expect(shown).toContain('processPayment failed again')
  expect(shown.length).toBeLessThanOrEqual(122)
  expect(shown).toMatch(/^….*…$/)
})

test('without a match a long turn is shown from its beginning', () => {
  expect(excerpt(LONG, [], 60)).toBe('We talked about the weather and the plans for summer. We…')
})

test('an emoji is never cut in two', () => {
  expect(excerpt('😀'.repeat(100), [], 51).isWellFormed()).toBe(true)
})

test('a Latin stem marks the whole word, Han terms exactly, and signs of a pattern are only text', () => {
  expect('Payments were paid'.match(matchPattern(['payment']) ?? '')?.[0]).toBe('Payments')
  expect('repayment'.match(matchPattern(['payment']) ?? '')).toBeNull()
  expect('缓存层的缓存'.match(matchPattern(['缓存']) ?? '')).toEqual(['缓存', '缓存'])
  expect('a.b axb'.match(matchPattern(['a.b']) ?? '')).toEqual(['a.b'])
  expect(matchPattern(['', ' '])).toBeNull()
})
