import { expect, test } from 'vitest'
import { rarityOf } from './common-words.ts'
import { phrasesOf } from './phrases.ts'
import { topicOf } from './topic.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, names: true }))
const texts = (sentence: string): readonly string[] =>
  phrasesOf(sentence).flatMap(({ text, whole }) => (whole ? [text] : []))

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a phrase is never cut before its last word, before "of", or over the border of a clause', () => {
  expect(texts('the leak in the garden hose, and my bicycle')).toEqual(
    expect.arrayContaining(['leak in the garden hose', 'leak', 'garden hose', 'bicycle']),
  )
  expect(texts('the leak in the garden hose')).not.toContain('leak in the garden')
  expect(texts('a map of tide tables')).not.toContain('map')
  expect(texts('the harvest festival Omar suggested a year ago')).toContain('harvest festival')
})

test('a Chinese phrase runs to the end of its clause, without the words that lead to it', () => {
  expect(texts('我在找环湖骑行的路线')).toContain('找环湖骑行的路线')
  for (const text of texts('我打算和你一起修自行车吗')) expect(text).not.toMatch(/[我你吗]/)
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

test('words that come again name the topic: an aside of one turn does not, nor does half of a compound', () => {
  const chat = said(
    '我和苏州的阿丽合作很久，想给小程序改按钮的点击反馈。',
    '按钮的点击反馈要快。',
    '那小程序上线后，点击反馈怎么测？',
  )
  const topic = topicOf(chat, 60)?.text ?? ''
  expect(topic).toMatch(/点击反馈/)
  expect(topic).not.toMatch(/阿丽|^击/)
  expect(texts('昨天在湖边待久了')).not.toContain('湖边待久')
  expect(texts('我在规划一条环湖的路线')).toContain('环湖的路线')
})
