import { expect, test } from 'vitest'
import { rarityOf } from './common-words.ts'
import { phrasesOf } from './phrases.ts'
import { topicOf } from './topic.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, names: () => 1 }))
const texts = (sentence: string): readonly string[] => phrasesOf(sentence, 60).map(({ text }) => text)

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a phrase is never cut before its last word, before "of", inside a quotation or over the border of a clause', () => {
  expect(texts('the leak in the garden hose, and my bicycle')).toEqual([
    'leak',
    'leak in the garden hose',
    'garden hose',
    'bicycle',
  ])
  expect(texts('I looked for a map of tide tables')).toEqual(['map', 'map of tide tables', 'tide tables'])
  expect(texts('the harvest festival we visited a year ago')).toContain('harvest festival')
  expect(texts('We rehearsed “The Ferryman, the Fox” in the barn')).toContain(
    'rehearsing “The Ferryman, the Fox” in the barn',
  )
  expect(texts('the notion of free will in Greek tragedy')).toContain('notion of free will in Greek tragedy')
  expect(texts('he tuned his organ and repaired my bellows')).not.toContain('organ and repaired')
  expect(texts('turning the bonus down and wondering')).not.toContain('turning the bonus down and wondering')
  expect(texts('the bell ringers and discussed a new rope')).not.toContain('bell ringers and discussed')
  expect(texts('my new head baker post starting in May')).toContain('head baker post')
})

test('a Chinese phrase is a thing, or an act with its object, without words that count, point or only lead', () => {
  expect(texts('我在找环湖骑行的路线')).toContain('环湖骑行的路线')
  expect(texts('今天小程序的按钮改好了吗')).toEqual(['小程序的按钮'])
  expect(texts('她把唢呐吹得很响，这种声音穿得很远')).not.toContain('穿')
  expect(texts('我们排练了‘渡口，老船’这出戏')).toContain('‘渡口，老船’')
  expect(texts('那套渔船要修，我想买一顿丰盛早餐')).toEqual(
    ['渔船', '买', '丰盛早餐'].filter((text) => text.length > 1),
  )
  expect(texts('昨天搬到了泸州的船坞')).toContain('泸州的船坞')
  expect(texts('下周有木雕分享会的布展')).toEqual(['木雕分享会的布展'])
})

test('a Chinese word is not cut where its second half could be a place or a day', () => {
  expect(texts('邻里节的木雕展')).toContain('邻里节的木雕展')
  expect(texts('这周六的木雕课')).toEqual(['木雕课'])
  expect(texts('我和爸妈打完木雕课的电话')).not.toContain('爸妈打完木雕课的电话')
  expect(texts('早上带女儿去看木雕')).not.toContain('带女儿')
  expect(texts('那个不对称的木雕').join()).not.toContain('对称的木雕')
})

test('a Chinese title that says little takes another phrase, joined by 、', () => {
  expect(topicOf(said('木雕很难，竹编也难。'), 60)?.text).toMatch(/木雕.*、.*竹编/)
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
})
