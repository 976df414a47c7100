import { expect, test } from 'vitest'
import { headsOf } from './without-tail.ts'

test.each([
  ["I'm a big fan of pottery - it is so calming.", "I'm a big fan of pottery."],
  ['I swim before work, which keeps me sane.', 'I swim before work.'],
  ['We run a small bakery in Faro and it has been great!', 'We run a small bakery in Faro.'],
])('what only judges is cut off at its clause: %s', (sentence, head) => {
  expect(headsOf(sentence)).toContain(head)
})

test.each([
  'I like long hikes - but only in the summer.',
  'I love the sea and I no longer swim in it.',
  'I drink tea and coffee.',
])('what takes back, or belongs to it, is not: %s', (sentence) => {
  expect(headsOf(sentence)).toEqual([])
})
