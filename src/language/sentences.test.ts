import { expect, test } from 'vitest'
import { lastSentence, splitSentences, takingSentences } from './sentences.ts'

test('English and Chinese sentences end at their own marks', () => {
  expect(splitSentences('It works. 今天上线！真的吗？Yes! 好')).toEqual([
    'It works.',
    '今天上线！',
    '真的吗？',
    'Yes!',
    '好',
  ])
})

test('a possessive or contraction at the end of a sentence is no initial', () => {
  expect(splitSentences("I was at my mum's. Anyway, where were we?")).toEqual([
    "I was at my mum's.",
    'Anyway, where were we?',
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

test('nothing becomes of nothing', () => {
  expect(splitSentences(' \n。。。!')).toEqual([])
})

test('a run without an end is cut into pieces that a rule can read, and nothing of it is lost', () => {
  const run = 'v1.2.'.repeat(4000)
  const pieces = splitSentences(run)
  expect(pieces.join('')).toBe(run)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4000)
  const words = splitSentences('然后 我们 又 搬 了 一次 '.repeat(2000))
  expect(words.length).toBeGreaterThan(5)
  expect(words.every((piece) => /^(?:然后|我们|又|搬|了|一次)/.test(piece))).toBe(true)
  expect(splitSentences('😀'.repeat(5000)).every((piece) => piece.isWellFormed())).toBe(true)
})

test('the number of an item stays with it', () => {
  expect(splitSentences('To do: 1. Buy milk. 2. Boil it.')).toEqual(['To do: 1. Buy milk.', '2. Boil it.'])
  expect(splitSentences('要点：1. 买奶酪；2. 打发。')).toEqual(['要点：1. 买奶酪；', '2. 打发。'])
  expect(splitSentences('I am 35. She is 12. Fine.')).toHaveLength(3)
})

test.each([
  'Sure. Here is the plan:\n- boil the eggs\n- peel them\n\nDo you want a list? ',
  '好的。\n你想从哪天开始？\n---\n',
  'Try this:\n```ts\nconst a = 1\n```\nDoes it work?\n```sh\nls\n```',
  'One line, e.g. this one. And another',
  '***\n---',
])('the last sentence is the last of all: %j', (text) => {
  expect(lastSentence(text)).toBe(splitSentences(text).at(-1) ?? '')
})

test('a long text is cut, and what is to go taken out of it, in pieces', () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `Heron ${at} is here.`).join(' ')
  const asked: number[] = []
  let piece = 0
  const isToStay = (sentence: string): boolean => {
    asked[piece] = (asked[piece] ?? 0) + 1
    return sentence.endsWith('7 is here.')
  }
  const taking = takingSentences(text, (sentence) => !isToStay(sentence), '')
  let step = taking.next()
  for (; !step.done; step = taking.next()) piece += 1
  expect(splitSentences(step.value)).toHaveLength(2000)
  expect(piece).toBeGreaterThan(20)
  expect(Math.max(...asked.filter(Boolean))).toBeLessThan(3000)
})
