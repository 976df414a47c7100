import { expect, test } from 'vitest'
import { speaksOfPreference, wishesOfReplies } from './preference.ts'

test.each([
  '我喜欢喝茶',
  '她讨厌香菜',
  '我更愿意用 Vim',
  '我对花生过敏',
  '我平时爱听爵士',
  'I like tea',
  'I really love hiking',
  'We prefer tabs',
  'what is my favourite tea?',
  'do you like jazz',
  "I can't stand mornings",
  'My preference is dark mode',
  "I don't like mushrooms",
  'I am a big fan of jazz',
  '我超爱爬山',
])('speaks of taste: %s', (text) => {
  expect(speaksOfPreference(text)).toBe(true)
})

test.each([
  'it looks like rain',
  "I'd like to know the port",
  'the bug is like this',
  '今天部署失败了',
  'processPayment 报错',
  'Something like that',
  '我爱人在医院上班',
])('speaks of no taste: %s', (text) => {
  expect(speaksOfPreference(text)).toBe(false)
})

test.each([
  ['Please keep your replies brief.', true],
  ['Right, and could you avoid jargon in your explanations?', true],
  ['Please keep this answer short.', false],
  ['Thanks for your answers!', false],
  ['解释得短一点', true],
  ['解释得非常清楚，我心里有底了', false],
  ['Please write a short answer to my landlord.', false],
])('"%s" is a wish about all replies: %s', (sentence, is) => {
  expect(wishesOfReplies(sentence)).toBe(is)
})
