import { expect, test } from 'vitest'
import type { MemoryStore, WorkingMemoryStore } from '../../domain/contracts/memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../domain/limits.ts'
import { silentLogger } from '../../domain/logger.ts'
import type { Memory, WorkingMemory } from '../../domain/memory.ts'
import { archiveSentence, expireNow } from '../working-memory.ts'

const NOW = Date.parse('2026-04-01T12:00:00Z')

function workingMemory(said: Partial<WorkingMemory> = {}): WorkingMemory & { userId: string } {
  return {
    userId: 'anna',
    sessionId: 'chat',
    currentTopic: null,
    contextVariables: {},
    turnCount: 3,
    lastEmotion: null,
    createdAt: NOW - 3 * WORKING_MEMORY_IDLE_MS,
    updatedAt: NOW - 2 * WORKING_MEMORY_IDLE_MS,
    ...said,
  }
}

/** The two stores as far as expiry needs them, in memory. */
function stores(working: (WorkingMemory & { userId: string })[]) {
  const memories: Memory[] = []
  const idle = (since: number, limit: number) => working.filter(({ updatedAt }) => updatedAt < since).slice(0, limit)
  const workingMemory: Pick<WorkingMemoryStore, 'listIdle' | 'removeIdle'> = {
    listIdle: async (since, limit) => idle(since, limit),
    removeIdle: async (gone) => gone.flatMap((one) => working.splice(working.indexOf(one as never), 1)).length,
  }
  const memoryStore: Pick<MemoryStore, 'insert'> = {
    insert: async (_, added) =>
      added.map((memory) => {
        const known = memories.find(({ externalId }) => externalId === memory.externalId)
        if (known === undefined) memories.push(memory)
        return { memory: known ?? memory, existed: known !== undefined }
      }),
  }
  return { memories, store: { workingMemory, memories: memoryStore } }
}

const options = (archiveWorkingMemory: boolean, now = NOW) => ({
  clock: () => new Date(now),
  logger: silentLogger,
  archiveWorkingMemory,
})

test('Working memory auto-cleanup: what was idle for 30 minutes goes, what lives stays, and nothing is archived', async () => {
  const working = [
    workingMemory({ currentTopic: 'gardening' }),
    workingMemory({ sessionId: 'living', updatedAt: NOW - 60_000 }),
  ]
  const { memories, store } = stores(working)
  expect(await expireNow(store, options(false))).toEqual({
    removed: 1,
    archived: 0,
  })
  expect(working.map(({ sessionId }) => sessionId)).toEqual(['living'])
  expect(memories).toEqual([])
})

test('on request it leaves one memory of its topic and variables, and none when it has neither', async () => {
  const working = [
    workingMemory({ currentTopic: '装修厨房', contextVariables: { 预算: 30000, empty: '' } }),
    workingMemory({ sessionId: 'idle talk', lastEmotion: 'calm' }),
  ]
  const { memories, store } = stores(working)
  expect(await expireNow(store, options(true))).toEqual({
    removed: 2,
    archived: 1,
  })
  expect(memories).toMatchObject([
    {
      text: '这次对话谈的是装修厨房，其中预算为30000。',
      source: 'system',
      category: 'fact',
      importance: 0,
      conversationId: 'chat',
      occurredAt: NOW - 2 * WORKING_MEMORY_IDLE_MS,
      createdAt: NOW,
    },
  ])
})

test('stopped between archiving and removing, it archives nothing twice when it runs again', async () => {
  const kept = workingMemory({ currentTopic: 'the move to Ghent' })
  const { memories, store } = stores([kept])
  const failing = { ...store.workingMemory, removeIdle: () => Promise.reject(new Error('the power failed')) }
  const broken = { ...store, workingMemory: failing }
  await expect(expireNow(broken, options(true))).rejects.toThrow('power')
  expect(await expireNow(store, options(true, NOW + 60_000))).toEqual({
    removed: 1,
    archived: 0,
  })
  expect(memories).toHaveLength(1)
})

test('more working memories than fit one piece all go', async () => {
  const working = Array.from({ length: 250 }, (_, index) =>
    workingMemory({ sessionId: `chat ${index}`, currentTopic: 'tax' }),
  )
  const { memories, store } = stores(working)
  expect(await expireNow(store, options(true))).toEqual({
    removed: 250,
    archived: 250,
  })
  expect(memories).toHaveLength(250)
})

test('the archived sentence speaks the language of what it names', () => {
  const sentence = (currentTopic: string | null, contextVariables: Record<string, unknown>) =>
    archiveSentence(workingMemory({ currentTopic, contextVariables }))
  expect(sentence('planning a trip to Iceland', { travellers: 4, month: 'June' })).toBe(
    'This conversation was about planning a trip to Iceland, with travellers = 4, month = June.',
  )
  expect(sentence(null, { budget: 900 })).toBe('In this conversation it was noted that budget = 900.')
  expect(sentence('学游泳', {})).toBe('这次对话谈的是学游泳。')
  expect(sentence(null, { 城市: '西安' })).toBe('这次对话中记下了：城市为西安。')
  expect(sentence('  ', { note: null, list: [], map: {} })).toBeNull()
  expect(sentence('essay', { draft: 'word '.repeat(500) })?.length).toBeLessThan(300)
})
