import { expect, test } from 'vitest'
import { forbidsKeeping } from './order-words.ts'

test.each([
  'Don’t remember this: my locker combination is 31-7-12.',
  "I'm seeing a therapist, please don't write that down.",
  'Off the record, we are going to sell the company.',
  'Forget what I said about my brother.',
  '别记：我下个月要离职',
  '这件事不要保存，我在看心理医生。',
  '请忘掉我的电话号码。',
  '你把我刚才的话忘了吧',
])('nothing of "%s" may be kept', (message) => {
  expect(forbidsKeeping(message)).toBe(true)
})

test.each([
  "Don't forget that I need a vegan menu.",
  '别忘了我周五不上班',
  'We do not store passwords in plain text.',
  "I don't remember the name of the street.",
  'Do you store this somewhere?',
  '日志不要记录用户的手机号，这是我们的规范',
  'I never keep receipts.',
  '我姐夫昨天把自己公司的车牌忘了',
])('"%s" forbids nothing', (message) => {
  expect(forbidsKeeping(message)).toBe(false)
})
