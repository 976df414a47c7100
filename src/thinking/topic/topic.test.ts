import { expect, test } from 'vitest'
import { rarityOf } from './common-words.ts'
import { headingsOf } from './headings.ts'
import { topicOf } from './topic.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, namesOf: () => 1 }))
const texts = (sentence: string): readonly string[] => headingsOf(sentence, 60).map(({ text }) => text)

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a headline is a thing with what belongs to it: no verb of a request, no person, none within a quotation or a date', () => {
  for (const [sentence, headline] of [
    ['I was wondering about the leak in the garden hose, and I need a new one', 'leak in the garden hose'],
    ['Could you please look for a map of tide tables?', 'map of tide tables'],
    ['We rehearsed “The Ferryman, the Fox” in the barn', 'Ferryman'],
    ['How do I prune an old apple tree?', 'How to prune an old apple tree'],
    ['What walks would you recommend for a rainy weekend?', 'walks for a rainy weekend'],
    ['I worry about the requirements for a valid will', 'requirements for a valid will'],
    ['Write a script that renames every photo', 'script that renames every photo'],
    ['Our ferry was cancelled', 'ferry was cancelled'],
  ] as const)
    expect(texts(sentence).join('|'), sentence).toContain(headline)
  expect(texts('While it rained, we tuned the organ')).toEqual(['organ'])
})

test('a Chinese headline is a run of whole clauses, parted by marks or gaps; it keeps its 不 and leaves 帮我 outside', () => {
  expect(texts('帮我写封感谢信')).toEqual(['写封感谢信'])
  expect(texts('附近有没有不用爬坡的公园，我外公腿不好')).toContain('附近有没有不用爬坡的公园')
  expect(texts('她把唢呐吹得很响，这种声音穿得很远')).toContain('她把唢呐吹得很响')
  expect(texts('我外婆周三来扬州住半个月 她眼睛刚做过手术')).toContain('我外婆周三来扬州住半个月')
})

test('what comes again in other turns is the topic; nothing said is none', () => {
  expect(
    topicOf(said('A kestrel nests above our balcony.', 'Bread is rising.', 'Does a kestrel mind noise?'), 60)?.text,
  ).toContain('kestrel')
  expect(topicOf([], 60)).toBeNull()
  expect(topicOf(said('the and of 的了吗', '!!! 123'), 60)).toBeNull()
})

test('a topic keeps its bound, and a very long text is read in time that grows with its length only', () => {
  for (const text of ['word '.repeat(20_000), '灯塔透镜'.repeat(5_000), 'a, '.repeat(20_000), 'x'.repeat(50_000)])
    expect([...(topicOf(said(text.slice(0, 600)), 60)?.text ?? '')].length).toBeLessThanOrEqual(60)
})

test('words that come again name the topic: an aside of one turn does not', () => {
  const chat = said(
    '我和苏州的阿丽合作很久，想给小程序改按钮的点击反馈。',
    '按钮的点击反馈要快。',
    '那小程序上线后，点击反馈怎么测？',
  )
  expect(topicOf(chat, 60)?.text).toMatch(/点击反馈/)
})
