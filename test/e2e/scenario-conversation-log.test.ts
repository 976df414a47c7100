/** The scenarios SC-LTM-001 to 006 of specification 003, end to end through the library, in English and Chinese. */
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory, type RecallView } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { everydayTurn, say, talk } from '../support/talk.ts'
import { reportOf, startWorker } from '../support/worker.ts'

const NOW = new Date('2026-01-17T15:00:00Z')
const DAY = 86_400_000
const RANKINGS = ['conversation', 'hybrid'] as const
const LANGUAGES = ['English', 'Chinese'] as const

function open(now: () => Date = () => NOW): Promise<OpenMemory> {
  return openMemory({ path: freshDatabase(), userId: 'one', clock: now })
}

/** Recalled turns, short enough to read in a failure. */
function short({ results }: RecallView) {
  return results.map(({ turnId, content, summary, isSummary }) => ({
    turnId,
    isSummary,
    text: (content ?? summary ?? '').slice(0, 70),
  }))
}

const ORDER_SERVICE = {
  English: {
    early: 'OrderService.submit() charges the customer twice when the button is pressed again; that is the problem.',
    answer: 'We decided that OrderService keeps an idempotency key for each basket.',
    late: 'OrderService is deployed with the key; the problem of double charging has not come back so far.',
    query: 'the OrderService problem we discussed before',
  },
  Chinese: {
    early: '用户连点两次按钮，OrderService.submit() 就会扣两次款，这是个问题。',
    answer: '我们决定让 OrderService 为每个购物车保存一个幂等键。',
    late: '带幂等键的 OrderService 已经上线，重复扣款的问题暂时没有再出现。',
    query: '之前讨论的 OrderService 问题',
  },
} as const

for (const language of LANGUAGES)
  for (const ranking of RANKINGS)
    test(`SC-LTM-001: memory reaches across 100 turns, early summary and recent turns in full (${language}, ${ranking})`, async () => {
      await using memory = await open()
      const { early, answer, late, query } = ORDER_SERVICE[language]
      const turns = talk(100, language, { 3: early, 4: answer, 97: late })
      await say(memory, 'long chat', turns, new Date(NOW.getTime() - 100 * 60_000))
      const view = await memory.conversations.recall(query, { ranking })
      const { results } = view
      const summary = results.find(({ isSummary }) => isSummary)
      // `hybrid` answers with the early turns themselves, which say more than their summary.
      const earlier = ranking === 'hybrid' ? results.find(({ turnId }) => turnId === 3)?.content : summary?.summary
      expect(earlier, JSON.stringify(short(view))).toContain('OrderService')
      if (summary !== undefined) expect(summary.turnId).toBeNull()
      const recent = results.find(({ turnId }) => turnId === 97)
      expect(recent?.content, JSON.stringify(short(view))).toBe(late)
      expect(view.totalSearched).toBeGreaterThanOrEqual(100)
      expect(results.length).toBeLessThanOrEqual(5)
    })

const PAYMENT = {
  English: {
    payment: 'processPayment has a bug: it runs the card a second time after a timeout.',
    validate: 'Let us refactor validateOrder so that the rules live in one table.',
    query: 'was the processPayment problem solved?',
  },
  Chinese: {
    payment: 'processPayment 函数有个 bug：超时以后会再刷一次卡。',
    validate: '我们来重构 validateOrder 函数，把规则放进一张表里。',
    query: '之前 processPayment 的问题解决了吗',
  },
} as const

const SHAPES: readonly {
  readonly name: string
  readonly total: number
  readonly payment: number
  readonly validate: number
}[] = [
  { name: 'turns 20 and 50 of 50', total: 50, payment: 20, validate: 50 },
  { name: 'turns 20 and 50 of 100', total: 100, payment: 20, validate: 50 },
  { name: 'turns 1 and 2 of 60', total: 60, payment: 1, validate: 2 },
  { name: 'turns 11 and 40 of 41', total: 41, payment: 11, validate: 40 },
  { name: 'an assistant turn 22 and a user turn 51 of 52', total: 52, payment: 22, validate: 51 },
  { name: 'turns 48 and 50, both recent', total: 50, payment: 48, validate: 50 },
]

