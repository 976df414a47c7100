/** The tests that specification 003 names in its test contract, each under its name, through the library. */
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { say, talk } from '../support/talk.ts'
import { reportOf, startWorker } from '../support/worker.ts'

const NOW = new Date('2026-02-11T10:00:00Z')
const open = () => openMemory({ path: freshDatabase(), userId: 'one', clock: () => NOW })

test('test_store_and_recall_single_turn', async () => {
  await using memory = await open()
  const content = 'mergeInvoices() 在 src/billing.ts 里漏掉了运费。'
  const [stored] = await memory.conversations.store({ conversationId: 'bill', turns: [{ role: 'assistant', content }] })
  expect(stored).toEqual({
    turnId: 1,
    conversationId: 'bill',
    symbolsExtracted: expect.arrayContaining(['mergeInvoices', 'src/billing.ts']),
    storedAt: NOW.toISOString(),
    existed: false,
  })
  for (const ranking of ['hybrid', 'conversation', 'long-term'] as const) {
    const { results, totalSearched, latencyMs } = await memory.conversations.recall('mergeInvoices 运费', { ranking })
    expect(results).toMatchObject([{ conversationId: 'bill', turnId: 1, role: 'assistant', content, isSummary: false }])
    expect(totalSearched).toBe(1)
    expect(latencyMs).toBeGreaterThanOrEqual(0)
  }
})

test('test_symbol_extraction', async () => {
  await using memory = await open()
  const symbols = async (content: string) =>
    (await memory.conversations.store({ turns: [{ role: 'user', content }] }))[0]?.symbolsExtracted
  expect(await symbols('getUserById calls UserStore in lib/users.js and throws NetworkError')).toEqual(
    expect.arrayContaining(['getUserById', 'UserStore', 'lib/users.js', 'NetworkError']),
  )
  expect(await symbols('调用parseHeader函数时PacketReader类抛出RangeError，见src/net/packet.rs')).toEqual(
    expect.arrayContaining(['parseHeader', 'PacketReader', 'RangeError', 'src/net/packet.rs']),
  )
  expect(await symbols('Tomorrow I visit Aunt Mary in London. 明天去看姑姑。')).toEqual([])
})

test('test_recall_across_100_turns', async () => {
  await using memory = await open()
  await say(
    memory,
    'chat',
    talk(100, 'English', { 7: 'The spare key of the boat house is under the third flower pot.' }),
    NOW,
  )
  for (const ranking of ['hybrid', 'conversation'] as const) {
    const { results } = await memory.conversations.recall('where is the spare key of the boat house?', { ranking })
    expect(JSON.stringify(results)).toContain('flower pot')
  }
})

