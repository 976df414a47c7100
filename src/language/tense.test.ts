import { expect, test } from 'vitest'
import { beginsAt, tenseAt } from './tense.ts'

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
  ['我报了十二月三号的比赛', null],
  ['Party on Sunday', null],
] as const)('%s: %s', (text, tense) => {
  const { index, 0: date } = DAY.exec(text)!
  expect(tenseAt(text, index, index + date.length)).toBe(tense)
})

test.each([
  ["In June, I'm moving to Porto.", 'Porto', true],
  ['我四月搬到绍兴', '绍兴', true],
  ['I moved to Porto, and in June we get married.', 'Porto', false],
  ['I live in Porto, and in June we get married.', 'Porto', false],
  ['I work at Volvo until June.', 'Volvo', false],
  ['我住在绍兴，四月办婚礼', '绍兴', false],
])('a value begins at the date of its own clause: %s', (text, value, expected) => {
  expect(beginsAt(text, value, /(?:until |in )?June|四月/i.exec(text)![0])).toBe(expected)
})

test.each([
  ["We've leased the barn from June.", null],
  ["I've left the bakery, teaching pottery from home in June.", null],
  ['Our insurance ends in June.', 'future'],
  ['The housewarming is planned for June.', 'future'],
  ["We've had the barn from June until August.", 'past'],
  ['We had the barn from June.', 'past'],
])('what is agreed begins at its date: %s', (text, tense) => {
  const start = text.indexOf('June')
  expect(tenseAt(text, start, start + 4)).toBe(tense)
})
