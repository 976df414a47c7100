import { expect, test } from 'vitest'
import { asksOfThePast, isQuestion } from './questions.ts'

test.each([
  'What is it?',
  'when did we meet',
  'I like it. Do you?',
  'Really? 😀',
  'so how do I deploy this',
  '吃饭了吗',
  '怎么部署',
  '他在做什么呢。',
  '能不能帮我看下',
  '真的？',
  '你住哪里',
  'OrderService 为什么慢',
])('asks: %s', (text) => {
  expect(isQuestion(text)).toBe(true)
})

test.each([
  '',
  'ok thanks',
  'What a day',
  'How nice',
  'When I was young, I ran.',
  'do it now',
  '你好',
  '我不知道什么',
  '已经部署了。',
  'Is it late? Yes.',
  '\ud800',
])('does not ask: %s', (text) => {
  expect(isQuestion(text)).toBe(false)
})

test('only the end of a long text is looked at', () => {
  expect(isQuestion(`${'What? '.repeat(200_000)}No.`)).toBe(false)
})

test.each([
  ['What did the surveyor find?', true],
  ['So who was she?', true],
  ['Which of the two offers had we taken?', true],
  ['Didn’t I sell the kayak?', true],
  ['What is the harbour fee?', false],
  ['I was there, what now?', false],
  ['How do I mend what was broken?', false],
])('%s asks of the past: %s', (text, asks) => {
  expect(asksOfThePast(text)).toBe(asks)
})
