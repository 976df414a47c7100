import { expect, test } from 'vitest'
import type { Memory } from '../../domain/memory.ts'
import { lineWithout, mayBeIn, saidBy, statementsBeside } from './said-in-line.ts'

const AT = Date.parse('2026-03-02T09:00:00Z')

/** A memory that says this; with a turn, it was told there. */
function memoryOf(text: string, turnId?: number): Memory {
  return {
    id: 'm',
    memoryType: 'semantic',
    text,
    category: 'fact',
    key: null,
    value: null,
    tags: [],
    conversationId: turnId === undefined ? null : 'chat',
    who: 'user',
    occurredAt: AT,
    createdAt: AT,
    updatedAt: AT,
    confidence: 0.9,
    source: 'user_stated',
    importance: 1,
    accessCount: 0,
    lastAccessed: null,
    validFrom: AT,
    validTo: null,
    projectRoot: null,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: turnId === undefined ? [] : [turnId],
    externalId: null,
    metadata: null,
  }
}

const without = (line: string, ...said: readonly string[]): string =>
  lineWithout(
    { text: line, updatedAt: AT },
    said.map((text) => saidBy(memoryOf(text))),
  )

test.each([
  ['I live in Lisbon and I work as a nurse.', 'I live in Lisbon', 'I work as a nurse.'],
  ['I live in Lisbon and work as a nurse.', 'I live in Lisbon', 'I work as a nurse.'],
  ['I live in Lisbon and I work as a nurse.', 'I work as a nurse.', 'I live in Lisbon'],
  ["I'm Rosa, I live in Turin and work as a luthier.", 'I live in Turin', "I'm Rosa, I work as a luthier."],
  ["I'm Rosa, I live in Turin and work as a luthier.", "I'm Rosa. I work as a luthier", 'I live in Turin'],
  ['我住在里斯本，是护士，养了一只猫。', '我是护士', '我住在里斯本，我养了一只猫。'],
  ['I am Kim. I am 34 years old.', 'I am 34 years old.', 'I am Kim.'],
  ['Vegetarian, allergic to walnuts', 'The user is allergic to walnuts.', 'Vegetarian'],
  ['I work as a nurse.', 'i work as  a NURSE', ''],
  ['I work as a nurse, mostly nights.', 'I work as a nurse, mostly nights.', ''],
])('%s without "%s": %s', (line, said, left) => {
  expect(without(line, said)).toBe(left)
})

test.each([
  ['My sister is a nurse.', 'I am a nurse.'],
  ['I run a team', 'tea'],
  ['我住在里斯本。', '我在里斯本工作过。'],
  ['I live in Lisbon.', 'I was in Lisbon for a week in March.'],
])('%s says something else than "%s"', (line, said) => {
  expect(without(line, said)).toBe(line)
})

test('of the same turn, other words say the same; of another one they do not', () => {
  const origins = [{ conversationId: 'chat', turnIds: [4] }]
  const line = { text: 'Works as a nurse in Bergen', updatedAt: AT, origins }
  expect(lineWithout(line, [saidBy(memoryOf('Is a nurse in Bergen at Haukeland hospital.', 4))])).toBe('')
  expect(lineWithout(line, [saidBy(memoryOf('Is a nurse in Bergen at Haukeland hospital.', 5))])).toBe(line.text)
})

test('what it said before it was edited counts, too; a clause that stays in the same words is kept', () => {
  const line = { text: 'I live in Lisbon and I work as a nurse.', updatedAt: AT }
  const gone = saidBy(memoryOf('I live in Oslo.'), undefined, ['I live in Lisbon', 'I work as a nurse.'])
  expect(lineWithout(line, [gone])).toBe('')
  expect(lineWithout(line, [gone], ['In truth I work as a nurse.'])).toBe('I work as a nurse.')
  expect(lineWithout(line, [gone], ['I hate to work as a nurse.'])).toBe('')
})

test('statements that a text has beside another one', () => {
  expect(statementsBeside('I live in Oslo and I have a cat.', 'I live in Lisbon and I have a cat.', AT)).toEqual([
    'I live in Oslo',
  ])
  expect(statementsBeside('我住在奥斯陆，是护士。', '我住在里斯本，是护士。', AT)).toEqual(['我住在奥斯陆'])
})

test('a text that shares no telling word with any line is told apart quickly', () => {
  const isNear = mayBeIn([{ text: 'I live in Lisbon.' }, { text: '我是她。' }])
  expect([isNear('Lisbon is far.'), isNear('我是她'), isNear('The kettle broke.')]).toEqual([true, true, false])
})
