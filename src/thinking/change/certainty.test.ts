import { expect, test } from 'vitest'
import { certaintyOf } from './certainty.ts'
import { relate, weighedOf } from './relate.ts'

const said = (text: string, day: number) => ({
  text,
  who: 'user',
  occurredAt: day * 86_400_000,
  key: null,
  value: null,
})
const certainty = (newer: string, older: string): number => certaintyOf(weighedOf(said(newer, 40), said(older, 1)))

test.each([
  ['I sold the cello.', 'I play the cello in a trio.', 'The cello case is blue.'],
  ['钢琴课退了', '每周三上钢琴课', '楼下在修水管'],
])('after "%s" it is less certain of "%s" than of another thing', (newer, meant, other) => {
  expect(certainty(newer, meant)).toBeGreaterThan(certainty(newer, other))
})

test('two values of one attribute need no further evidence', () => {
  expect(relate(said('My locker code is 5521.', 40), said('My locker code is 9034.', 1)).relation).toBe('supersedes')
})

test('what shares nothing is left alone', () => {
  expect(relate(said('I sold the cello.', 40), said('Our office is on the third floor.', 1)).relation).toBe('none')
  expect(relate(said('钢琴课退了', 40), said('项目用 Postgres 16', 1)).relation).toBe('none')
})
