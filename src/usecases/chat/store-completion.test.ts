import { expect, test } from 'vitest'
import type { Turn } from '../../domain/turn.ts'
import { readClientMessages } from './client-message.ts'
import { newTurns } from './store-completion.ts'

type Said = readonly [role: string, content: unknown]

/** Stores what is new of each request in turn; the contents that each added. */
function stored(...requests: readonly (readonly Said[])[]): readonly (readonly string[])[] {
  return storedWithin(Number.POSITIVE_INFINITY, ...requests)
}

/** Likewise, where only the newest `reach` turns of the log are looked at, be the others deleted or too many. */
function storedWithin(reach: number, ...requests: readonly (readonly Said[])[]): readonly (readonly string[])[] {
  const log: Turn[] = []
  return requests.map((request) => {
    const messages = readClientMessages({ messages: request.map(([role, content]) => ({ role, content })) })
    const { turns } = newTurns(messages, log.slice(-reach))
    for (const { role, content, externalId } of turns)
      log.push({
        conversationId: 'c',
        turnId: log.length + 1,
        role,
        content,
        externalId: externalId ?? null,
        speaker: null,
        createdAt: 0,
        metadata: null,
        isCollected: false,
        symbols: [],
      })
    return turns.map(({ content }) => content)
  })
}

const ask = (content: unknown): Said => ['user', content]
const answer = (content: string): Said => ['assistant', content]

test('a chat that grows adds its end; one that comes again adds nothing', () => {
  const whole = [ask('你好'), answer('你好！'), ask('我叫安娜')]
  expect(stored(whole.slice(0, 1), whole, whole)).toEqual([['你好'], ['你好！', '我叫安娜'], []])
})

test('the same words later in a chat are said again', () => {
  expect(stored([ask('Go on'), answer('One.')], [ask('Go on'), answer('One.'), ask('Go on')])).toEqual([
    ['Go on', 'One.'],
    ['Go on'],
  ])
})

test('an edited message begins a branch behind what it shares', () => {
  expect(stored([ask('Hi'), answer('Ok'), ask('teh')], [ask('Hi'), answer('Ok'), ask('the'), answer('Yes')])).toEqual([
    ['Hi', 'Ok', 'teh'],
    ['the', 'Yes'],
  ])
})

test('an answer that the client shows otherwise than it came is not another answer', () => {
  const first = [ask('Why?'), answer('<think>hm</think> Because of rain.')]
  expect(stored(first, [ask('Why?'), answer('Because of rain'), ask('Ah')])).toEqual([
    ['Why?', '<think>hm</think> Because of rain.'],
    ['Ah'],
  ])
})

test('a client that cuts its history goes on where what it sends and what is stored agree', () => {
  const chat = [ask('a'), answer('1'), ask('b'), answer('2'), ask('c'), answer('3')]
  expect(stored(chat, [...chat.slice(2), ask('d')], [...chat.slice(4), ask('d'), answer('4'), ask('e')])).toEqual([
    ['a', '1', 'b', '2', 'c', '3'],
    ['d'],
    ['4', 'e'],
  ])
})

test('of a long chat that comes again, what is out of reach is not stored again, nor what was deleted', () => {
  const chat = [ask('我叫安娜'), answer('1'), ask('b'), answer('2'), ask('c'), answer('3')]
  expect(storedWithin(2, chat, [...chat, ask('d')], [...chat, ask('d'), answer('4'), ask('e')])).toEqual([
    ['我叫安娜', '1', 'b', '2', 'c', '3'],
    ['d'],
    ['4', 'e'],
  ])
})

test('a history that was cut in front of an answer does not store the answer again', () => {
  const chat = [ask('a'), answer('1'), ask('b'), answer('2')]
  expect(stored(chat, [...chat.slice(1), ask('c')])).toEqual([['a', '1', 'b', '2'], ['c']])
})

test('a client that sends the newest message only adds each, once', () => {
  expect(stored([ask('a')], [ask('b')], [ask('b')], [ask('a')])).toEqual([['a'], ['b'], [], ['a']])
})

test('pictures are told apart though their words are the same, and one without words is named', () => {
  const picture = (url: string) => ask([{ type: 'image_url', image_url: { url } }])
  expect(stored([picture('data:1')], [picture('data:1'), answer('A cat'), picture('data:2')])).toEqual([
    ['[image_url]'],
    ['A cat', '[image_url]'],
  ])
})

test('instructions, calls without words and files from tools are not stored', () => {
  const file: Said = ['tool', 'x'.repeat(100_000)]
  expect(stored([['system', 'Be brief.'], ask('Read it'), ['assistant', null], file, ['tool', 'done']])).toEqual([
    ['Read it', 'done'],
  ])
})
