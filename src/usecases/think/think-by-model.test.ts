import { expect, test } from 'vitest'
import type { LanguageModel } from '../../domain/contracts/models.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Role } from '../../domain/turn.ts'
import type { ThinkInput } from './draft.ts'
import { thinkByModel } from './think-by-model.ts'
import { thinkByRules } from './think-by-rules.ts'

const NOW = Date.parse('2026-05-07T09:30:00Z')
const quiet = (): void => undefined
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }

function answering(text: string): LanguageModel {
  const usage = { promptTokens: 0, completionTokens: 0, cost: null }
  return {
    model: 'scripted',
    ask: async () => ({ text, model: 'scripted', usage, attempts: 1, latencyMs: 0 }),
    stream: () => {
      throw new Error('not asked here')
    },
    close: async () => undefined,
  }
}

/** The memories of these turns, one minute apart, when the model gives this answer. */
const think = (answer: object, turns: readonly (readonly [Role, string])[], more: Partial<ThinkInput> = {}) =>
  thinkOf(JSON.stringify(answer), turns, more)

async function thinkOf(text: string, turns: readonly (readonly [Role, string])[], more: Partial<ThinkInput> = {}) {
  const input: ThinkInput = {
    userId: 'one',
    conversationId: 'chat',
    messages: turns.map(([role, content], at) => ({
      role,
      content,
      speaker: null,
      turnId: at + 1,
      createdAt: NOW + at * 60_000,
    })),
    now: NOW + 600_000,
    maxCharacters: 2000,
    ...more,
  }
  return thinkByModel({ llm: answering(text), logger }, input, await thinkByRules(input, true))
}

const memory = (id: string, text: string): Memory =>
  ({ id, text, who: 'user', key: null, value: null, validFrom: NOW, suspect: null, projectRoot: null }) as Memory
const MOVED = 'I moved to Ghent in March and work from home now.'
const SISTER = 'My sister Ruth is a vet.'
const HOME = {
  text: 'The user lives in Ghent.',
  about: 'user',
  scope: 'user',
  kind: 'fact',
  attribute: 'home',
  value: 'Ghent',
  time: { from: '2026-03', to: null },
  by: 'said',
  quote: 'I moved to Ghent in March',
  confidence: 0.95,
  importance: 1,
}

test('a statement becomes a draft that the model has judged: with its ids, its times, its turn and its value', async () => {
  const stack = {
    text: 'Heron is written in Go and runs on two servers.',
    about: 'Heron',
    scope: 'project:Heron',
    kind: 'decision',
    attribute: 'stack',
    value: { language: 'Go', servers: 'two' },
    by: 'said',
    quote: 'Heron is in Go',
    importance: 2,
  }
  const { drafts, answeredBy } = await think(
    { statements: [{ ...HOME, replaces: ['k1'] }, stack], working_memory: { current_topic: 'the move to Ghent' } },
    [
      ['user', MOVED],
      ['assistant', 'How nice.'],
      ['user', 'Heron is in Go, on two servers.'],
    ],
    { known: [memory('old-home', 'The user lives in Bruges.')], project: 'heron' },
  )
  expect(answeredBy).toBe('model')
  expect(drafts).toMatchObject([
    {
      replaces: ['old-home'],
      scope: 'user',
      facts: [{ key: 'home', value: 'Ghent', standing: 'holds' }],
      memory: {
        memoryType: 'semantic',
        category: 'fact',
        key: 'home',
        value: 'Ghent',
        occurredAt: Date.parse('2026-03-01'),
        validFrom: Date.parse('2026-03-01'),
        validTo: null,
        source: 'user_stated',
        sourceTurnIds: [1],
        metadata: { context: 'the move to Ghent' },
      },
    },
    {
      replaces: [],
      scope: 'project',
      memory: {
        key: 'stack',
        value: { language: 'Go', servers: 'two' },
        who: 'Heron',
        sourceTurnIds: [3],
        occurredAt: NOW + 120_000,
      },
    },
  ])
  expect(drafts[0]!.memory.metadata).not.toHaveProperty('scope')
})

test('what holds ends with its time, what happened does not; nothing ends before it began', async () => {
  const of = async (fields: object) =>
    (await think({ statements: [{ ...HOME, ...fields }] }, [['user', MOVED]])).drafts[0]!
  const june = Date.parse('2026-07-01') - 1
  const held = await of({ time: { from: '2026-03', to: '2026-06' } })
  expect(held.memory).toMatchObject({ validFrom: Date.parse('2026-03-01'), validTo: june })
  const once = await of({ kind: 'event', time: { from: '2026-03', to: '2026-06' } })
  expect(once.memory).toMatchObject({ validTo: null, metadata: { until: new Date(june).toISOString() } })
  const over = await of({ time: { from: null, to: '2025' } })
  expect(over).toMatchObject({ facts: [{ standing: 'held' }] })
  expect(over.memory.validTo).toBeGreaterThanOrEqual(over.memory.validFrom)
  const plan = await of({ time: { from: '2026-09', to: '2026-10' } })
  expect(plan.memory).toMatchObject({ occurredAt: Date.parse('2026-09-01'), validFrom: NOW })
})

