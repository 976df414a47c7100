import { expect, test } from 'vitest'
import { watchReadings } from '../../domain/read-once.ts'
import { indexTerms } from '../../language/terms.ts'
import { excerptOf, LEFT_OUT, Shown, withoutRepeats } from './excerpt.ts'

const LONG = [
  'We spent the whole weekend at the lake with my brother and his dog.',
  'The weather was mild and we had coffee on the pier in the morning.',
  'My brother told me that he has sold the old sailing boat to a neighbour.',
  'In the evening we cooked pasta and played cards until midnight.',
].join(' ')
const ASKS_FOR_BOAT = new Map([
  ['boat', 5],
  ['sold', 4],
])

test('a sentence was shown where its letters stand in a shown one, and repeats where they stand twice', () => {
  let seed = 7
  const letters = (length: number): string =>
    Array.from({ length }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return 'ab旧'[seed % 3]!
    }).join('')
  const sentence = (key: string) => ({ key, told: key, isAsked: false })
  const counts = [0, 0, 0]
  for (let round = 0; round < 40; round += 1) {
    const [first, second] = [letters(60), letters(60)]
    const said = [first, second, first.slice(20, 40) + second.slice(10, 30)]
    const shown = new Shown()
    shown.addSentences(said.map(sentence))
    for (const told of [letters(10), first.slice(4, 16), second.slice(12, 26)]) {
      const places = said.join('\n').match(new RegExp(`(?=${told})`, 'g'))?.length ?? 0
      expect([shown.has(sentence(told)), shown.repeats(sentence(told))]).toEqual([places > 0, places > 1])
      counts[Math.min(2, places)]! += 1
    }
  }
  expect(counts.map((count) => count > 20)).toEqual([true, true, true])
})

test('a question hides the questions that it holds, and no statement', () => {
  const shown = new Shown()
  shown.add('I repair my boat alone, can you help me with that?')
  const part = { key: 'canyouhelpmewiththat', told: 'canyouhelpmewiththat', isAsked: true }
  expect([shown.has(part), shown.has({ ...part, isAsked: false })]).toEqual([true, false])
})

test('a short text is shown whole', () => {
  expect(excerptOf('He sold the boat.', ASKS_FOR_BOAT, 50, new Shown())).toMatchObject({
    text: 'He sold the boat.',
    isPart: false,
  })
})

test('of a long text the sentences that answer are shown, whole and marked', () => {
  const excerpt = excerptOf(LONG, ASKS_FOR_BOAT, 20, new Shown())!
  expect(excerpt.isPart).toBe(true)
  expect(excerpt.text).toBe(
    `${LEFT_OUT} My brother told me that he has sold the old sailing boat to a neighbour. ${LEFT_OUT}`,
  )
})

test('with more room, what stands beside the answer comes along', () => {
  const { text } = excerptOf(LONG, ASKS_FOR_BOAT, 40, new Shown())!
  expect(text).toContain('sailing boat')
  expect(text.split(/(?<=\.)\s/).length).toBeGreaterThanOrEqual(2)
})

test('Chinese sentences are chosen like English ones', () => {
  const told = `周末我们全家去了湖边。早上在码头喝了咖啡，天气很好。弟弟说他把那条旧帆船卖给邻居了。晚上我们一起做了意大利面。`
  const { text } = excerptOf(told, new Map([['帆船', 5]]), 20, new Shown())!
  expect(text).toContain('弟弟说他把那条旧帆船卖给邻居了。')
  expect(text).not.toContain('意大利面')
})

test('code is cut between its lines', () => {
  const code = [
    'Here is the function:',
    '```ts',
    ...Array.from({ length: 60 }, (_, n) => `const value${n} = compute(${n})`),
    '```',
  ].join('\n')
  const { text } = excerptOf(code, new Map([['value41', 5]]), 40, new Shown())!
  expect(text).toContain('const value41 = compute(41)')
  for (const line of text.split('\n').filter((one) => one.startsWith('const'))) expect(line).toMatch(/compute\(\d+\)/)
})

