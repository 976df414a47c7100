/**
 * Specification 002, requirements 5, 9 and 10.5: consolidation by rules over full text, by rules over embeddings, and
 * by a scripted model over embeddings.
 */
import { describe, expect, test } from 'vitest'
import {
  DIMENSION,
  episodes,
  openConsolidating,
  STABLE,
  STEPS,
  type Told,
  tellOf,
  WAYS,
} from '../support/consolidation.ts'
import { hashedVector } from '../support/embedding-server.ts'
import { allMemories, MINUTE, openThinking, START } from '../support/thinking-memory.ts'

const SAME = {
  English: [
    'The dishwasher flooded the kitchen on Sunday evening.',
    'The dishwasher flooded the whole kitchen on Sunday evening.',
  ],
  Chinese: [
    '周日晚上洗碗机漏水，把厨房和走廊都淹了，地板得重铺。',
    '周日晚上洗碗机漏水，把厨房和走廊全淹了，地板得重铺。',
  ],
} as const
const ALIKE = {
  English: ['Took the night train to Vienna for the book fair.', 'Took the night train to Zagreb for the boat fair.'],
  Chinese: ['和设计组开会讨论了首页改版。', '和财务组开会讨论了首页改版。'],
} as const
const LANGUAGES = ['English', 'Chinese'] as const

function cosine([a, b]: readonly [string, string]): number {
  const [first, second] = [hashedVector(a, DIMENSION), hashedVector(b, DIMENSION)]
  return first.reduce((sum, value, at) => sum + value * second[at]!, 0)
}

test('the pairs of these tests lie where the specification draws its lines', () => {
  for (const language of LANGUAGES) {
    expect(cosine(SAME[language])).toBeGreaterThanOrEqual(0.85)
    expect(cosine(ALIKE[language])).toBeGreaterThanOrEqual(0.65)
    expect(cosine(ALIKE[language])).toBeLessThan(0.85)
  }
})