for (const language of LANGUAGES)
  for (const ranking of RANKINGS)
    test(`SC-LTM-002: a symbol brings back its turn and not the unrelated one (${language}, ${ranking})`, async () => {
      for (const { name, total, payment, validate } of SHAPES) {
        await using memory = await open()
        const said = PAYMENT[language]
        const turns = talk(total, language, { [payment]: said.payment, [validate]: said.validate })
        await say(memory, 'shop', turns, new Date(NOW.getTime() - 3 * 3_600_000))
        const view = await memory.conversations.recall(said.query, { ranking })
        const shown = `${name}: ${JSON.stringify(short(view))}`
        expect(
          view.results.some(({ content }) => content === said.payment),
          shown,
        ).toBe(true)
        // `hybrid` may show what was said right beside the answer; what is far from it never.
        const unrelated = view.results.filter(({ turnId }) => turnId === validate)
        if (ranking === 'conversation' || validate - payment > 2) expect(unrelated, shown).toEqual([])
        expect(view.results[0]?.content ?? view.results[0]?.summary, shown).toContain('processPayment')
      }
    })

for (const language of LANGUAGES)
  test(`SC-LTM-003: ten turns leave a summary of the first five with symbols and conclusions, five stay in full (${language})`, async () => {
    await using memory = await open()
    const special =
      language === 'English'
        ? { 2: 'RetryQueue in src/queue.ts throws TimeoutError.', 4: 'We decided to use a mutex around RetryQueue.' }
        : { 2: 'src/queue.ts 里的 RetryQueue 抛出 TimeoutError。', 4: '我们决定给 RetryQueue 加互斥锁。' }
    const turns = talk(10, language, special)
    await say(memory, 'queue', turns.slice(0, 9), NOW)
    expect(await memory.conversations.summaries('queue')).toEqual([])
    await say(memory, 'queue', turns.slice(9), NOW)
    const [summary, ...others] = await memory.conversations.summaries('queue')
    expect(others).toEqual([])
    expect(summary).toMatchObject({ startTurn: 1, endTurn: 5 })
    expect(summary?.keySymbols).toEqual(expect.arrayContaining(['RetryQueue', 'src/queue.ts']))
    expect(summary?.keyDecisions.join()).toContain(language === 'English' ? 'mutex' : '互斥锁')
    expect(summary?.summary).toContain('RetryQueue')
    expect(Buffer.byteLength(summary?.summary ?? '')).toBeLessThan(500)
    const { items } = await memory.conversations.turns('queue')
    expect(items.map(({ content }) => content)).toEqual(turns.map(({ content }) => content))
  })

const CACHE = {
  English: {
    turns: [
      'Today we build the CacheManager: entries live in memory and are written to disk after a minute.',
      'CacheManager.evict() removes the entry that was used least recently.',
      'We decided that CacheManager holds at most 500 entries.',
    ],
    other: 'Let us talk about the garden shed and its roof.',
    query: 'continue with the cache implementation from yesterday',
  },
  Chinese: {
    turns: [
      '今天来实现 CacheManager：数据先放内存，一分钟后写到磁盘。',
      'CacheManager.evict() 会移除最久没有用过的数据。',
      '我们决定 CacheManager 最多保留 500 条。',
    ],
    other: '来聊聊花园里的小屋和它的屋顶。',
    query: '继续昨天的缓存实现',
  },
} as const

for (const language of LANGUAGES)
  for (const ranking of RANKINGS)
    for (const total of [6, 30])
      test(`SC-LTM-004: a new conversation goes on with yesterday's of ${total} turns (${language}, ${ranking})`, async () => {
        await using memory = await open()
        const said = CACHE[language]
        const yesterday = new Date(NOW.getTime() - DAY)
        await say(memory, 'last week', talk(20, language, { 5: said.other }), new Date(NOW.getTime() - 7 * DAY))
        await say(
          memory,
          'yesterday',
          talk(total, language, { 1: said.turns[0], 2: said.turns[1], 5: said.turns[2] }),
          yesterday,
        )
        await say(
          memory,
          'today',
          [{ role: 'user', content: language === 'English' ? 'Good morning!' : '早上好！' }],
          NOW,
        )
        const view = await memory.conversations.recall(said.query, { ranking })
        const shown = JSON.stringify(short(view))
        expect(view.results[0]?.conversationId, shown).toBe('yesterday')
        const texts = view.results.map(({ content, summary }) => content ?? summary ?? '')
        expect(texts[0], shown).toContain('CacheManager')
        if (ranking === 'conversation')
          expect(
            view.results.some(({ isSummary, summary }) => isSummary && summary?.includes('CacheManager')),
            shown,
          ).toBe(true)
        expect(texts.join(), shown).not.toContain(said.other)
      })

