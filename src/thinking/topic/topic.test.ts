import { expect, test } from 'vitest'
import { rarityOf } from './common-words.ts'
import { clausesOf, phrasesOf } from './headings.ts'
import { BETWEEN, topicOf } from './topic.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, namesOf: () => 1 }))
const phrases = (sentence: string): readonly string[] => phrasesOf(sentence).map(({ text }) => text)
const clauses = (sentence: string): readonly string[] => clausesOf(sentence, 60).map(({ text }) => text)

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a phrase holds words of content, joined by "of" and the like: no pronoun, no date, no auxiliary but a noun', () => {
  for (const [sentence, phrase] of [
    ['I was wondering about the leak in the garden hose, and I need a new one', 'leak in the garden hose'],
    ['I worry about the requirements for a valid will', 'requirements for a valid will'],
    ['The organ was tuned on Tuesday in March', 'organ'],
    ['我们想给小程序改按钮的点击反馈', '按钮的点击反馈'],
  ] as const)
    expect(phrases(sentence), sentence).toContain(phrase)
  expect(phrases('It may be that on Tuesday in March they will')).toEqual([])
})

test('a clause is whole, parted by marks or gaps; it keeps its 不 and leaves 帮我 outside', () => {
  expect(clauses('帮我写封感谢信')).toEqual(['写封感谢信'])
  expect(clauses('附近有没有不用爬坡的公园，我外公腿不好')).toContain('附近有没有不用爬坡的公园')
  expect(clauses('我外婆周三来扬州住半个月 她眼睛刚做过手术')).toContain('我外婆周三来扬州住半个月')
  expect(clauses('Could you please tune the organ?')).toEqual(['tune the organ'])
  expect(clauses('She said "hello, organ')).toEqual([])
})

test.each([
  ['我刚刚给阳台装好了滴灌系统', '给阳台装好了滴灌系统'],
  ['昨晚我们终于把老钢琴搬进客厅了', '把老钢琴搬进客厅'],
  ['我的阳台最近总是漏水', '我的阳台最近总是漏水'],
  ['Last week I sold my first quilt', 'sold my first quilt'],
  ['My quilts sold out last week', 'My quilts sold out last week'],
])('a clause leaves out who tells it and when, in front: %s', (sentence, clause) => {
  expect(clauses(sentence)).toEqual([clause])
})

test('a clause stands alone; where little comes again, a second one of other words stands beside it', () => {
  expect(clauses('First, the ferry leaves at nine')).toEqual(['the ferry leaves at nine'])
  expect(topicOf(said('小区今晚停水。', '猫把花盆打翻了。'), 60)?.parts.toSorted()).toEqual([
    '小区今晚停水',
    '猫把花盆打翻了',
  ])
})

test('a phrase begins with no verb of a subject in front of it', () => {
  const { parts } = topicOf(
    said(
      'Which lens fits our camera? It matches our camera bag.',
      'The one that it matches; it matches our camera bag.',
    ),
    60,
  )!
  expect(parts.join()).not.toMatch(/^matches/)
})

test('what comes again in other turns is the topic; nothing said is none', () => {
  expect(
    topicOf(said('A kestrel nests above our balcony.', 'Bread is rising.', 'Does a kestrel mind noise?'), 60)?.parts[0],
  ).toContain('kestrel')
  expect(topicOf([], 60)).toBeNull()
  expect(topicOf(said('the and of 的了吗', '!!! 123'), 60)).toBeNull()
})

test('a topic keeps its bound, and a very long text is read in time that grows with its length only', () => {
  for (const text of ['word '.repeat(20_000), '灯塔透镜'.repeat(5_000), 'a, '.repeat(20_000), 'x'.repeat(50_000)])
    expect([...(topicOf(said(text.slice(0, 600)), 60)?.parts.join(BETWEEN) ?? '')].length).toBeLessThanOrEqual(60)
})

test('a second phrase that comes again is named beside the first, an aside of one turn is not', () => {
  const { parts } = topicOf(
    said(
      'I keep bees on our roof and need a winter cover.',
      'A winter cover of wool keeps bees dry.',
      'My aunt is a diver. And the honey extractor, where can I rent it?',
      'A honey extractor can be rented at the club.',
      'Is the honey extractor heavy? And must the winter cover breathe?',
    ),
    60,
  )!
  expect(parts).toEqual(['A honey extractor can be rented at the club', 'winter cover'])
})
