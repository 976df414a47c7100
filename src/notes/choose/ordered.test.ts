import { expect, test } from 'vitest'
import { isOrdered } from './ordered.ts'

test.each([
  'Please remember that I work from Faro on Fridays.',
  'Could you hang on to this one? Mr Duarte in room 9 only answers to Tito.',
  'Add to your notes, the cash and carry is Wednesdays 6am',
  '小本本记上：下周四大的打疫苗',
  '登记：西门道闸遥控放门房抽屉',
])('is asked for: %s', (message) => {
  expect(isOrdered(message)).toBe(true)
})

test.each([
  "I can't remember where I put my keys.",
  'I’ll always remember that summer in Crete.',
  'Remember that goal in the final? He ran half the field.',
  'Sure thing! I can write it down for you and mail it.',
  'Remember that staying positive is very important. Rock on!',
  '我记得昨天关了灯。',
  '这首歌我会一直记住的。',
])('is not: %s', (message) => {
  expect(isOrdered(message)).toBe(false)
})