test('what was shown is not shown again, and a text of nothing else not at all', () => {
  const shown = new Shown()
  shown.add('He sold the old sailing boat to a neighbour.')
  expect(excerptOf('He sold the old sailing boat to a neighbour!', ASKS_FOR_BOAT, 50, shown)).toBeNull()
  const more = excerptOf(
    'He sold the old sailing boat to a neighbour. The buyer is called Ines.',
    new Map([['buyer', 3]]),
    50,
    shown,
  )
  expect(more!.text).toBe(`${LEFT_OUT} The buyer is called Ines.`)
})

test('a short answer that stood elsewhere is part of a longer text all the same', () => {
  const shown = new Shown()
  shown.add('Yes.')
  expect(excerptOf('Yes. We sold it in May.', ASKS_FOR_BOAT, 50, shown)!.text).toBe('Yes. We sold it in May.')
})

test('a text of a megabyte without a sentence costs no more than its beginning', () => {
  expect(excerptOf('x'.repeat(1_000_000), ASKS_FOR_BOAT, 50, new Shown())).toBeNull()
  expect(excerptOf(`The boat. ${'word '.repeat(200_000)}`, ASKS_FOR_BOAT, 50, new Shown())!.text.length).toBeLessThan(
    300,
  )
})

test('a quotation counts as said behind another label, and a list item behind another number', () => {
  const shown = new Shown()
  shown.add('- **Example**: "I need to finish the report by Friday."\n2. Confirm the booking')
  expect(excerptOf('**You**: "I need to finish the report by Friday."', ASKS_FOR_BOAT, 50, shown)).toBeNull()
  expect(excerptOf('7. Confirm the booking', ASKS_FOR_BOAT, 50, shown)).toBeNull()
  expect(excerptOf('- **May 8:** finish the report by Friday', ASKS_FOR_BOAT, 50, shown)).not.toBeNull()
})

test('an excerpt loses a sentence that a later text says within a longer one, also between gaps', () => {
  const shown = new Shown()
  const letter =
    '```\nDear Ann, I sold the boat. We meet in June at noon. Yours\n```\nIs that a good letter, in your view?'
  const excerpt = excerptOf(letter, ASKS_FOR_BOAT, 18, shown)!
  shown.addSentences(excerpt.parts)
  expect(withoutRepeats(letter, excerpt, shown)).toBe(excerpt)
  shown.add('My wife says: dear Ann, I sold the boat, and I am sorry.')
  expect(withoutRepeats(letter, excerpt, shown)!.text).not.toContain('sold')
})

test('a line that a long text repeats is shown once', () => {
  const code = ['```ts', ...Array.from({ length: 30 }, (_, n) => `save(${n})\nsearchBox.handleInput()`), '```'].join(
    '\n',
  )
  const { text } = excerptOf(code, new Map([['searchbox', 5]]), 60, new Shown())!
  expect(text.split('searchBox.handleInput()')).toHaveLength(2)
})

test('the end of a very long text is read where it answers', () => {
  const filler = 'The harbour was quiet and grey. '.repeat(30_000)
  const text = `My boat is called Petrel. ${filler}My locker code word is marmalade. ${filler}`
  const gains = new Map([...indexTerms('locker code word').keys()].map((term) => [term, 3]))
  expect(excerptOf(text, gains, 60, new Shown())?.text).toContain('My locker code word is marmalade.')
})

test('an excerpt of a megabyte reads its sentences to a bound', () => {
  const sentences = Array.from({ length: 20_000 }, (_, at) => `The keeper of pier ${at} sold his boat to a friend. `)
  const read: number[] = []
  const stop = watchReadings((_, text) => read.push(text.length))
  try {
    expect(excerptOf(sentences.join(''), ASKS_FOR_BOAT, 60, new Shown())).not.toBeNull()
  } finally {
    stop()
  }
  expect(read.length).toBeGreaterThan(0)
  expect(read.reduce((sum, one) => sum + one, 0)).toBeLessThan(200_000)
})