test('test_summary_generation', async () => {
  await using memory = await open()
  await say(memory, 'chat', talk(10, 'Chinese', { 3: '我们决定用 WebSocket 推送消息，因为 pollServer() 太慢。' }), NOW)
  const made = await memory.conversations.summarize('chat', { fromTurn: 1, toTurn: 10 })
  expect(made).toMatchObject({ conversationId: 'chat', turnsSummarized: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
  expect(made.keySymbols).toContain('pollServer')
  expect(made.keyDecisions.join()).toContain('WebSocket')
  expect(Buffer.byteLength(made.summary)).toBeLessThan(500)
  expect(made.summary.isWellFormed()).toBe(true)
})

test('test_symbol_based_recall_accuracy', async () => {
  await using memory = await open()
  const names = ['openValve', 'closeValve', 'readGauge', 'PumpDriver', 'src/pump/driver.c', 'PressureError']
  const special = Object.fromEntries(names.map((name, at) => [at * 9 + 2, `Note ${at}: ${name} 需要再检查一次`]))
  await say(memory, 'chat', talk(70, 'English', special), NOW)
  for (const ranking of ['hybrid', 'conversation'] as const)
    for (const [at, name] of names.entries()) {
      const { results } = await memory.conversations.recall(`what about ${name}?`, { ranking })
      expect(results[0]?.content ?? results[0]?.summary, name).toContain(name)
      expect(
        results.some(({ turnId }) => turnId === at * 9 + 2),
        `${ranking} ${name}`,
      ).toBe(true)
    }
})

test('test_concurrent_sessions', async () => {
  await using memory = await open()
  await Promise.all(
    Array.from({ length: 400 }, (_, at) =>
      memory.conversations.store({
        conversationId: `session-${at % 8}`,
        turns: [{ role: 'user', content: `Session ${at % 8} says line ${Math.floor(at / 8)}` }],
      }),
    ),
  )
  for (let session = 0; session < 8; session += 1) {
    const { items } = await memory.conversations.turns(`session-${session}`)
    expect(items.map(({ content }) => content)).toEqual(
      Array.from({ length: 50 }, (_, line) => `Session ${session} says line ${line}`),
    )
  }
})

test('test_memory_cleanup', async () => {
  await using memory = await open()
  for (const id of ['a', 'b', 'c']) await say(memory, id, talk(12, 'English'), new Date('2025-12-01T00:00:00Z'))
  await say(memory, 'd', talk(12, 'Chinese'), NOW)
  expect(await memory.conversations.delete({ conversationId: 'a' })).toMatchObject({
    conversationsDeleted: 1,
    turnsDeleted: 12,
    summariesDeleted: 1,
  })
  expect(await memory.conversations.delete({ olderThan: '2026-01-01' })).toMatchObject({
    conversationsDeleted: 2,
    turnsDeleted: 24,
    summariesDeleted: 2,
  })
  expect(await memory.conversations.delete({ olderThan: '2026-01-01' })).toMatchObject({
    conversationsDeleted: 0,
    turnsDeleted: 0,
    summariesDeleted: 0,
    spaceFreedKb: 0,
  })
  expect(await memory.conversations.delete({ all: true })).toMatchObject({
    conversationsDeleted: 1,
    turnsDeleted: 12,
    summariesDeleted: 1,
  })
  expect((await memory.conversations.list()).total).toBe(0)
})

test('test_large_history_performance', async () => {
  await using memory = await open()
  for (let first = 0; first < 1000; first += 50)
    await memory.conversations.store({
      conversationId: `chat-${first}`,
      turns: talk(50, first % 100 === 0 ? 'English' : 'Chinese', { 20: `updateLedger${first}() 第${first}页` }),
    })
  const { results, latencyMs } = await memory.conversations.recall('updateLedger350', { ranking: 'conversation' })
  expect(results[0]?.content ?? results[0]?.summary).toContain('updateLedger350')
  expect(latencyMs).toBeGreaterThanOrEqual(0)
})

test('test_e2e_memory_persistence', async () => {
  const path = freshDatabase()
  {
    await using memory = await openMemory({ path, userId: 'one' })
    await say(memory, 'chat', talk(23, 'Chinese', { 2: 'exportLedger() 明天再写' }), NOW)
    await memory.add('Prefers short answers.', { infer: false, category: 'preference' })
  }
  await using memory = await openMemory({ path, userId: 'one' })
  expect((await memory.conversations.turns('chat')).total).toBe(23)
  expect((await memory.conversations.summaries('chat')).length).toBeGreaterThan(0)
  expect((await memory.conversations.recall('exportLedger')).results.length).toBeGreaterThan(0)
  expect((await memory.search('short answers')).results).toHaveLength(1)
})

test('test_cross_session_memory', async () => {
  const path = freshDatabase()
  await (await openMemory({ path })).close()
  await using memory = await openMemory({ path, userId: 'one' })
  expect((await memory.conversations.recall('reserveStock12')).results).toEqual([])
  // Another process stores; the open one sees it at its next recall.
  const report = await reportOf(startWorker('write', path, 'w', 40, 'elsewhere'))
  expect(report.failures).toEqual([])
  const { results } = await memory.conversations.recall('reserveStock12')
  expect(JSON.stringify(results)).toContain('reserveStock12')
})

test('test_incremental_summarization', async () => {
  await using memory = await open()
  const turns = talk(63, 'English')
  for (const [at, turn] of turns.entries()) {
    await say(memory, 'chat', [turn], new Date(NOW.getTime() + at))
    const spans = await memory.conversations.summaries('chat')
    const stored = at + 1
    // Every turn is in the window of at most nine or in exactly one span.
    expect(spans.map(({ startTurn, endTurn }) => [startTurn, endTurn])).toEqual(
      Array.from({ length: stored < 10 ? 0 : Math.floor((stored - 5) / 5) }, (_, span) => [span * 5 + 1, span * 5 + 5]),
    )
  }
})
