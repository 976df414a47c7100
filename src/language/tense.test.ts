import { expect, test } from 'vitest'
import { tenseAt } from './tense.ts'

const DAY = /on \w+day|December 3|in June|十二月三号/

test.each([
  ['I saw the dentist on Monday.', 'past'],
  ['What did we paint in June?', 'past'],
  ['We painted the fence in June.', 'past'],
  ['我十二月三号去了杭州', 'past'],
  ['I will see the dentist on Monday.', 'future'],
  ['The ferry leaves early. She is moving in June!', 'future'],
  ["We were late. I'm seeing her on Friday", 'future'],
  ['我十二月三号要去杭州', 'future'],
  ['Our wedding day is December 3.', 'present'],
  ['婚礼是十二月三号', 'present'],
  ['Party on Sunday', null],
] as const)('%s: %s', (text, tense) => {
  const { index, 0: date } = DAY.exec(text)!
  expect(tenseAt(text, index, index + date.length)).toBe(tense)
})
