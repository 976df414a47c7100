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

test.each([
  ['I live in Cork, so give me suppliers in Ireland', 'I live in Cork.'],
  ['im a nail tech with sore wrists, stretches??', 'im a nail tech with sore wrists.'],
  ['自学日语两年半 卡在听力 天花板了吗', '自学日语两年半 卡在听力。'],
  ['三十八了，备孕一年多，直接上试管会不会更省时间', '三十八了，备孕一年多。'],
])('what is asked because of it is cut off: %s', (sentence, head) => {
  expect(headsOf(sentence)).toContain(head)
})

test.each(['What keeps well in a lunch box, any ideas?', '怎么缓解头疼，睡不着', 'I prefer Node 22.1 for the builds'])(
  'nothing is told before what is asked, or nothing is asked: %s',
  (sentence) => {
    expect(headsOf(sentence)).toEqual([])
  },
)
