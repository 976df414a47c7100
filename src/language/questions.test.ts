import { expect, test } from 'vitest'
import { asksInGeneral, asksOfSelf, asksOfThePast, isOfSelf, isQuestion, ordersToMake } from './questions.ts'

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
  'When is the harbour open.',
  'when we should leave',
  'What am I to do with the boat.',
])('asks: %s', (text) => {
  expect(isQuestion(text)).toBe(true)
})

test.each([
  '',
  'ok thanks',
  'What a day',
  'How nice',
  'When I was young, I ran.',
  'When I sail north I take two anchors',
  'What we truly dislike is dill.',
  'do it now',
  'and had surgery.',
  'has always been kind to me',
  'was important to us',
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

test.each([
  ['How much money can I spend on her in all?', true],
  ["What's the name of my boat and where is she moored?", true],
  ['Did I buy a new mainsail?', true],
  ['Who is upset with us and why?', true],
  ['婴儿车是谁送我的？', true],
  ['我的产检现在是哪个医生，哪天去？', true],
  ['How do I convert miles to kilometres?', false],
  ['What should I cook tonight?', false],
  ['Can I mix bleach and vinegar?', false],
  ['What is a quaternion?', false],
  ['I like the sea. What is salt made of?', false],
  ['给我讲讲彩虹是怎么来的', false],
  ['我想知道水为什么会结冰', false],
  ['谁写了红楼梦？', false],
])('%s asks about the one who asks: %s', (text, asks) => {
  expect(asksOfSelf(text)).toBe(asks)
})

test.each([
  ['What is a marsupial?', true],
  ['How do kites stay up?', true],
  ['什么是潮汐？', true],
  ['How did the launch go?', false],
  ['Who keeps bees?', false],
  ['What should I plant?', false],
  ['Where does she teach?', false],
  ['What is wrong with the kiln?', false],
  ['我的船停在哪？', false],
  ['她住哪儿？', false],
  ['Kites stay up.', false],
  ['visa expiry?', false],
])('%s asks about a kind of thing: %s', (text, general) => {
  expect(asksInGeneral(text)).toBe(general)
})

test.each([
  ['Draft a note to my landlord', true, true],
  ['Could you suggest a present for us?', false, true],
  ['Suggest a present', true, false],
  ['tell me how tides work', false, false],
  ['帮我写一封辞职信', true, false],
  ['给我妈挑件礼物', true, false],
  ['My landlord wrote again', false, true],
])('%s orders something to be made: %s; is about the one who writes: %s', (text, orders, own) => {
  expect(ordersToMake(text)).toBe(orders)
  expect(isOfSelf(text)).toBe(own)
})
