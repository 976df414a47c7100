import { expect, test } from 'vitest'
import { inMemorySources, type PlainTurn } from '../../test/support/in-memory-view.ts'
import { DAY_MS, MINUTE_MS } from '../domain/clock.ts'
import type { RecallRequest, RecallResult } from '../domain/recall.ts'
import type { Summary } from '../domain/turn.ts'
import type { Summarize } from './conversation-answer.ts'
import { answerFromView } from './rank-turns.ts'

const NOW = Date.UTC(2026, 0, 17, 10, 30)

function chat(conversationId: string, start: number, contents: readonly string[]): PlainTurn[] {
  return contents.map((content, index) => ({
    conversationId,
    content,
    role: index % 2 === 0 ? 'user' : 'assistant',
    createdAt: start + index * MINUTE_MS,
  }))
}

function summary(conversationId: string, startTurn: number, endTurn: number, text: string): Summary {
  return {
    summaryId: startTurn,
    conversationId,
    startTurn,
    endTurn,
    summary: text,
    keySymbols: [],
    keyDecisions: [],
    createdAt: NOW - DAY_MS,
  }
}

async function recall(
  turns: readonly PlainTurn[],
  query: string,
  {
    summaries = [],
    summarize,
    ...options
  }: Partial<RecallRequest> & { summaries?: readonly Summary[]; summarize?: Summarize } = {},
): Promise<readonly RecallResult[]> {
  const request: RecallRequest = {
    query,
    userId: 'local',
    conversationId: null,
    projectRoot: null,
    limit: 5,
    ranking: 'conversation',
    kinds: ['turn', 'summary'],
    now: NOW,
    since: null,
    until: null,
    explain: false,
    ...options,
  }
  const sources = inMemorySources(turns, summaries)
  return (await answerFromView(request, summarize === undefined ? sources : { ...sources, summarize })).results
}

/** SC-LTM-002: turn 20 is about processPayment, turn 50, the newest, about validateOrder. */
function paymentChat(): PlainTurn[] {
  const contents = Array.from({ length: 50 }, (_, index) => `第 ${index + 1} 轮：随便聊聊今天的天气和午饭`)
  contents[19] = '`processPayment` 函数有一个 bug，重复扣款的问题要加锁解决'
  contents[49] = '`validateOrder` 函数之前的问题和 bug 都解决了吗？我在重构它'
  return chat('项目', NOW - DAY_MS, contents)
}

test('a query that names a symbol brings back the turns about it and not those that share only other words', async () => {
  const results = await recall(paymentChat(), '之前 processPayment 的问题解决了吗')
  expect(results[0]?.turnId).toBe(20)
  expect(results.map(({ turnId }) => turnId)).not.toContain(50)
})

test('the same holds in English, whatever the case of the symbol', async () => {
  const turns = chat('c', NOW - DAY_MS, [
    'The processPayment function has a bug: it charges twice.',
    'We refactored validateOrder, the bug and the problem from before are solved.',
  ])
  const results = await recall(turns, 'Is the earlier processpayment problem solved? I mean ProcessPayment.')
  expect(results.map(({ turnId }) => turnId)).toEqual([1])
})

test('a plain word of the question is a symbol where the turns that say it mention it as one', async () => {
  const contents = [
    '`pluralize` turns ox into oxs',
    'The ox is fed.',
    '`titleize` needs a refactoring',
    'I fed it, too.',
  ]
  const turns = chat('c', NOW - DAY_MS, contents)
  const summaries = [summary('c', 1, 3, 'The user speaks of oxen and titleize.')]
  for (const query of [
    'Is the refactoring of pluralize done?',
    '之前pluralize的问题解决了吗',
    'what about Pluralize',
  ]) {
    const results = await recall(turns, query, { summaries })
    expect(results.map(({ turnId }) => turnId).slice(0, 2), query).toEqual([1, null])
  }
})

test('a word that most turns say plainly is no symbol for one mention in backticks', async () => {
  const turns = chat('c', NOW - DAY_MS, [
    '`basket` is stale',
    'A basket of figs.',
    'Another basket came.',
    'Figs are ripe.',
  ])
  const found = (await recall(turns, 'Which figs were in the basket?')).map(({ turnId }) => turnId)
  expect(found).toEqual(expect.arrayContaining([2, 4]))
})

test('a symbol asked for inside another name is found by the piece, and by all of its parts when nothing else is', async () => {
  const turns = chat('c', NOW - DAY_MS, [
    'call orders.processPayment() only once',
    'PaymentRetryHandler wakes up every minute',
    'lunch was fine',
  ])
  expect((await recall(turns, 'what did we say about `processPayment`?')).map(({ turnId }) => turnId)).toContain(1)
  expect((await recall(turns, 'why does RetryPaymentHandler wake up')).map(({ turnId }) => turnId)[0]).toBe(2)
})

test('a query of nothing but filler brings nothing back', async () => {
  for (const query of ['函数', '问题', '之前的问题解决了吗', 'the function', 'what was the problem with the code?']) {
    expect(await recall(paymentChat(), query), query).toEqual([])
  }
})

