import { expect, test } from 'vitest'
import { wordTable } from '../../language/word-lists.ts'
import { slotNamed } from '../facts/mentioned-attributes.ts'
import { relate } from './relate.ts'
import { attributesOfThings, deniedIn, type Statement } from './statement-reading.ts'

test.each([
  ['It is every 30, not 60.', ['60']],
  ['No stent, it is a pacemaker.', ['stent']],
  ["Her name isn't Katerina.", ['Katerina']],
  ['不是周三，是周五', ['周三']],
  ['I am not sure about that.', []],
  ['It does not have to be today.', []],
])('"%s" denies %j', (text, denied) => {
  expect(deniedIn(text)).toEqual(denied)
})

const DAY = 86_400_000

function said(text: string, day = 0): Statement {
  return { text, who: 'user', occurredAt: day * DAY, key: null }
}

test('every line of the table names attributes that exist, and words in both languages', () => {
  for (const line of wordTable('things-of-attributes')) {
    const [names = '', english = '', chinese = '', ...more] = line.split('|')
    expect(names.split(' ').filter((name) => slotNamed(name) === undefined)).toEqual([])
    expect([english.trim(), chinese.trim()]).not.toContain('')
    expect(more).toEqual([])
  }
})

test('two hints make a thing plain, one does not; each further thing makes it plainer', () => {
  expect(attributesOfThings('My uniform is in the wash.').get('employer')).toBe(0.5)
  expect(attributesOfThings('I folded the uniform and left the van outside.').get('employer')).toBe(1)
  expect(attributesOfThings('Badge, lanyard and locker key are back.').get('employer')).toBe(2)
})

test.each([
  ['Returned my hard hat and the payslip for May was the final one.', 'I work for Ostler & Daughters.'],
  ['护具都送给师弟了', '我每周去健身房两次'],
  ['安全帽交了，散伙饭也吃完了', '我在第六工程局上班'],
])('"%s" tells that "%s" may be over', (newer, older) => {
  expect(['doubts', 'ends']).toContain(relate(said(newer, 30), said(older)).relation)
})

test.each([
  ['My hard hat is yellow.', 'I work for Ostler & Daughters.'],
  ['安全帽是黄的', '我在第六工程局上班'],
  ['My sister handed in her badge.', 'I work for Ostler & Daughters.'],
])('without a change, or of somebody else, "%s" says nothing of "%s"', (newer, older) => {
  expect(relate(said(newer, 30), said(older)).relation).toBe('none')
})
