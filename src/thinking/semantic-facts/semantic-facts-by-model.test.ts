import { afterEach, expect, test } from 'vitest'
import { episode, type ScriptedModel, scriptedModel } from '../../../test/support/scripted-model.ts'
import { semanticFactsByModel } from './semantic-facts-by-model.ts'

let scripted: ScriptedModel
afterEach(() => scripted.close())

const EPISODE = episode('The user, a marine biologist in Bergen, presented the kelp survey and has a cold.')
const FACT = {
  text: 'The user is a marine biologist in Bergen.',
  category: 'fact',
  key: 'job',
  value: 'marine biologist',
  confidence: 0.95,
  ground: 'identity',
}

test('a stable identity becomes a semantic fact with where it was first seen', async () => {
  scripted = await scriptedModel({ facts: [FACT], refusal: null })
  expect(await semanticFactsByModel(EPISODE, [], scripted.ask)).toEqual({
    facts: [
      {
        text: FACT.text,
        category: 'fact',
        key: 'job',
        value: 'marine biologist',
        confidence: 0.9,
        ground: 'identity',
        metadata: { fact: FACT.text, source_chatid: 'chat-1', first_seen: '2026-05-04T18:00:00.000Z' },
        sourceIds: ['memory-1'],
      },
    ],
    refusal: null,
  })
})

test('a refusal is an answer', async () => {
  scripted = await scriptedModel({ facts: [], refusal: 'temporary_state' })
  expect(await semanticFactsByModel(EPISODE, [], scripted.ask)).toEqual({ facts: [], refusal: 'temporary_state' })
  expect(scripted.errors).toEqual([])
})

test('what is true of another person is not even asked', async () => {
  scripted = await scriptedModel({ facts: [FACT] })
  const about = await semanticFactsByModel({ ...EPISODE, who: 'Marta' }, [], scripted.ask)
  expect(about).toEqual({ facts: [], refusal: 'about_other' })
  expect(scripted.server.requests).toHaveLength(0)
})

test('a taste told on two days was first seen on the earlier one', async () => {
  const now = episode('用户今天又去攀岩馆练习攀岩。', { id: 'new', occurredAt: Date.parse('2026-05-20T10:00:00Z') })
  const before = episode('用户周末去攀岩馆练习攀岩。', { id: 'old', conversationId: 'chat-0' })
  const fact = {
    text: '用户常去攀岩馆练习攀岩。',
    category: 'pattern',
    key: 'Sport',
    value: '攀岩',
    confidence: 0.8,
    ground: 'habit',
  }
  scripted = await scriptedModel({ facts: [fact] })
  const answer = await semanticFactsByModel(now, [before, { ...before, id: 'hers', who: '小雨' }], scripted.ask)
  expect(answer?.facts).toMatchObject([
    {
      key: 'sport',
      sourceIds: ['old', 'new'],
      metadata: { source_chatid: 'chat-0', first_seen: '2026-05-04T18:00:00.000Z' },
    },
  ])
})

test.each([
  ['prose', 'No facts here.'],
  ['an unknown category', { facts: [{ ...FACT, category: 'hobby' }] }],
  [
    'a fact that the episode does not tell',
    { facts: [{ ...FACT, text: 'The user owns three vineyards near Bordeaux.' }] },
  ],
  ['often used, though it was not', { facts: [{ ...FACT, ground: 'often_used' }] }],
])('of no use is %s', async (_case, answer) => {
  scripted = await scriptedModel(answer)
  expect(await semanticFactsByModel(EPISODE, [], scripted.ask)).toBeNull()
  expect(scripted.errors).toHaveLength(1)
})
