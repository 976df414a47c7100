import { describe, expect, test } from 'vitest'
import { wordTable } from '../../language/word-lists.ts'
import { extractFacts } from './extract-facts.ts'
import { relativesOf, slotNamed, topicsOf } from './mentioned-attributes.ts'

describe('a text speaks of the attributes that its words name', () => {
  test.each([
    ['Which vehicle is parked outside my house?', 'car'],
    ['She has taken up the bassoon.', 'instrument'],
    ['The vet said our whippet needs a diet.', 'pet'],
    ['Our job queue is Sidekiq.', 'queue'],
    ['单簧管比想的难吹', 'instrument'],
    ['我家柴犬掉毛', 'pet'],
    ['流水线又红了', 'ci'],
  ])('%s', (text, topic) => {
    expect(topicsOf(text).get(topic)).toBe(1)
  })
})

test('a phrase that means something else is not its words', () => {
  expect(topicsOf('I had it done at home').has('home')).toBe(false)
  expect(topicsOf('这个数据库太慢').has('pet')).toBe(false)
  expect(topicsOf('你要记住这句话').has('home')).toBe(false)
})

test('a hint counts half, two hints count in full', () => {
  expect(topicsOf('The daughter of a chef').get('job')).toBe(0.5)
  expect(topicsOf('A chef and a baker').get('job')).toBe(1)
})

test('a slot says whether it has one value at a time', () => {
  expect(slotNamed('home')?.single).toBe(true)
  expect(slotNamed('pet')?.single).toBe(false)
  expect(slotNamed('no_such_slot')).toBeUndefined()
})

test('an attribute is known by the words that only questions use', () => {
  expect(topicsOf('Who am I seeing these days?').has('partner')).toBe(true)
  expect(topicsOf('我靠什么吃饭？').has('job')).toBe(true)
  expect(topicsOf('怎么联系我？').has('phone_number')).toBe(true)
})

test.each([
  ['We moved the retro to Thursday.', false],
  ['We moved from Zendesk to Freshdesk.', false],
  ['I moved to late shifts.', false],
  ['我们从Jira搬到飞书了', false],
  ['We moved from Skopje to Ohrid for my studies.', true],
  ['I moved to a loft above the bakery.', true],
  ['我们搬到大学城附近了', true],
])('a home is told by the move of a person to a place: %s %s', (text, told) => {
  expect(topicsOf(text).has('home')).toBe(told)
  if (!told) expect(extractFacts(text).map(({ key }) => key)).not.toContain('home')
})

test('the relatives of an attribute are known attributes, and never itself', () => {
  const relatives = relativesOf(['bank'])
  expect(relatives).toContain('savings')
  expect(relatives).not.toContain('bank')
  for (const name of relativesOf(['employer', 'database', 'school', 'wake_time', 'hosting', 'medication', 'book']))
    expect(slotNamed(name), name).toBeDefined()
})

test('what has no relatives has none', () => {
  expect(relativesOf(['blood_type'])).toEqual([])
})

test('a relation in 我 and more is not taken for the shorter one: 我姐夫 is no 我姐', () => {
  const words = wordTable('relations').flatMap((line) => line.split('|')[3]!.split(' '))
  const cut = words.filter((word) => [...word].some((_, at) => at > 0 && words.includes(`我${word.slice(0, at)}`)))
  expect(cut.filter((word) => !words.includes(`我${word}`))).toEqual([])
})