test('a refused statement is replaced by the rules for that sentence alone', async () => {
  const invented = {
    ...HOME,
    text: 'Ruth is a vet in Oslo.',
    about: 'Ruth',
    attribute: null,
    value: null,
    quote: SISTER,
  }
  const { drafts, answeredBy } = await think({ statements: [HOME, { ...invented, time: null }] }, [
    ['user', MOVED],
    ['user', SISTER],
  ])
  expect(answeredBy).toBe('model')
  expect(drafts.map((draft) => [draft.memory.text, draft.replaces])).toEqual([
    [HOME.text, []],
    [SISTER, undefined],
  ])
})

test('what a cut answer leaves out the rules say, and nothing twice', async () => {
  const answer = {
    statements: [
      { ...HOME, quote: MOVED },
      { ...HOME, text: 'Ruth is a vet.', quote: SISTER },
    ],
  }
  const turns = [
    ['user', MOVED],
    ['user', SISTER],
  ] as const
  const cut = await thinkOf(JSON.stringify(answer).slice(0, -JSON.stringify(answer.statements[1]).length), turns)
  expect(cut.drafts.map(({ memory }) => memory.text)).toEqual([HOME.text, SISTER])
})

test('the user is called as in the chat, whoever thinks', async () => {
  const turns = [['user', MOVED]] as const
  const answer = {
    statements: [HOME, { ...HOME, text: 'Ruth moved too.', about: 'Ruth', attribute: 'job', by: 'inferred' }],
  }
  const { drafts } = await think(answer, turns, {
    messages: [{ role: 'user', content: `${MOVED} Ruth moved too.`, speaker: 'Ana', turnId: 1, createdAt: NOW }],
  })
  expect(drafts.map(({ memory }) => memory.who)).toEqual(['Ana', 'Ruth'])
  const heard = await think({ statements: [{ ...HOME, quote: 'moved to Ghent', by: 'heard' }] }, turns, {
    messages: [
      { role: 'assistant', content: 'I hear that you moved to Ghent?', speaker: 'Paul', turnId: 1, createdAt: NOW },
    ],
  })
  expect(heard.drafts.map(({ memory }) => memory.who)).toEqual(['user'])
})

test('when every statement is refused the rules answer, and when there is none nothing is kept but what was ordered', async () => {
  const turns = [['user', MOVED]] as const
  const refused = await think({ statements: [{ ...HOME, quote: 'I moved to Antwerp' }] }, turns)
  expect(refused).toMatchObject({ answeredBy: 'rules' })
  expect(refused.drafts.length).toBeGreaterThan(0)
  expect(await think({ statements: [] }, turns)).toMatchObject({
    answeredBy: 'model',
    drafts: [],
    rejected: [{ text: MOVED, reason: 'model_declined' }],
  })
  const order = '请记住，备用钥匙放在门口第三个花盆下面。'
  expect((await think({ statements: [] }, [['user', order]])).drafts).toMatchObject([{ memory: { importance: 3 } }])
  const kept = {
    ...HOME,
    text: '备用钥匙放在门口第三个花盆下面。',
    kind: 'instruction',
    quote: '备用钥匙放在门口第三个花盆下面',
  }
  const once = await think({ statements: [{ ...kept, attribute: null, value: null, time: null }] }, [['user', order]])
  expect(once.drafts).toHaveLength(1)
})

test('what the model ends, doubts and confirms is told by id; an end without a time is when it was told', async () => {
  const known = ['a', 'b', 'c', 'd'].map((id) => memory(id, `The user likes ${id}.`))
  const thoughts = await think(
    {
      statements: [],
      ends: [
        { id: 'k1', reason: 'over' },
        { id: 'k2', reason: 'wrong', time: '2026-05-01' },
      ],
      doubts: [{ id: 'k3', why: 'they moved' }],
      confirms: ['k4'],
    },
    [
      ['user', 'I gave all that up.'],
      ['assistant', 'I see.'],
    ],
    { known },
  )
  expect(thoughts).toMatchObject({
    ends: [
      { id: 'a', reason: 'over', at: NOW },
      { id: 'b', reason: 'wrong', at: Date.parse('2026-05-01') },
    ],
    doubts: [{ id: 'c', reason: 'they moved' }],
    holding: ['d'],
  })
})