describe.each(WAYS)('%s', (way) => {
  test('R5.1 "WHEN consolidation is triggered THEN the system SHALL iterate through all episodic memories and find similar candidates using vector similarity search"', async () => {
    const { memory } = await openConsolidating(way)
    for (const text of [...SAME.English, ...ALIKE.Chinese, 'Nothing is like this sentence about a walrus.'])
      await tellOf(memory, text)
    await memory.idle()
    const counts = await memory.maintenance.consolidate({ userId: 'one' })
    expect(counts).toMatchObject({ merged: 1, separated: 1 })
    expect((await memory.search('walrus')).results).toHaveLength(1)
    // Incremental: a second run with nothing new does nothing, after it has seen what the first one wrote.
    await memory.idle()
    await memory.maintenance.consolidate({ userId: 'one' })
    const settled = await allMemories(memory)
    const again = await memory.maintenance.consolidate({ userId: 'one' })
    expect(again).toMatchObject({ processed: 0, merged: 0, separated: 0, promoted: 0, deleted: 0, modelCalls: 0 })
    expect(await allMemories(memory)).toEqual(settled)
  })

  describe.each(LANGUAGES)('in %s', (language) => {
    test('R5.2 "WHEN two episodic memories have cosine similarity >= T_merge_high (0.85) AND same who AND pass time/chat_id constraints THEN the system SHALL call EpisodicMerger to merge them"; R5.4 "WHEN merging memories THEN the system SHALL delete the original two records and insert one merged record with source_chat_ids and merged_from_ids in metadata"', async () => {
      const { memory, embeddings, requests } = await openConsolidating(way)
      const [first, second] = SAME[language]
      const ids = [await tellOf(memory, first, { ago: 60 }), await tellOf(memory, second, { ago: 45 })]
      await memory.idle()
      const counts = await memory.maintenance.consolidate({ userId: 'one' })
      expect(counts).toMatchObject({ merged: 1, separated: 0, deleted: 2 })
      const [merged, ...others] = await episodes(memory)
      expect(others).toEqual([])
      expect(ids).not.toContain(merged!.id)
      expect(merged!.text).toContain(language === 'English' ? 'whole kitchen' : '全淹了')
      expect(merged!.metadata).toMatchObject({
        source_chat_ids: ['chat'],
        merged_from_ids: expect.toSatisfy((from: string[]) => from.toSorted().join() === ids.toSorted().join()),
      })
      for (const id of ids) await expect(memory.get(id)).rejects.toMatchObject({ code: 'not_found' })
      await memory.idle()
      if (embeddings !== null) expect(embeddings.requests.flatMap(({ body }) => body.input)).toContain(merged!.text)
      const asked = requests.filter(({ body }) => body.messages?.[0]?.content.includes('"same_event"'))
      expect(asked).toHaveLength(way === 'a model over embeddings' ? 1 : 0)
    })

    test('R5.3 "WHEN two episodic memories have T_amb_low (0.65) <= similarity < T_merge_high (0.85) THEN the system SHALL call EpisodicSeparator to rewrite them for better distinction"; R5.5 "WHEN separating memories THEN the system SHALL update both records’ text, metadata.context, and metadata.thing, then regenerate embeddings"', async () => {
      const { memory, embeddings } = await openConsolidating(way)
      const [first, second] = ALIKE[language]
      const ids = [await tellOf(memory, first, { ago: 90 * 1440 }), await tellOf(memory, second, { ago: 30 })]
      await memory.idle()
      expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({
        merged: 0,
        separated: 1,
        deleted: 0,
      })
      await memory.idle()
      for (const [at, id] of ids.entries()) {
        const { text, metadata, accessCount } = await memory.get(id)
        expect(text).not.toBe([first, second][at])
        expect(text).toContain(language === 'English' ? ['Vienna', 'Zagreb'][at] : ['设计组', '财务组'][at])
        expect(text).not.toContain(language === 'English' ? ['Zagreb', 'Vienna'][at] : ['财务组', '设计组'][at])
        expect([metadata?.context, metadata?.thing]).not.toEqual(['told in a test', 'what was told'])
        expect(accessCount).toBe(0)
        if (embeddings !== null) expect(embeddings.requests.flatMap(({ body }) => body.input)).toContain(text)
      }
    })

    test('R9.4 "WHEN merging memories THEN the system SHALL use the earliest metadata.time as the canonical event start time"; R9.5 "WHEN merging memories THEN the system SHALL record both original chat_ids in metadata.source_chat_ids"', async () => {
      const { memory } = await openConsolidating(way)
      const [first, second] = SAME[language]
      // Stored in the wrong order.
      await tellOf(memory, second, { chat: 'kitchen', ago: 20 })
      await tellOf(memory, first, { chat: 'garden', ago: 500 })
      await memory.idle()
      expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ merged: 1 })
      const [merged] = await episodes(memory)
      const start = new Date(START.getTime() - 500 * MINUTE).toISOString()
      expect(merged!.metadata?.time).toBe(start)
      expect(merged!.occurredAt).toBe(start)
      const chats: unknown = merged!.metadata?.source_chat_ids
      expect([...(chats as string[])].toSorted()).toEqual(['garden', 'kitchen'])
    })
  })

  test.each<readonly [string, Told, Told, number]>([
    [
      'R9.1 "WHEN two memories have the same chat_id THEN the system SHALL allow merge if time difference is within 30 minutes"',
      { ago: 60 },
      { ago: 30 },
      1,
    ],
    ['R9.1: 31 minutes apart in one chat they stay two', { ago: 61 }, { ago: 30 }, 0],
    [
      'R9.2 "WHEN two memories have different chat_ids THEN the system SHALL allow merge only if time difference is within 7 days AND semantic analysis confirms same event"',
      { chat: 'a', ago: 1440 },
      { chat: 'b', ago: 30 },
      1,
    ],
    ['R9.2: eight days apart in two chats they stay two', { chat: 'a', ago: 8 * 1440 }, { chat: 'b', ago: 0 }, 0],
    [
      'R9.3 "WHEN the who field differs between two memories THEN the system SHALL NOT merge them"',
      { who: 'user', ago: 60 },
      { who: 'Marta', ago: 50 },
      0,
    ],
  ])('%s', async (_case, one, other, merged) => {
    const { memory } = await openConsolidating(way)
    await tellOf(memory, SAME.English[0], one)
    await tellOf(memory, SAME.English[1], other)
    await memory.idle()
    expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ merged })
    expect(await episodes(memory)).toHaveLength(2 - merged)
  })
})

