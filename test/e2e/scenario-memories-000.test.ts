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

test('Retrieve relevant long-term memories: "MEMORY_RETRIEVAL_LIMIT 控制，默认 5"', async () => {
  await withClock(async (memory) => {
    for (let at = 0; at < 9; at += 1)
      await memory.add(`Sailing note ${at}: the boat lies at pier ${at}.`, { infer: false })
    expect((await memory.search('where does the sailing boat lie?', { ranking: 'long-term' })).results).toHaveLength(5)
  })
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
