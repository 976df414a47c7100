/** Specification 001 on session summaries, through the library, by the rules and with a scripted model. */
import { describe, expect, test } from 'vitest'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import type { Reply } from '../support/model-server.ts'
import { byPhrase, exchangeReply, MINUTE, openThinking, THINKERS, tell } from '../support/thinking-memory.ts'

const layer = async (memory: OpenMemory, level: number, message: string, conversationId = 'now') =>
  (await memory.context.build(message, { conversationId })).layers[level]!

/** A model's answer about an exchange that begins a conversation. */
function titled(title: string, snippet: string): Reply {
  const { content = '' } = exchangeReply({})
  return { content: JSON.stringify({ ...JSON.parse(content), title: { title, snippet } }) }
}
const TITLED = byPhrase({
  冰岛: titled('冰岛八天自驾', '十月去冰岛，走环岛公路八天。'),
  greenhouse: titled('Repairing the greenhouse roof', 'How to repair the roof.'),
  cake: titled('A cake without eggs', 'A birthday cake.'),
  marathon: titled('Half marathon', 'Training for a half marathon.'),
})

describe.each(THINKERS)('近期会话摘要, by %s', (by) => {
  test('"新会话首条消息得到回复后 … 系统 MAY 触发会话摘要写入 session_summary 表"; it holds session_id, title, snippet, created_at', async () => {
    const { memory } = await openThinking(by, { script: TITLED })
    await tell(memory, 'trip', '我们十月去冰岛自驾，帮我规划八天的路线。')
    await memory.idle()
    expect((await memory.sessionSummaries.list()).total).toBe(0)
    await memory.conversations.store({
      conversationId: 'trip',
      turns: [{ role: 'assistant', content: '可以走环岛公路，第一天从雷克雅未克出发。' }],
    })
    await memory.idle()
    const { items } = await memory.sessionSummaries.list()
    expect(items).toMatchObject([
      {
        conversationId: 'trip',
        title: expect.stringContaining('冰岛'),
        createdAt: expect.stringMatching(/^2026-05-07T/),
      },
    ])
    expect(items[0]!.snippet).not.toBe('')
    if (by === 'model')
      expect(items[0]).toMatchObject({ title: '冰岛八天自驾', snippet: '十月去冰岛，走环岛公路八天。' })
    // Later rounds do not change it, and what the user writes stays.
    await memory.sessionSummaries.update({ conversationId: 'trip', title: '冰岛八日' })
    await tell(memory, 'trip', '还要加上蓝湖温泉。', '好的。')
    await memory.idle()
    expect((await memory.sessionSummaries.get({ conversationId: 'trip' })).title).toBe('冰岛八日')
  })

  test('"系统 MUST 调用 MemoryService.GetRecentSessionSummaries(limit)，将结果注入 [4] 层"', async () => {
    const { memory, pass } = await openThinking(by, { script: TITLED })
    const topics = ['repairing the greenhouse roof', 'a birthday cake without eggs', 'training for a half marathon']
    for (const [at, topic] of topics.entries()) {
      pass(MINUTE)
      await tell(memory, `chat-${at}`, `Please help me with ${topic}.`, 'With pleasure.')
      await memory.idle()
    }
    const now = await layer(memory, 4, 'Good evening')
    for (const topic of topics) expect(now.text).toContain(topic.split(' ').at(-1))
    // The newest first, as many as the setting says, and never the conversation itself.
    await memory.settings.set({ 'memory.session_summary_limit': 2 })
    const fewer = (await layer(memory, 4, 'Good evening')).text
    expect(fewer).not.toContain('greenhouse')
    expect(fewer.indexOf('marathon')).toBeLessThan(fewer.indexOf('cake'))
    expect((await layer(memory, 4, 'Good evening', 'chat-2')).text).not.toContain('marathon')
    await memory.settings.set({ 'memory.session_summary_limit': 0 })
    expect((await layer(memory, 4, 'Good evening')).text).toBe('')
  })

  test('the newest sessions are those that were spoken in last, whenever they were stored', async () => {
    const { memory } = await openThinking(by, { script: TITLED })
    for (const [id, day, topic] of [
      ['march', '2026-03-01', 'a birthday cake without eggs'],
      ['january', '2026-01-05', 'training for a half marathon'],
      ['february', '2026-02-09', 'repairing the greenhouse roof'],
    ] as const) {
      const turns = [
        { role: 'user' as const, content: `Please help me with ${topic}.`, createdAt: `${day}T10:00:00Z` },
        { role: 'assistant' as const, content: 'With pleasure.', createdAt: `${day}T10:01:00Z` },
      ]
      await memory.conversations.store({ conversationId: id, turns })
      await memory.idle()
    }
    await memory.settings.set({ 'memory.session_summary_limit': 2 })
    const { text } = await layer(memory, 4, 'Good evening')
    expect(text).not.toContain('marathon')
    expect(text.indexOf('[2026-03-01]')).toBeLessThan(text.indexOf('[2026-02-09]'))
  })
})
