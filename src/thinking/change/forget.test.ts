import { expect, test } from 'vitest'
import { isForgotten, toForget } from './forget.ts'

const said = (text: string) => ({ text, who: 'user', occurredAt: 0, key: null, value: null })

test.each([
  ['Please forget that I play the oboe.', 'I play the oboe'],
  ['Forget my locker number', 'my locker number'],
  ['把我的生日忘掉', '我的生日'],
  ['忘掉我住在泉州', '我住在泉州'],
])('"%s" names what is to be forgotten', (text, what) => {
  expect(toForget(text)).toBe(what)
})

test('an order that names nothing means nothing', () => {
  expect(toForget('Forget it.')).toBeNull()
  expect(toForget('忘掉这个吧')).toBeNull()
})

test.each(['我怕时间久了会忘记这些细节。', '我总把伞忘了。', '别忘了带伞。'])(
  'who tells of forgetting orders nothing: "%s"',
  (text) => {
    expect(toForget(text)).toBeNull()
  },
)

test('the memory that makes the statement is meant, and no other', () => {
  expect(isForgotten(said('I play the oboe'), said('I play the oboe in a quartet.'))).toBe(true)
  expect(isForgotten(said('I play the oboe'), said('I play tennis.'))).toBe(false)
  expect(isForgotten(said('I live in Graz'), said('My uncle lives in Graz.'))).toBe(false)
  expect(isForgotten(said('我住在泉州'), said('我住在泉州西街'))).toBe(true)
  expect(isForgotten(said('我住在泉州'), said('我养了一只鹦鹉'))).toBe(false)
})

test('of an attribute every value is meant', () => {
  expect(isForgotten(said('my phone number'), said('My phone number is 0664 1234.'))).toBe(true)
  expect(isForgotten(said('my phone number'), said('My shoe size is 43.'))).toBe(false)
})
