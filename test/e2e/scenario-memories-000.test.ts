/** The scenarios of specification 000 on long-term memories, through the library. */
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'

const START = new Date('2026-03-02T08:00:00Z')
const MINUTE = 60_000

/** A memory whose time is moved by hand. */
async function withClock(
  work: (memory: OpenMemory, pass: (minutes: number) => void, now: () => Date) => Promise<void>,
  options: { readonly archiveWorkingMemory?: boolean; readonly retrievalLimit?: number } = {},
): Promise<void> {
  let now = START
  await using memory = await openMemory({ path: freshDatabase(), userId: 'one', clock: () => now, ...options })
  await work(
    memory,
    (minutes) => {
      now = new Date(now.getTime() + minutes * MINUTE)
    },
    () => now,
  )
}

const say = (memory: OpenMemory, role: 'user' | 'assistant', content = 'Good day. 你好。', conversationId = 'chat') =>
  memory.conversations.store({ conversationId, turns: [{ role, content }] })

test('Create long-term memory from user statement', async () => {
  await withClock(async (memory) => {
    const { results } = await memory.add('我对花生过敏。', {
      infer: false,
      key: 'allergy',
      value: '花生',
      conversationId: 'chat',
    })
    expect(await memory.get(results[0]!.id)).toMatchObject({
      text: '我对花生过敏。',
      category: 'fact',
      key: 'allergy',
      value: '花生',
      source: 'user_stated',
      conversationId: 'chat',
      createdAt: START.toISOString(),
      lastAccessed: null,
      accessCount: 0,
    })
    expect((await memory.get(results[0]!.id)).confidence).toBeGreaterThanOrEqual(0.9)
  })
})

test('Retrieve relevant long-term memories', async () => {
  await withClock(
    async (memory) => {
      for (let at = 0; at < 20; at += 1)
        await memory.add(`Sailing note ${at}: the boat lies at pier ${at}.`, { infer: false })
      await memory.add('The piano is tuned in May.', { infer: false })
      const usual = await memory.search('where does the sailing boat lie?', { ranking: 'long-term' })
      expect(usual.results).toHaveLength(3)
      expect(usual.results.every(({ text }) => text.startsWith('Sailing'))).toBe(true)
      const scores = usual.results.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect((await memory.search('sailing boat', { ranking: 'long-term', limit: 7 })).results).toHaveLength(7)
    },
    { retrievalLimit: 3 },
  )
})

test('Retrieve relevant long-term memories: "返回最多 N 条" holds for a message’s context, too, until 001’s own setting is set', async () => {
  await withClock(
    async (memory) => {
      for (let at = 0; at < 9; at += 1)
        await memory.add(`Sailing note ${at}: the boat lies at pier ${at}.`, { infer: false })
      const recalled = async () => (await memory.context.build('where does the sailing boat lie?')).recalled.length
      expect(await recalled()).toBe(3)
      expect((await memory.settings.get())['memory.rag_top_n']).toEqual({ value: 3, source: 'retrieval_limit' })
      await memory.settings.set({ 'memory.rag_top_n': 6 })
      expect(await recalled()).toBe(6)
    },
    { retrievalLimit: 3 },
  )
})

test('Memory access tracking', async () => {
  await withClock(async (memory, pass, now) => {
    const { results } = await memory.add('The cat is called Biscuit.', { infer: false })
    const id = results[0]!.id
    pass(5)
    await memory.search('what is the cat called?')
    await memory.getAll()
    expect(await memory.get(id)).toMatchObject({ accessCount: 0, lastAccessed: null })
    await memory.touch([id])
    pass(1)
    await memory.touch([id])
    expect(await memory.get(id)).toMatchObject({ accessCount: 2, lastAccessed: now().toISOString() })
  })
})

test('Category-based candidate recall: a message of preference puts preferences first', async () => {
  await withClock(async (memory) => {
    await memory.add('早餐店的咖啡七点开始卖。', { infer: false, category: 'fact' })
    await memory.add('早餐要配咖啡。', { infer: false, category: 'preference' })
    await memory.add('The bakery sells coffee from seven.', { infer: false, category: 'fact' })
    await memory.add('Coffee from the bakery, black.', { infer: false, category: 'preference' })
    const chinese = await memory.search('我喜欢早餐喝咖啡', { ranking: 'long-term' })
    expect(chinese.results[0]).toMatchObject({ category: 'preference', text: '早餐要配咖啡。' })
    const english = await memory.search('I like coffee from the bakery', { ranking: 'long-term' })
    expect(english.results[0]).toMatchObject({ category: 'preference', text: 'Coffee from the bakery, black.' })
  })
})

