/** The scenarios of specification 000 on working memory, by the rules and with a scripted model. */
import { describe, expect, test } from 'vitest'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { MINUTE, openThinking, START, THINKERS } from '../support/thinking-memory.ts'

const say = (memory: OpenMemory, role: 'user' | 'assistant', content = 'Good day. 你好。', conversationId = 'chat') =>
  memory.conversations.store({ conversationId, turns: [{ role, content }] })

describe.each(THINKERS)('thinking by %s', (by) => {
  /** A memory whose time is moved by hand. */
  async function withClock(
    work: (memory: OpenMemory, pass: (minutes: number) => void, now: () => Date) => Promise<void>,
    options: { readonly archiveWorkingMemory?: boolean } = {},
  ): Promise<void> {
    let minutes = 0
    const { memory, pass } = await openThinking(by, options)
    await work(
      memory,
      (more) => {
        minutes += more
        pass(more * MINUTE)
      },
      () => new Date(START.getTime() + minutes * MINUTE),
    )
  }

  test('Working memory creation on new session: "初始化 turn_count 为 1 … 设置 created_at 和 updated_at 为当前时间"', async () => {
    await withClock(async (memory) => {
      await say(memory, 'user')
      expect(await memory.workingMemory.get({ conversationId: 'chat' })).toEqual({
        sessionId: 'chat',
        currentTopic: null,
        contextVariables: {},
        turnCount: 1,
        lastEmotion: null,
        createdAt: START.toISOString(),
        updatedAt: START.toISOString(),
      })
    })
  })

  test('Working memory update on each turn: "递增 turn_count … 更新 updated_at 为当前时间"', async () => {
    await withClock(async (memory, pass, now) => {
      for (let turn = 1; turn <= 5; turn += 1) {
        if (turn > 1) pass(29)
        await say(memory, 'user')
        expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({
          turnCount: turn,
          createdAt: START.toISOString(),
          updatedAt: now().toISOString(),
        })
        // An answer keeps it alive, and is no new turn of the user.
        pass(1)
        await say(memory, 'assistant')
        expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({
          turnCount: turn,
          updatedAt: now().toISOString(),
        })
      }
    })
  })

  test('Working memory update: "更新 updated_at 为当前时间", whatever time a turn bears; who speaks first is no turn of the user', async () => {
    await withClock(async (memory, pass, now) => {
      for (const [conversationId, apart] of [
        ['ahead', 525_600],
        ['behind', -480],
      ] as const) {
        const createdAt = new Date(now().getTime() + apart * MINUTE)
        await memory.conversations.store({ conversationId, turns: [{ role: 'user', content: 'Good day.', createdAt }] })
        const present = await memory.workingMemory.get({ conversationId })
        expect(present, conversationId).toMatchObject({
          createdAt: now().toISOString(),
          updatedAt: now().toISOString(),
        })
      }
      pass(31)
      expect(await memory.workingMemory.list()).toEqual([])
      for (const role of ['assistant', 'user', 'assistant'] as const) {
        await say(memory, role)
        expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({ turnCount: 1 })
      }
    })
  })

  test('last_emotion: "上一轮检测到的用户情绪" stays through the answers to it', async () => {
    await withClock(async (memory) => {
      await say(memory, 'user', '我今天特别生气，Redis 又崩了。')
      await say(memory, 'assistant', 'I am sorry to hear that.')
      await memory.idle()
      const { lastEmotion } = (await memory.workingMemory.get({ conversationId: 'chat' }))!
      if (by === 'rules') expect(lastEmotion).toBe('angry')
      expect(lastEmotion).not.toBeNull()
      await say(memory, 'assistant', 'Let me look at the logs. I am so happy to help!')
      await memory.idle()
      expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({ lastEmotion })
    })
  })

  test('Working memory auto-cleanup: "会话无活动超过 30 分钟 … 自动删除该工作记忆"', async () => {
    await withClock(async (memory, pass, now) => {
      await say(memory, 'user')
      await say(memory, 'user', 'Elsewhere.', 'other')
      pass(30)
      expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({ turnCount: 1 })
      await say(memory, 'user', 'Still here.', 'other')
      pass(0.01)
      await expect(memory.workingMemory.get({ conversationId: 'chat' })).rejects.toMatchObject({ code: 'not_found' })
      expect((await memory.workingMemory.list()).map(({ sessionId }) => sessionId)).toEqual(['other'])
      expect(await memory.maintenance.expire()).toMatchObject({ removed: 1 })
      expect(await memory.maintenance.expire()).toMatchObject({ removed: 0 })
      // The conversation comes back: its live state begins anew, its turns are all there.
      await say(memory, 'user')
      expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({
        turnCount: 1,
        createdAt: now().toISOString(),
      })
      expect((await memory.conversations.turns('chat')).total).toBe(2)
    })
  })

  test('Working memory auto-cleanup: "系统 SHALL 自动删除该工作记忆", though nobody asks for it; its key facts may be archived', async () => {
    for (const archiveWorkingMemory of [false, true])
      await withClock(
        async (memory, pass) => {
          await say(memory, 'user', 'We are planning the wedding of Ines; the colour is terracotta.')
          // A model hears a question that stays without an answer after a minute.
          pass(2)
          await memory.idle()
          pass(31)
          await say(memory, 'user', 'Something else entirely.', 'other')
          await memory.idle()
          expect(await memory.maintenance.expire()).toEqual({ removed: 0, archived: 0 })
          expect((await memory.workingMemory.list()).map(({ sessionId }) => sessionId)).toEqual(['other'])
          const { items } = await memory.getAll({ filters: { source: 'system' } })
          expect(items.length > 0).toBe(archiveWorkingMemory)
        },
        { archiveWorkingMemory },
      )
  })
})