test('R9.2: "only if … semantic analysis confirms same event": where the model says that they are two, they stay two', async () => {
  const { memory, play } = await openConsolidating('a model over embeddings')
  play((request, number) =>
    request.body.messages?.[0]?.content.includes('"same_event"')
      ? { content: '{"same_event": false, "text": "", "context": "", "thing": ""}' }
      : (STEPS as (request: object, number: number) => object)(request, number),
  )
  await tellOf(memory, SAME.Chinese[0], { chat: 'a', ago: 100 })
  await tellOf(memory, SAME.Chinese[1], { chat: 'b', ago: 50 })
  await memory.idle()
  expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ merged: 0 })
  expect(await episodes(memory)).toHaveLength(2)
})

test('R10.5 "WHEN consolidation runs THEN the system SHALL log statistics including memories processed, merged, separated, promoted to semantic, and deleted"', async () => {
  const { memory, log } = await openConsolidating('rules over full text')
  for (const text of [...SAME.English, ...ALIKE.English, STABLE[0]![0]]) await tellOf(memory, text)
  const counts = await memory.maintenance.consolidate({ userId: 'one' })
  const line = log.find(({ level, details }) => level === 'info' && details.operation === 'consolidate')
  const { processed, merged, separated, promoted, deleted } = counts
  expect(line?.details).toMatchObject({ processed, merged, separated, promoted, deleted })
  expect([merged, separated, promoted, deleted]).toEqual([1, 1, 1, 2])
  expect(Object.values(line!.details)).toContain('one')
})

test.each([
  ['answers nonsense', { content: 'I merged them for you!' }],
  ['fails', { status: 500, body: '' }],
  ['is silent', { hang: 'silent' as const }],
])('a model that %s in consolidation: the rules do it, once', async (_case, bad) => {
  const { memory, log } = await openThinking('model', { script: bad, timeoutMs: 150, retries: 0 })
  for (const text of SAME.Chinese) await tellOf(memory, text)
  expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ merged: 1, deleted: 2 })
  expect(await episodes(memory)).toHaveLength(1)
  expect(log.some(({ level }) => level === 'warn' || level === 'error')).toBe(true)
})

test('a run over every user merges each one’s own memories, and what it wrote is embedded', async () => {
  const { memory } = await openConsolidating('rules over embeddings')
  for (const userId of ['one', 'two'])
    for (const text of SAME.English)
      await memory.add(text, { infer: false, memoryType: 'episodic', who: 'user', userId })
  await memory.idle()
  expect(await memory.maintenance.consolidate()).toMatchObject({ merged: 2, deleted: 4 })
  await memory.idle()
  for (const userId of ['one', 'two']) expect((await memory.getAll({ userId })).total).toBe(1)
  const [merged] = await episodes(memory)
  const { results } = await memory.search(merged!.text, { ranking: 'associative', explain: true })
  expect(results[0]!.explanation!.features.find(({ feature }) => feature === 'similarity')?.value).toBeCloseTo(1, 2)
})

test('maxModelCalls bounds a run: beyond it the rules answer', async () => {
  const { memory, requests } = await openConsolidating('a model over embeddings')
  for (const [text] of STABLE) await tellOf(memory, text)
  await memory.idle()
  const before = requests.length
  const counts = await memory.maintenance.consolidate({ userId: 'one', maxModelCalls: 2 })
  expect(counts.modelCalls).toBeLessThanOrEqual(2)
  expect(requests.length - before).toBeLessThanOrEqual(2)
  expect(counts).toMatchObject({ processed: STABLE.length, promoted: STABLE.length })
})
