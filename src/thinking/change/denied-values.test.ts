import { expect, test } from 'vitest'
import { deniedIn, GIVES_ONE, givesValue } from './statement.ts'

test.each([
  ['It is every 30, not 60.', ['60']],
  ['No stent, it is a pacemaker.', ['stent']],
  ["Her name isn't Katerina.", ['Katerina']],
  ['不是周三，是周五', ['周三']],
  ['I am not sure about that.', []],
  ['It does not have to be today.', []],
])('"%s" denies %j', (text, denied) => {
  expect(deniedIn(text)).toEqual(denied)
})

test('a value stands in a text as a word of its own', () => {
  expect(givesValue('The timer fires every 60 seconds.', '60')).toBe(true)
  expect(givesValue('The timer fires every 600 seconds.', '60')).toBe(false)
  expect(givesValue('体检约在周三上午', '周三')).toBe(true)
})

test('a text may begin by giving a value for something that it does not name', () => {
  expect(GIVES_ONE.test("It's the left ankle, I misheard.")).toBe(true)
  expect(GIVES_ONE.test('原来是脚踝')).toBe(true)
  expect(GIVES_ONE.test('The left ankle hurts.')).toBe(false)
})
