import { expect, test } from 'vitest'
import type { Role } from '../../domain/turn.ts'
import type { ExchangeInput } from './exchange-prompt.ts'
import { readExchangeAnswer } from './read-exchange-answer.ts'

const NOW = Date.parse('2026-05-07T09:30:00Z')

function said(...turns: readonly (readonly [Role, string])[]): ExchangeInput {
  return {
    messages: turns.map(([role, content], at) => ({
      role,
      content,
      speaker: null,
      turnId: at + 1,
      createdAt: NOW + at,
    })),
    now: NOW,
  }
}

const INPUT = said(
  ['user', 'We signed the lease for the flat in Porto yesterday. My partner Inês is allergic to cats, so no pets.'],
  ['assistant', 'Congratulations! Shall I look for movers?'],
)
const RECORD = {
  text: 'The user signed the lease for a flat in Porto.',
  who: 'the user',
  context: 'moving house',
  thing: 'lease signed',
  time: '2026-05-06',
  importance: 1,
}
const ITEM = { category: 'fact', key: 'Home City', value: 'Porto', confidence: 0.95, source: 'user_stated' }
const read = (answer: object, input: ExchangeInput = INPUT) => readExchangeAnswer(JSON.stringify(answer), input)
const readItems = (items: readonly object[], input?: ExchangeInput) =>
  read({ memory_update: { should_store: true, items } }, input)

test('an answer with a record and an item keeps both', () => {
  const answer = read({ write_episodic: true, records: [RECORD], memory_update: { should_store: true, items: [ITEM] } })
  expect(answer.statements).toMatchObject([
    {
      kind: 'fact',
      text: 'We signed the lease for the flat in Porto yesterday.',
      attribute: 'home_city',
      value: 'Porto',
      source: 'user_stated',
      confidence: 0.95,
    },
    { kind: 'event', text: RECORD.text, about: 'user', from: Date.parse('2026-05-06'), importance: 1 },
  ])
  expect(answer.statements?.[1]?.quote).toBe('We signed the lease for the flat in Porto yesterday.')
})

test('a decision not to write is a decision, a promise without anything is none', () => {
  const none = { write_episodic: false, records: [RECORD], memory_update: { should_store: false } }
  expect(read(none).statements).toEqual([])
  expect(read({ should_store: false, items: [] }).statements).toEqual([])
  expect(read({ write_episodic: true, records: [] }).statements).toBeNull()
  expect(read({ write_episodic: true, records: 'two of them' }).statements).toBeNull()
  expect(read({ write_episodic: true, records: [], should_store: true, items: [ITEM] }).statements).toHaveLength(1)
})

test('what is marked inferred is kept, and stands behind what was said', () => {
  const vegetarian = { ...ITEM, key: 'diet', value: 'vegetarian', text: 'I have not eaten meat since 2019.' }
  const input = said(['user', 'I have not eaten meat since 2019. Go is what we write at work.'])
  const answer = readItems(
    [
      vegetarian,
      { ...vegetarian, key: 'eats_meat', value: 'false', source: 'inferred', confidence: 1 },
      { ...ITEM, key: 'programming_language', value: 'Go' },
      { ...ITEM, key: 'drink', value: 'C' },
    ],
    input,
  )
  expect(answer.statements?.map(({ value, source, confidence }) => [value, source, confidence])).toEqual([
    ['vegetarian', 'user_stated', 0.95],
    ['false', 'inferred', 0.6],
    ['Go', 'user_stated', 0.95],
  ])
  expect(answer.problems).toContain('statements[3]: its quote was not said')
})

test('several values of the same words keep each its own, and a list is one', () => {
  const text = "I've got Flask 2.3.1 and SQLite 3.39 set up"
  const input = said(['user', `${text}, with auth and analytics apart.`])
  const answer = readItems(
    [
      { ...ITEM, key: 'framework', value: 'Flask 2.3.1', text },
      { ...ITEM, key: 'database', value: 'SQLite 3.39', text },
      { ...ITEM, key: 'parts', value: ['auth', 'analytics'], text: 'with auth and analytics apart' },
    ],
    input,
  )
  expect(answer.statements).toMatchObject([
    { attribute: 'framework', value: 'Flask 2.3.1', text },
    { attribute: 'database', value: 'SQLite 3.39', text: `SQLite 3.39 (${text})` },
    { attribute: 'parts', value: ['auth', 'analytics'] },
  ])
})

test('the only value of a key takes the place of the one that was shown, what is over ends it', () => {
  const shown = (id: string, who: string, value: string) => ({
    id,
    text: `${who} lives in ${value}.`,
    who,
    key: 'home',
    value,
    validFrom: NOW,
    suspect: null,
    projectRoot: null,
  })
  const known = [shown('mine', 'user', 'Braga'), shown('hers', 'Inês', 'Faro'), shown('same', 'user', 'Porto')]
  const replacing = (item: object) =>
    readItems([{ ...ITEM, key: 'home', single: true, ...item }], { ...INPUT, known }).statements?.[0]
  expect(replacing({})).toMatchObject({ replaces: ['mine'], attribute: 'home' })
  expect(replacing({ single: false })?.replaces).toEqual([])
  expect(replacing({ about: 'Inês' })?.replaces).toEqual(['hers'])
  // A value that is over would be taken for what holds.
  expect(replacing({ standing: 'ended' })).toMatchObject({ replaces: ['same'], attribute: null, value: null })
})

test('a Chinese record needs no quote; what nobody said is refused, whoever is named', () => {
  const input = said(
    ['user', '我上周从杭州调到西安分公司了，现在每天坐地铁二号线上班。'],
    ['assistant', '西安欢迎你！'],
  )
  const records = ['用户上周从杭州调到西安分公司。', '用户在海边开潜水用品商店。', 'The user moved to Xi’an.']
  const answer = read({ write_episodic: true, records: records.map((text) => ({ text })) }, input)
  expect(answer.statements).toMatchObject([{ text: records[0], source: 'user_stated' }])
  expect(answer.refused).toHaveLength(2)
})

test('what the assistant or a tool said is never the statement of the user', () => {
  const input = said(
    ['user', 'Which bank should I use for my savings?\n> I have worked at Brandt Optics since March.'],
    ['tool', 'Customer record: account at Lindholm Sparkasse since 2019.'],
  )
  const items = ['Lindholm Sparkasse', 'Brandt Optics'].map((value) => ({ ...ITEM, key: 'name', value }))
  expect(readItems(items, input).statements).toMatchObject([
    { value: 'Brandt Optics', source: 'inferred', confidence: 0.8 },
  ])
})

test('an item of an unknown category, of another person, or with a number that nobody said is refused', () => {
  const items = [
    { ...ITEM, category: 'hobby' },
    { ...ITEM, key: 'allergy', value: 'cats', about: 'Bartholomew' },
    { ...ITEM, key: 'rent', value: '940 in Porto' },
    { category: 'fact', key: 'x' },
  ]
  expect(readItems(items)).toMatchObject({ statements: [] })
  expect(readItems(items).problems.filter((problem) => problem.startsWith('statements'))).toHaveLength(4)
})

test('an item without all that 000 asks for is left to the rules, not taken for a statement without a key', () => {
  const { confidence: _, ...item } = ITEM
  expect(readItems([item])).toMatchObject({ statements: [] })
})
