/** The scenarios of specification 000 in which something is thought about, by the rules and by a scripted model. */
import { describe, expect, test } from 'vitest'
import { allMemories, byPhrase, MINUTE, openThinking, START, THINKERS, tell } from '../support/thinking-memory.ts'

const STATED = [
  ['English', 'I am allergic to shellfish.', 'allergy', 'shellfish', 'fact'],
  ['Chinese', '我对虾蟹过敏。', 'allergy', '虾蟹', 'fact'],
  ['English', 'I prefer window seats on trains.', 'seat', 'window seats', 'preference'],
  ['Chinese', '我喜欢坐靠窗的位置。', 'seat', '靠窗', 'preference'],
] as const

const ITEMS = byPhrase(
  Object.fromEntries(
    STATED.map(([, said, key, value, category]) => [
      said,
      { items: [{ category, key, value, about: 'user', text: said, confidence: 0.4, source: 'user_stated' }] },
    ]),
  ),
)

describe.each(THINKERS)('thinking by %s', (by) => {
  test.each(STATED)(
    'Create long-term memory from user statement: "memory_update.should_store=true … 设置 source 为 user_stated … 设置 confidence 为 0.9 或更高" (%s: %s)',
    async (_language, said, key, value, category) => {
      const { memory } = await openThinking(by, { script: ITEMS })
      await tell(memory, 'chat', said, 'Noted. 好的。')
      await memory.idle()
      const stored = await allMemories(memory)
      expect(stored).toHaveLength(1)
      expect(stored[0]).toMatchObject({
        conversationId: 'chat',
        category,
        source: 'user_stated',
        createdAt: START.toISOString(),
        lastAccessed: null,
        accessCount: 0,
      })
      expect(stored[0]!.confidence).toBeGreaterThanOrEqual(0.9)
      if (by === 'model') expect(stored[0]).toMatchObject({ key, value, memoryType: 'semantic' })
    },
  )

  test('a new value for a key takes the place of the old one; search shows the current one, history and asOf the other', async () => {
    const item = (value: string, text: string) => ({
      items: [{ category: 'fact', key: 'home', value, about: 'user', single: true, text, source: 'user_stated' }],
    })
    const { memory, pass } = await openThinking(by, {
      script: byPhrase({
        Trieste: item('Trieste', 'I live in Trieste.'),
        Ljubljana: item('Ljubljana', 'I moved to Ljubljana last week.'),
      }),
    })
    await tell(memory, 'chat', 'I live in Trieste.', 'Nice.')
    await memory.idle()
    pass(10 * 1440 * MINUTE)
    await tell(memory, 'chat', 'I moved to Ljubljana last week.', 'Congratulations.')
    await memory.idle()
    const { results } = await memory.search('Where do I live?')
    expect(results[0]!.text).toContain('Ljubljana')
    expect(results.map(({ text }) => text).join()).not.toContain('Trieste')
    const old = (await allMemories(memory)).find(({ text }) => text.includes('Trieste'))!
    expect(old).toMatchObject({ supersededBy: results[0]!.id, validTo: expect.stringMatching(/^2026-05/) })
    const story = (await memory.history(old.id)).map(({ memoryId, event }) => [memoryId, event])
    expect(story).toEqual([
      [old.id, 'ADD'],
      [old.id, 'SUPERSEDE'],
      [results[0]!.id, 'ADD'],
    ])
    const before = await memory.search('Where do I live?', { asOf: new Date(START.getTime() + MINUTE) })
    expect(before.results[0]!.text).toContain('Trieste')
  })

  test('Working memory update on each turn: "根据 LLM 分析结果更新 current_topic 和 context_variables"', async () => {
    const { memory, pass } = await openThinking(by, {
      script: byPhrase({
        billing: {
          topic: 'the billing service in Rust',
          variables: { language: 'Rust', file: 'src/billing/invoice.rs' },
          emotion: 'frustrated',
        },
        晚饭: { topic: '晚饭吃什么', variables: { dish: '番茄炒蛋' }, emotion: 'happy' },
      }),
    })
    await tell(
      memory,
      'chat',
      'The billing service in Rust is so frustrating: src/billing/invoice.rs throws IndexOutOfBounds again!',
      'Let me look at it.',
    )
    await memory.idle()
    const first = await memory.workingMemory.get({ conversationId: 'chat' })
    expect(first).toMatchObject({ turnCount: 1, lastEmotion: 'frustrated' })
    expect(first.currentTopic).toMatch(/billing/i)
    expect(JSON.stringify(first.contextVariables)).toContain('src/billing/invoice.rs')

    pass(5 * MINUTE)
    await tell(memory, 'chat', '算了，先说晚饭吧，我想做番茄炒蛋，好开心！', '好主意！')
    await memory.idle()
    const second = await memory.workingMemory.get({ conversationId: 'chat' })
    expect(second).toMatchObject({
      turnCount: 2,
      lastEmotion: 'happy',
      updatedAt: new Date(START.getTime() + 5 * MINUTE).toISOString(),
    })
    expect(second.currentTopic).toMatch(/晚饭|番茄/)
    // Known variables of the conversation stay.
    expect(JSON.stringify(second.contextVariables)).toContain('src/billing/invoice.rs')
  })

  test('Working memory auto-cleanup: "会话无活动超过 30 分钟": thinking about a conversation is no activity in it', async () => {
    const { memory, pass } = await openThinking(by, { script: byPhrase({ 阳台: { topic: '阳台种菜' } }) })
    await tell(memory, 'chat', '我想在阳台种番茄和薄荷。', '好主意！')
    pass(20 * MINUTE)
    await memory.idle()
    const { currentTopic, updatedAt } = await memory.workingMemory.get({ conversationId: 'chat' })
    expect(currentTopic).toContain('阳台')
    expect(updatedAt).toBe(START.toISOString())
    pass(11 * MINUTE)
    await expect(memory.workingMemory.get({ conversationId: 'chat' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('Memory access tracking: "记忆内容被包含在 LLM 上下文中 … 更新 last_accessed 为当前时间 … 递增 access_count"', async () => {
    const { memory, pass } = await openThinking(by)
    const id = (await memory.add('我的合唱团每周四排练。', { infer: false })).results[0]!.id
    const unused = (await memory.add('The printer is out of cyan.', { infer: false })).results[0]!.id
    await memory.search('合唱团')
    expect(await memory.get(id)).toMatchObject({ accessCount: 0, lastAccessed: null })
    pass(MINUTE)
    await memory.context.build('合唱团什么时候排练？', { conversationId: 'chat' })
    expect(await memory.get(id)).toMatchObject({
      accessCount: 1,
      lastAccessed: new Date(START.getTime() + MINUTE).toISOString(),
    })
    pass(MINUTE)
    await memory.context.build('合唱团什么时候排练？', { conversationId: 'chat' })
    expect(await memory.get(id)).toMatchObject({
      accessCount: 2,
      lastAccessed: new Date(START.getTime() + 2 * MINUTE).toISOString(),
    })
    expect(await memory.get(unused)).toMatchObject({ accessCount: 0, lastAccessed: null })
  })

  test('Working memory context boost: "将 current_topic 相关关键词加入检索条件 … 应用 1.3x 的额外加成"', async () => {
    const { memory } = await openThinking(by, {
      script: byPhrase({ greenhouse: { topic: 'building the greenhouse' } }),
    })
    await memory.add('The greenhouse glass is ordered from the shop in Graz.', { infer: false })
    await memory.add('The shop on the corner opens at nine.', { infer: false })
    await tell(memory, 'chat', 'Today let us plan building the greenhouse, the greenhouse comes first.', 'Gladly.')
    await memory.idle()
    expect((await memory.workingMemory.get({ conversationId: 'chat' })).currentTopic).toMatch(/greenhouse/i)
    const ask = (conversationId?: string) =>
      memory.search('Which shop was it?', { ranking: 'long-term', explain: true, conversationId })
    const about = (answer: Awaited<ReturnType<typeof ask>>) => answer.results.find(({ text }) => text.includes('Graz'))!
    const [asked, alone] = [await ask('chat'), await ask()]
    const [inside, outside] = [about(asked), about(alone)]
    expect(inside.explanation!.multipliers).toContainEqual({ name: 'topic', factor: 1.3 })
    expect(outside.explanation!.multipliers).toEqual([])
    const corner = ({ results }: typeof asked) => results.find(({ text }) => text.includes('corner'))!.score
    expect(inside.score).toBeGreaterThan(corner(asked))
    expect(outside.score).toBeLessThan(corner(alone))
    // A word of the topic finds what the message alone does not name.
    const { results } = await memory.search('What about it?', { ranking: 'long-term', conversationId: 'chat' })
    expect(results.map(({ text }) => text).join()).toContain('Graz')
    expect((await memory.search('What about it?', { ranking: 'long-term' })).results).toEqual([])
  })
})
