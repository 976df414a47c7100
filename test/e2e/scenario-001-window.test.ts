/** Specification 001 on the rolling window, through the library, by the rules and with a scripted model. */
import { describe, expect, test } from 'vitest'
import { talk } from '../support/talk.ts'
import { allMemories, openThinking, THINKERS, type ThinkingMemory } from '../support/thinking-memory.ts'

describe.each(THINKERS)('滚动窗口管理, by %s', (by) => {
  const window = async ({ memory }: ThinkingMemory, message: string) => {
    const built = await memory.context.build(message, { conversationId: 'long', tokenBudget: 20_000 })
    return { built, turns: built.messages.filter(({ role }) => role !== 'system') }
  }

  test('"消息数超过 context_limit + 2（含 system）… 系统 MUST 移除最早的一轮 user/assistant 对话"', async () => {
    const thinking = await openThinking(by, { settings: { context_limit: 6 } })
    const said = talk(12, 'Chinese')
    await thinking.memory.conversations.store({ conversationId: 'long', turns: said.slice(0, 6) })
    // 6 earlier, the message and the system prompt are 8 = context_limit + 2: nothing leaves yet.
    const full = await window(thinking, '接着说。')
    expect(full.turns.map(({ content }) => content)).toEqual([
      ...said.slice(0, 6).map((turn) => turn.content),
      '接着说。',
    ])
    await thinking.memory.conversations.store({ conversationId: 'long', turns: said.slice(6, 8) })
    const moved = await window(thinking, '然后呢？')
    expect(moved.turns.map(({ content }) => content)).toEqual([
      ...said.slice(2, 8).map((turn) => turn.content),
      '然后呢？',
    ])
    expect(moved.built.omitted).toContainEqual({ what: 'turns 1-2', reason: expect.stringContaining('6') })
    // Whole rounds only: the window begins with a question.
    expect(moved.turns[0]?.role).toBe('user')
    // The log keeps what left the window.
    expect((await thinking.memory.conversations.turns('long')).total).toBe(8)
  })

  test('context_limit + 2 and no more: of 8 with a limit of 5 the earliest round leaves', async () => {
    const thinking = await openThinking(by, { settings: { context_limit: 5 } })
    await thinking.memory.conversations.store({ conversationId: 'long', turns: talk(6, 'Chinese') })
    expect((await window(thinking, '接着说。')).turns).toHaveLength(5)
  })

  test('turns of tools between the messages take no places in the window, however many they are', async () => {
    const thinking = await openThinking(by, { settings: { context_limit: 6 } })
    const said = talk(8, 'English')
    const tools = Array.from({ length: 30 }, (_, at) => ({ role: 'tool' as const, content: `line ${at} of a log` }))
    await thinking.memory.conversations.store({
      conversationId: 'long',
      turns: said.flatMap((turn) => (turn.role === 'user' ? [turn, ...tools] : [turn])),
    })
    const { turns } = await window(thinking, 'And now?')
    expect(turns.map(({ content }) => content)).toEqual([...said.slice(2).map((turn) => turn.content), 'And now?'])
  })

  test('an answer never stands without its question, however much lies between them', async () => {
    const thinking = await openThinking(by)
    const tools = Array.from({ length: 600 }, (_, at) => ({ role: 'tool' as const, content: `line ${at} of a log` }))
    await thinking.memory.conversations.store({
      conversationId: 'long',
      turns: [
        { role: 'user', content: '把构建日志看一遍。' },
        ...tools,
        { role: 'assistant', content: '第三行有错。' },
        { role: 'user', content: 'Fix it.' },
        { role: 'assistant', content: 'Fixed.' },
      ],
    })
    const { built, turns } = await window(thinking, 'And now?')
    expect(turns.map(({ content }) => content)).toEqual(['Fix it.', 'Fixed.', 'And now?'])
    expect(built.omitted.some(({ what }) => /^\d+ earlier turns$/.test(what))).toBe(true)
  })

  test('"被裁掉的消息不自动进入长期记忆"', async () => {
    const thinking = await openThinking(by, { settings: { context_limit: 2 } })
    await thinking.memory.conversations.store({ conversationId: 'long', turns: talk(10, 'English') })
    await thinking.memory.idle()
    const before = (await allMemories(thinking.memory)).length
    await window(thinking, 'And now?')
    await thinking.memory.idle()
    expect(await allMemories(thinking.memory)).toHaveLength(before)
  })

  test.each([
    ['The ferry to Hven leaves at 07:40.', 'When does the ferry to Hven leave?'],
    ['去鼓浪屿的船七点四十开。', '去鼓浪屿的船几点开？'],
  ])(
    '“%s” is evidence where the budget pushes it out of the window, and in the window alone where it fits',
    async (told, asked) => {
      const { memory } = await openThinking(by)
      const filler = 'Clay, straw and lime were mixed by hand, then left under wet sacks. '.repeat(30)
      await memory.conversations.store({
        conversationId: 'long',
        turns: [told, 'Tell me of walls.', 'And of roofs.'].flatMap((content, at) => [
          { role: 'user' as const, content },
          { role: 'assistant' as const, content: at === 0 ? 'Good.' : filler },
        ]),
      })
      for (const tokenBudget of [1000, 8000]) {
        const { text } = await memory.context.build(asked, { conversationId: 'long', tokenBudget })
        expect(text.split(told).length - 1).toBe(1)
      }
    },
  )

  test('context_limit takes effect on the next request', async () => {
    const thinking = await openThinking(by)
    await thinking.memory.conversations.store({ conversationId: 'long', turns: talk(30, 'English') })
    expect((await window(thinking, 'Hm?')).turns).toHaveLength(21)
    await thinking.memory.settings.set({ context_limit: 4 })
    expect((await window(thinking, 'Hm?')).turns).toHaveLength(5)
    await thinking.memory.settings.set({ context_limit: null })
    expect((await window(thinking, 'Hm?')).turns).toHaveLength(21)
  })
})