test('one Han character, or a pair that only bridges two words of the query, is no hit', async () => {
  const turns = chat('c', NOW - 3 * DAY_MS, ['我们存实验数据', '缓慢的的士', '天气好', '库存不多了'])
  expect(await recall(turns, '缓存实现')).toEqual([])
  expect(await recall(turns, '继续之前的缓存实现')).toEqual([])
})

test('a long word that contains a filler word is still found', async () => {
  const turns = chat('c', NOW - 3 * DAY_MS, ['代码库搬家了', '今天下雨'])
  expect((await recall(turns, '代码库')).map(({ turnId }) => turnId)[0]).toBe(1)
})

test('a question for the newest turns is answered by the newest turns', async () => {
  const turns = chat('c', NOW - DAY_MS, ['买了牛奶', '去了公园', '写了一封信'])
  expect((await recall(turns, '继续', { limit: 2 })).map(({ turnId }) => turnId)).toEqual([3, 2])
  expect((await recall(turns, 'where were we?', { limit: 1 })).map(({ turnId }) => turnId)).toEqual([3])
})

test('yesterday alone brings back yesterday', async () => {
  const turns = [
    ...chat('old', NOW - 9 * DAY_MS, ['我们去爬山了']),
    ...chat('yesterday', NOW - DAY_MS, ['晚饭吃了火锅']),
    ...chat('today', NOW - MINUTE_MS, ['早上喝了咖啡']),
  ]
  expect((await recall(turns, '昨天聊了什么')).map(({ conversationId }) => conversationId)).toEqual(['yesterday'])
  expect((await recall(turns, 'what did we talk about yesterday?')).map((one) => one.conversationId)).toEqual([
    'yesterday',
  ])
})

test('a new session goes on with yesterday: 缓存 finds CacheManager, and yesterday comes before last month', async () => {
  const turns = [
    ...chat('last-month', NOW - 30 * DAY_MS, ['CacheManager 第一版讨论', '先这样']),
    ...chat('yesterday', NOW - DAY_MS, ['CacheManager 用 LRU 淘汰旧的条目', '下一步写测试']),
    ...chat('today', NOW - MINUTE_MS, ['早上好']),
  ]
  const results = await recall(turns, '继续昨天的缓存实现')
  expect(results[0]).toMatchObject({ conversationId: 'yesterday', turnId: 1 })
  expect(results.map(({ conversationId }) => conversationId)).not.toContain('today')
})

test('a covered hit is shown once by its summary, and by itself when its symbols match', async () => {
  const contents = ['我想喝龙井茶', '龙井茶产自杭州', '好的', '`OrderService` 里的龙井', '嗯', '今天天气不错']
  const turns = chat('c', NOW - DAY_MS, contents)
  const summaries = [summary('c', 1, 5, '讨论了龙井茶和 OrderService')]
  const byWord = await recall(turns, '龙井茶', { summaries })
  expect(byWord.filter(({ isSummary }) => isSummary)).toHaveLength(1)
  expect(byWord.map(({ turnId }) => turnId)).not.toContain(1)
  const bySymbol = await recall(turns, 'OrderService', { summaries })
  expect(bySymbol.map(({ turnId }) => turnId)).toContain(4)
  expect(bySymbol.some(({ isSummary }) => isSummary)).toBe(true)
  expect(bySymbol.find(({ isSummary }) => isSummary)?.span).toEqual({ from: 1, to: 5 })
})