test('Keyword matching with SQLite FTS: a prefix finds the whole word', async () => {
  await withClock(async (memory) => {
    await memory.add('She teaches Python on Mondays.', { infer: false })
    await memory.add('He teaches chess on Tuesdays.', { infer: false })
    for (const query of ['Pyth*', 'pyth*', 'PYTHON'])
      expect((await memory.search(query, { ranking: 'long-term' })).results.map(({ text }) => text)).toEqual([
        'She teaches Python on Mondays.',
      ])
  })
})

test('Empty retrieval result', async () => {
  await withClock(async (memory) => {
    expect(await memory.search('anything')).toMatchObject({ results: [] })
    await memory.add('The fence is green.', { infer: false })
    for (const ranking of ['hybrid', 'long-term'] as const)
      expect(await memory.search('submarine cable 海底电缆', { ranking })).toMatchObject({ results: [], warnings: [] })
    await say(memory, 'user', 'And life goes on.')
  })
})

test('Optional memory eviction: lowest confidence first, then oldest access; off unless asked for', async () => {
  await withClock(async (memory, pass) => {
    const ids: string[] = []
    for (const confidence of [0.9, 0.5, 0.5, 0.9, 0.7]) {
      pass(1)
      ids.push((await memory.add(`Memory with confidence ${confidence}`, { infer: false, confidence })).results[0]!.id)
    }
    pass(1)
    await memory.touch([ids[1]!])
    await expect(memory.maintenance.evict()).rejects.toMatchObject({ code: 'invalid_input', field: 'threshold' })
    await expect(memory.maintenance.evict({ threshold: 0 })).rejects.toMatchObject({ field: 'threshold' })
    expect(await memory.maintenance.evict({ threshold: 3 })).toEqual({ evicted: [ids[2], ids[1]] })
    expect((await memory.getAll()).total).toBe(3)
  })
})

test('User delete specific memory', async () => {
  await withClock(async (memory) => {
    const { results } = await memory.add('Forget me.', { infer: false })
    const id = results[0]!.id
    await expect(memory.delete(id, { userId: 'two' })).rejects.toMatchObject({ code: 'not_found' })
    await memory.delete(id)
    for (const call of [memory.get(id), memory.history(id), memory.delete(id)])
      await expect(call).rejects.toMatchObject({ code: 'not_found' })
    expect((await memory.search('forget me')).results).toEqual([])
  })
})

test('User clear all memories: working memory stays until the session ends, other users keep theirs', async () => {
  await withClock(async (memory) => {
    await say(memory, 'user')
    for (let at = 0; at < 45; at += 1) await memory.add(`Memory number ${at}`, { infer: false })
    await memory.add('Of somebody else.', { infer: false, userId: 'two' })
    expect(await memory.reset()).toEqual({ deleted: 45 })
    expect((await memory.getAll({ includePast: true })).total).toBe(0)
    expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({ turnCount: 1 })
    expect((await memory.conversations.turns('chat')).total).toBe(1)
    expect((await memory.getAll({ userId: 'two' })).total).toBe(1)
  })
})

test('List long-term memories with pagination', async () => {
  await withClock(async (memory, pass) => {
    for (let at = 0; at < 25; at += 1) {
      pass(1)
      await memory.add(`Entry ${at}`, { infer: false })
    }
    const pages = await Promise.all([0, 10, 20, 30].map((offset) => memory.getAll({ limit: 10, offset })))
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [10, 25],
      [10, 25],
      [5, 25],
      [0, 25],
    ])
    expect(pages.flatMap(({ items }) => items.map(({ text }) => text))).toEqual(
      Array.from({ length: 25 }, (_, at) => `Entry ${24 - at}`),
    )
  })
})

test('the same external id is stored once, for turns and memories, however often it is sent', async () => {
  await withClock(async (memory) => {
    const turn = { role: 'user' as const, content: 'Only once.', externalId: 'e1' }
    const [first] = await memory.conversations.store({ conversationId: 'chat', turns: [turn] })
    const [second] = await memory.conversations.store({ conversationId: 'chat', turns: [turn] })
    expect(second).toMatchObject({ turnId: first?.turnId, existed: true })
    expect((await memory.conversations.turns('chat')).total).toBe(1)
    expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({ turnCount: 1 })
    const added = await memory.add('Once.', { infer: false, externalId: 'm1' })
    expect(await memory.add('Once more.', { infer: false, externalId: 'm1' })).toMatchObject({
      results: [{ id: added.results[0]!.id, event: 'NONE' }],
    })
    expect((await memory.getAll()).total).toBe(1)
  })
})
