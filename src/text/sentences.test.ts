import { expect, test } from 'vitest'
import { splitSentences } from './sentences.ts'

test('English and Chinese sentences end at their own marks', () => {
  expect(splitSentences('It works. 今天上线！真的吗？Yes! 好')).toEqual([
    'It works.',
    '今天上线！',
    '真的吗？',
    'Yes!',
    '好',
  ])
})

test('abbreviations, decimals, versions and file names end nothing', () => {
  expect(splitSentences('Dr. Smith runs v3.11 of app.ts, e.g. at home. Fine.')).toEqual([
    'Dr. Smith runs v3.11 of app.ts, e.g. at home.',
    'Fine.',
  ])
})

test('a shortened word may end a sentence, or not: what follows tells', () => {
  expect(splitSentences('Capt. J. P. Rojas retires in Jan. and moves to the U.S. for good.')).toHaveLength(1)
  expect(splitSentences('I finished at 5 p.m. I was tired.')).toHaveLength(2)
  expect(splitSentences('Open till 5 p.m. on weekdays, bus No. 5 stops here.')).toHaveLength(1)
  expect(splitSentences('She said no. I asked again.')).toHaveLength(2)
})

test('closing quotes belong to their sentence', () => {
  expect(splitSentences('他说：“走吧。”然后走了。')).toEqual(['他说：“走吧。”', '然后走了。'])
})

test('blocks of code are left out, also unclosed ones, and lines end sentences', () => {
  expect(splitSentences('Before\n```js\na.b(). c\n```\nAfter')).toEqual(['Before', 'After'])
  expect(splitSentences('Before ```let a = 1. b')).toEqual(['Before'])
})

test('marks within an address or a password end nothing', () => {
  expect(splitSentences('The database is postgres://ann:secret!@db:5432/app?x=1. Fine!')).toEqual([
    'The database is postgres://ann:secret!@db:5432/app?x=1.',
    'Fine!',
  ])
})

test('nothing becomes of nothing, and a megabyte is one sentence', () => {
  expect(splitSentences(' \n。。。!')).toEqual([])
  expect(splitSentences('字'.repeat(1_000_000))).toHaveLength(1)
})

test('the number of an item stays with it', () => {
  expect(splitSentences('To do: 1. Buy milk. 2. Boil it.')).toEqual(['To do: 1. Buy milk.', '2. Boil it.'])
  expect(splitSentences('要点：1. 买奶酪；2. 打发。')).toEqual(['要点：1. 买奶酪；', '2. 打发。'])
  expect(splitSentences('I am 35. She is 12. Fine.')).toHaveLength(3)
})
