import { expect, test } from 'vitest'
import { rarityOf } from './common-words.ts'
import { headingsOf, topicOf } from './topic.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, namesOf: () => 1 }))
const texts = (sentence: string): readonly string[] => headingsOf(sentence, 60).map(({ text }) => text)

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a heading is a run of whole clauses; a long one ends before a link, none within a quotation or a date', () => {
  expect(texts('the leak in the garden hose is worse, and I need a new one')).toContain(
    'the leak in the garden hose is worse',
  )
  expect(texts('Could you please look for a map of tide tables?')).toEqual(['look for a map of tide tables'])
  expect(texts('We rehearsed “The Ferryman, the Fox” in the barn')).toEqual([
    'We rehearsed “The Ferryman, the Fox” in the barn',
  ])
  expect(texts("What's the best way from Ghent to Bruges on May 2, 2031?")).toEqual([
    'best way from Ghent to Bruges on May 2, 2031',
  ])
  expect(texts('Explain how the bell ringers of the old town rehearse for the harvest festival')).toEqual([
    'Explain how the bell ringers of the old town rehearse',
  ])
  expect(texts('While it rained, we tuned the organ')).not.toContain('While it rained')
})

test('a Chinese heading keeps its measure words and its 不, and leaves 帮我 outside', () => {
  expect(texts('帮我写封感谢信')).toEqual(['写封感谢信'])
  expect(texts('附近有没有不用爬坡的公园，我外公腿不好')).toContain('附近有没有不用爬坡的公园')
  expect(texts('她把唢呐吹得很响，这种声音穿得很远')).toContain('她把唢呐吹得很响')
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
