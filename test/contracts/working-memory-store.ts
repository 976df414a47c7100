/** The duties of every store of working memory. A backend runs it with a function that opens an empty store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkingMemoryStore } from '../../src/domain/contracts/memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../src/domain/limits.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000

/** A store, and what storing turns does to it. */
export interface OpenWorkingMemoryStore {
  readonly store: WorkingMemoryStore
  /** New turns of a conversation, `userTurns` of them by the user. */
  readonly turns: (userId: string, sessionId: string, userTurns: number, at: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Runs the suite. */
export function workingMemoryStoreContract(name: string, open: () => Promise<OpenWorkingMemoryStore>): void {
  describe(`working memory store: ${name}`, () => {
    let opened: OpenWorkingMemoryStore
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    const read = (at: number, session = 'chat', user = 'anna') =>
      opened.store.get(user, session, at - WORKING_MEMORY_IDLE_MS)

    test('Working memory creation on new session: turn_count 1 and both times now', async () => {
      expect(await read(START)).toBeNull()
      await opened.turns('anna', 'chat', 1, START)
      expect(await read(START)).toEqual({
        sessionId: 'chat',
        currentTopic: null,
        contextVariables: {},
        turnCount: 1,
        lastEmotion: null,
        createdAt: START,
        updatedAt: START,
      })
    })

    test('Working memory update on each turn: every message of the user counts, an answer only keeps it alive', async () => {
      await opened.turns('anna', 'chat', 1, START)
      await opened.turns('anna', 'chat', 0, START + MINUTE)
      expect(await read(START + MINUTE)).toMatchObject({ turnCount: 1, createdAt: START, updatedAt: START + MINUTE })
      await opened.turns('anna', 'chat', 1, START + 2 * MINUTE)
      await opened.turns('anna', 'chat', 3, START + 3 * MINUTE)
      expect(await read(START + 3 * MINUTE)).toMatchObject({ turnCount: 5, updatedAt: START + 3 * MINUTE })
    })

    test('a greeting by the assistant opens it, too', async () => {
      await opened.turns('anna', 'chat', 0, START)
      expect(await read(START)).toMatchObject({ turnCount: 1 })
    })

    test('topic, variables and emotion are kept over turns', async () => {
      await opened.turns('anna', 'chat', 1, START)
      const patch = { currentTopic: '装修厨房', contextVariables: { budget: 30_000, 颜色: '白色' } }
      expect(await opened.store.update('anna', 'chat', patch, START + MINUTE)).toMatchObject(patch)
      await opened.store.update('anna', 'chat', { lastEmotion: 'hopeful' }, START + MINUTE)
      await opened.turns('anna', 'chat', 1, START + 2 * MINUTE)
      expect(await read(START + 2 * MINUTE)).toMatchObject({ ...patch, lastEmotion: 'hopeful', turnCount: 2 })
    })

    test('Working memory auto-cleanup: after 30 idle minutes it is gone for every reader, at 30 it is not', async () => {
      await opened.turns('anna', 'chat', 1, START)
      expect(await read(START + 30 * MINUTE)).not.toBeNull()
      expect(await read(START + 30 * MINUTE + 1)).toBeNull()
      expect(await opened.store.list('anna', START + 1)).toEqual([])
      expect(await opened.store.update('anna', 'chat', { currentTopic: 'late' }, START + 31 * MINUTE)).toBeNull()
    })

    test('a turn after a long silence begins a new one', async () => {
      await opened.turns('anna', 'chat', 4, START)
      await opened.store.update('anna', 'chat', { currentTopic: 'taxes', lastEmotion: 'tired' }, START)
      const later = START + 45 * MINUTE
      await opened.turns('anna', 'chat', 1, later)
      expect(await read(later)).toEqual({
        sessionId: 'chat',
        currentTopic: null,
        contextVariables: {},
        turnCount: 1,
        lastEmotion: null,
        createdAt: later,
        updatedAt: later,
      })
    })

    test('the idle ones of all users are listed and removed, longest idle first, the others stay', async () => {
      await opened.turns('anna', 'late', 1, START + 2 * MINUTE)
      await opened.turns("o'neill %", 'early', 1, START)
      await opened.turns('bert', 'living', 1, START + 40 * MINUTE)
      const since = START + 10 * MINUTE
      const names = (idle: readonly { userId: string; sessionId: string }[]) =>
        idle.map(({ userId, sessionId }) => `${userId}: ${sessionId}`)
      expect(names(await opened.store.listIdle(since, 1))).toEqual(["o'neill %: early"])
      const idle = await opened.store.listIdle(since, 10)
      expect(names(idle)).toEqual(["o'neill %: early", 'anna: late'])
      await opened.turns('anna', 'late', 1, START + 40 * MINUTE)
      expect(await opened.store.removeIdle(idle, since)).toBe(1)
      expect(await opened.store.listIdle(since, 10)).toEqual([])
      expect((await opened.store.list('anna', since)).map(({ sessionId }) => sessionId)).toEqual(['late'])
      expect((await opened.store.list('bert', since)).map(({ sessionId }) => sessionId)).toEqual(['living'])
    })

    test('users who use the same session id do not meet', async () => {
      await opened.turns('anna', 'chat', 1, START)
      await opened.turns('bert', 'chat', 1, START)
      await opened.store.update('anna', 'chat', { currentTopic: 'gardening' }, START)
      expect(await opened.store.remove('bert', 'chat')).toBe(true)
      expect(await opened.store.remove('bert', 'chat')).toBe(false)
      expect(await read(START)).toMatchObject({ currentTopic: 'gardening' })
      expect(await read(START, 'chat', 'carl')).toBeNull()
    })
  })
}