test('the relevance of a summary is the formula of 003, too, and its turn stands before it', async () => {
  const said = Array.from({ length: 8 }, (_, index) =>
    index === 1 ? '`OrderService` 里聊到龙井茶' : `别的事 ${index}`,
  )
  const results = await recall(chat('c', NOW - DAY_MS, said), 'OrderService', {
    summaries: [summary('c', 1, 5, '讨论了 OrderService')],
    explain: true,
  })
  expect(results.slice(0, 2).map(({ isSummary }) => isSummary)).toEqual([false, true])
  for (const { relevance, explanation } of results.slice(0, 2)) {
    expect(explanation).toMatchObject({ multipliers: [] })
    expect(explanation!.features.map(({ weight }) => weight)).toEqual([0.4, 0.3, 0.3])
    expect(explanation!.features.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(relevance, 3)
  }
})

test('after a hundred turns about one service the answer holds an early summary and recent turns in full', async () => {
  const contents = Array.from({ length: 100 }, (_, index) => `第 ${index + 1} 轮讨论 OrderService 的问题`)
  const summaries = Array.from({ length: 19 }, (_, index) =>
    summary('c', index * 5 + 1, index * 5 + 5, `讨论了 OrderService，第 ${index + 1} 段`),
  )
  const results = await recall(chat('c', NOW - 100 * MINUTE_MS, contents), '之前讨论的 OrderService 问题', {
    summaries,
  })
  expect(results).toHaveLength(5)
  expect(results.some(({ isSummary }) => isSummary)).toBe(true)
  expect(results.some(({ turnId }) => turnId !== null && turnId > 95)).toBe(true)
})

test('recent turns follow the hits of their conversation with less relevance, but never come alone', async () => {
  const turns = chat('c', NOW - DAY_MS, [
    'The kettle from Kyoto leaks at the handle.',
    'That is sad.',
    'Let us go for a walk.',
    '`renderPage` is slow, by the way',
  ])
  const results = await recall(turns, 'kettle from Kyoto')
  expect(results[0]?.turnId).toBe(1)
  expect(results.slice(1).map(({ turnId }) => turnId)).toEqual([3, 2])
  expect(results[1]!.relevance).toBeLessThan(results[0]!.relevance)
  expect(await recall(turns, 'submarine')).toEqual([])
})

test('003 REQ-LTM-002: behind the summary of what is older stand the newest five turns in full, and no sixth', async () => {
  const turns = chat('c', NOW - DAY_MS, ['We picked the larch cladding.', ...Array.from({ length: 11 }, () => 'Fine.')])
  const results = await recall(turns, 'larch cladding', {
    summaries: [summary('c', 1, 5, 'User: We picked the larch cladding.')],
    limit: 20,
  })
  const shown = results.filter(({ turnId }) => turnId !== null && turnId > 5).map(({ turnId }) => turnId)
  expect(shown.toSorted()).toEqual([10, 11, 12, 8, 9])
  expect(results.some(({ isSummary }) => isSummary)).toBe(true)
})

test('kinds decide whether turns or summaries come back', async () => {
  const turns = chat('c', NOW - DAY_MS, ['我想喝龙井茶', '好', '好', '好', '好', '又是龙井茶'])
  const summaries = [summary('c', 1, 5, '龙井茶')]
  const onlyTurns = await recall(turns, '龙井茶', { summaries, kinds: ['turn'] })
  expect(onlyTurns.map(({ turnId }) => turnId)).toEqual(expect.arrayContaining([1, 6]))
  const onlySummaries = await recall(turns, '龙井茶', { summaries, kinds: ['summary'] })
  expect(onlySummaries.map(({ isSummary }) => isSummary)).toEqual([true])
})

test('the explanation is the formula of 003 and adds up', async () => {
  const [first] = await recall(paymentChat(), '之前 processPayment 的问题解决了吗', { explain: true })
  const explanation = first!.explanation!
  expect(explanation.features.map(({ feature, weight }) => [feature, weight])).toEqual([
    ['symbol_match', 0.4],
    ['recency', 0.3],
    ['context_similarity', 0.3],
  ])
  const sum = explanation.features.reduce((total, { contribution }) => total + contribution, 0)
  expect(sum).toBeCloseTo(first!.relevance, 10)
  expect(explanation.arms).toContain('symbol')
})

/** Says how many turns it was given, and their first words. */
const countTurns: Summarize = (turns) => `${turns.length} turns: ${turns.map(({ content }) => content[0]).join('')}`

test('whoever asks for a time gets the gist of a short conversation besides its turns', async () => {
  const day = NOW - DAY_MS
  const turns = [
    ...chat('garden', day, ['A bed for the leeks was dug.', 'Beans come next to it.', 'Compost arrives on Friday.']),
    ...chat('alone', day, ['Do the beans need water?']),
    ...chat('going on', NOW - 10 * MINUTE_MS, ['Every bean is planted.', 'Fine.']),
  ]
  const results = await recall(turns, 'What did we do yesterday in the bed for the beans?', { summarize: countTurns })
  const gists = results.filter(({ isSummary }) => isSummary)
  expect(gists).toMatchObject([
    {
      conversationId: 'garden',
      turnId: null,
      text: '3 turns: ABC',
      span: { from: 1, to: 3 },
      createdAt: day + 2 * MINUTE_MS,
    },
  ])
  expect(results.filter(({ isSummary }) => !isSummary).map(({ text }) => text)).toContain('Beans come next to it.')

  const options = { summarize: countTurns, kinds: ['turn'] } as const
  const asked: readonly [string, Partial<RecallRequest>][] = [
    ['Where do the beans come?', {}],
    ['Where did we plant beans yesterday?', options],
    ['Where did we plant beans yesterday?', { limit: 2 }],
    // A part of the conversation lies outside of what was asked for.
    ['Where did we plant beans yesterday?', { until: day + MINUTE_MS }],
  ]
  for (const [query, more] of asked) {
    const found = await recall(turns, query, { summarize: countTurns, ...more })
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ isSummary }) => isSummary)).toEqual([])
  }
})

test('问到昨天时，有滚动摘要的长对话不再另作摘要', async () => {
  const turns = chat(
    '装修',
    NOW - DAY_MS,
    Array.from({ length: 12 }, (_, index) => `第${index}件：厨房的瓷砖贴到第${index}排`),
  )
  const results = await recall(turns, '昨天厨房的瓷砖贴得怎么样', {
    summarize: countTurns,
    summaries: [summary('装修', 1, 5, '瓷砖贴了五排')],
  })
  const gists = results.filter(({ isSummary }) => isSummary)
  expect(gists.map(({ text }) => text)).toEqual(['瓷砖贴了五排'])
  // A summary is of the time that it tells of, whenever it was written.
  expect(gists[0]?.createdAt).toBe(NOW - DAY_MS + 4 * MINUTE_MS)
})