test('SC-LTM-005: two processes write conversations of two projects at once, nothing is mixed up and nobody waits in vain', async () => {
  const path = freshDatabase()
  await (await openMemory({ path })).close()
  const reports = await Promise.all([
    reportOf(startWorker('write', path, 'X', 200, 'conversation A')),
    reportOf(startWorker('write', path, 'Y', 200, 'conversation B')),
  ])
  expect(reports.map(({ done, failures }) => [done, failures])).toEqual([
    [200, []],
    [200, []],
  ])
  await using memory = await openMemory({ path, userId: 'one' })
  for (const [conversationId, writer] of [
    ['conversation A', 'X'],
    ['conversation B', 'Y'],
  ] as const) {
    const { items } = await memory.conversations.turns(conversationId, { limit: 1000 })
    expect(items.map(({ turnId, externalId }) => [turnId, externalId])).toEqual(
      Array.from({ length: 200 }, (_, at) => [at + 1, `${writer}-${at}`]),
    )
  }
  const { results } = await memory.conversations.recall('reserveStock7 库存记录', {
    conversationId: 'conversation A',
    limit: 50,
  })
  expect(new Set(results.map(({ conversationId }) => conversationId))).toEqual(new Set(['conversation A']))
})

test('SC-LTM-005: projects are told apart in recall', async () => {
  await using memory = await open()
  for (const project of ['/work/x', '/work/y'])
    await memory.conversations.store({
      conversationId: `talk of ${project}`,
      projectRoot: project,
      turns: [{ role: 'user', content: `loadConfig() in ${project} reads a YAML file 读取配置` }],
    })
  for (const ranking of RANKINGS) {
    const { results } = await memory.conversations.recall('loadConfig 读取配置', { projectRoot: '/work/y', ranking })
    expect(results.map(({ conversationId }) => conversationId)).toEqual(['talk of /work/y'])
  }
})

test('SC-LTM-006: of 60 days of conversations the last 30 stay, symbols and summaries with them', async () => {
  await using memory = await open()
  for (let day = 60; day >= 1; day -= 1) {
    // Half a day off the border, so that every day is clearly on one side of it.
    const start = new Date(NOW.getTime() - day * DAY + DAY / 2)
    await memory.conversations.store({
      conversationId: `day-${day}`,
      turns: Array.from({ length: 12 }, (_, at) => ({
        ...everydayTurn(at + 1, day % 2 === 0 ? 'English' : 'Chinese'),
        content: `Day ${day}: planRoute${day}() was called ${at} times 第${day}天`,
        createdAt: new Date(start.getTime() + at * 1000),
      })),
    })
  }
  for (let day = 60; day >= 1; day -= 1)
    await memory.conversations.store({
      conversationId: 'living',
      turns: [
        {
          role: 'user',
          content: `Diary ${day}: visitGarden${day}() 花园日记`,
          createdAt: new Date(NOW.getTime() - day * DAY + DAY / 2),
        },
      ],
    })
  const counts = await memory.conversations.delete({ olderThan: new Date(NOW.getTime() - 30 * DAY) })
  expect(counts).toMatchObject({ conversationsDeleted: 30, turnsDeleted: 30 * 12 + 30 })
  // One of each conversation that went, and those of the living one that spoke of old turns only.
  expect(counts.summariesDeleted).toBe(30 + 6)

  const { items } = await memory.conversations.list({ limit: 1000 })
  expect(items.map(({ conversationId }) => conversationId).sort()).toEqual(
    [...Array.from({ length: 30 }, (_, at) => `day-${at + 1}`), 'living'].sort(),
  )
  const living = await memory.conversations.turns('living')
  expect(living.items.map(({ turnId }) => turnId)).toEqual(Array.from({ length: 30 }, (_, at) => at + 31))
  const spans = await memory.conversations.summaries('living')
  for (const { startTurn, summary } of spans) {
    expect(startTurn).toBeGreaterThan(30)
    for (let day = 31; day <= 60; day += 1) expect(summary).not.toContain(`visitGarden${day}`)
  }
  for (const ranking of RANKINGS) {
    for (const day of [31, 45, 60])
      for (const name of [`planRoute${day}`, `visitGarden${day}`]) {
        const { results } = await memory.conversations.recall(name, { ranking, limit: 20 })
        expect(results.filter(({ content, summary }) => (content ?? summary)?.includes(name))).toEqual([])
      }
    for (const day of [1, 15, 30]) {
      const { results } = await memory.conversations.recall(`planRoute${day}`, { ranking })
      expect(results[0]?.conversationId).toBe(`day-${day}`)
    }
  }
  const [next] = await memory.conversations.store({
    conversationId: 'living',
    turns: [{ role: 'user', content: 'New.' }],
  })
  expect(next?.turnId).toBe(61)
  expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
})
