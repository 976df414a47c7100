/** Storing and recalling from a shell, in the shapes of specification 003. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

test('a turn is stored, acknowledged with its number and symbols, and recalled by another process', async () => {
  const cwd = emptyFolder()
  const stored = await answer(
    'memory_store',
    [
      '--conversation',
      'conv-1',
      '--role',
      'assistant',
      '--content',
      'processPayment 函数在 src/order.ts 里存在并发问题',
    ],
    { cwd },
  )
  expect(stored).toMatchObject({ turn_id: 1, conversation_id: 'conv-1', stored_at: expect.stringMatching(ISO) })
  expect(stored.symbols_extracted).toEqual(expect.arrayContaining(['processPayment', 'src/order.ts']))

  const recalled = await answer('memory_recall', ['--query', 'processPayment 函数的问题', '--limit', '5'], { cwd })
  expect(Object.keys(recalled)).toEqual(['results', 'total_searched', 'latency_ms'])
  expect(recalled.total_searched).toBe(1)
  expect(recalled.latency_ms).toBeTypeOf('number')
  const [first] = objects(recalled.results)
  expect(first).toMatchObject({
    conversation_id: 'conv-1',
    turn_id: 1,
    role: 'assistant',
    content: 'processPayment 函数在 src/order.ts 里存在并发问题',
    created_at: expect.stringMatching(ISO),
    is_summary: false,
  })
  expect(first?.relevance).toBeGreaterThan(0)
  expect(first?.relevance).toBeLessThanOrEqual(1)
  expect(readdirSync(join(cwd, '.devbooks'))).toContain('conversation-memory.db')
})

test('a question needs no flag, only quotes', async () => {
  const cwd = emptyFolder()
  await answer('memory_store', ['--conversation', '厨房', '--role', 'user', '--content', '烤箱坏了，周五有人来修。'], {
    cwd,
  })
  const { results } = await answer('mneme', ['recall', '烤箱什么时候修'], { cwd })
  expect(results).toMatchObject([{ conversation_id: '厨房', turn_id: 1 }])
})

test('without --conversation a new one is made, and its id continues it', async () => {
  const cwd = emptyFolder()
  const first = await answer('memory_store', ['--role', 'user', '--content', 'Let us begin.'], { cwd })
  const id = String(first.conversation_id)
  expect(id).toMatch(/^conv-\d{8}-[0-9a-f]+$/)
  const second = await answer('memory_store', ['--conversation', id, '--role', 'user', '--content', '继续。'], { cwd })
  expect(second).toMatchObject({ conversation_id: id, turn_id: 2 })
})

test('content comes from standard input byte for byte, without the line break that echo adds', async () => {
  const cwd = emptyFolder()
  const text = '  第一行\n\n\tsecond line — ünïcode 👩‍👩‍👧  \n'
  const store = (input: string) =>
    answer('memory_store', ['--conversation', 'c', '--role', 'user', '--content', '-'], { cwd, input })
  await store(text)
  await store(`${text}\n`)
  const shown = await answer('mneme', ['conversations', 'show', 'c'], { cwd })
  const turns = objects((shown.turns as { items: [] }).items)
  expect(turns.map((turn) => turn.content)).toEqual([text.slice(0, -1), text])
})

test('many turns come as JSON lines, each in its conversation, and are answered in their order', async () => {
  const cwd = emptyFolder()
  const lines = [
    {
      role: 'user',
      content: 'What did we decide about retries?',
      conversation_id: 'a',
      created_at: '2026-05-07T10:00:00Z',
    },
    { role: 'assistant', content: '添加重试机制', conversation_id: 'b', external_id: 'm-7', metadata: { Ünï: [1] } },
    { role: 'assistant', content: 'Three attempts.', conversation_id: 'a', speaker: 'Mei' },
    { role: 'user', content: 'A line without a conversation' },
  ]
  const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`
  const { code, stdout } = await run('memory_store', ['--stdin', '--conversation', 'rest'], { cwd, input })
  expect(code).toBe(0)
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(results.map(({ conversation_id, turn_id }) => [conversation_id, turn_id])).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 2],
    ['rest', 1],
  ])
  expect(results[1]).toMatchObject({ external_id: 'm-7', existed: false })
  const again = await run('memory_store', ['--stdin'], { cwd, input: JSON.stringify(lines[1]) })
  expect(JSON.parse(again.stdout)).toMatchObject({ turn_id: 1, existed: true })
})

test('of many lines nothing is stored when one of them is wrong, and the line is named', async () => {
  const cwd = emptyFolder()
  const input = '{"role":"user","content":"good","conversation_id":"a"}\n{"role":"robot","content":"x"}\n'
  const { code, stderr, stdout } = await run('memory_store', ['--stdin'], { cwd, input })
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/line 2: role: "robot" is not known/)
  expect(readdirSync(cwd)).toEqual([])
})

test('recall keeps to the conversation, the project, the time and the user that were asked for', async () => {
  const cwd = emptyFolder()
  const store = (conversation: string, content: string, more: string[] = []) =>
    answer('memory_store', ['--conversation', conversation, '--role', 'user', '--content', content, ...more], { cwd })
  await store('x', 'The cache of project X uses LRU.', ['--project', '/srv/x', '--created-at', '2026-03-01'])
  await store('y', 'The cache of project Y uses LFU.', ['--project', '/srv/y', '--created-at', '2026-04-01'])
  await store('z', '另一个人的缓存 cache', ['--user', '小明'])
  const recall = async (...words: string[]) =>
    objects((await answer('memory_recall', ['--query', 'cache', ...words], { cwd })).results).map(
      (result) => result.conversation_id,
    )
  expect((await recall()).toSorted()).toEqual(['x', 'y'])
  expect(await recall('--conversation', 'y')).toEqual(['y'])
  expect(await recall('--project', '/srv/x')).toEqual(['x'])
  expect(await recall('--since', '2026-03-15T00:00:00Z')).toEqual(['y'])
  expect(await recall('--until', '2026-03-15T00:00:00+08:00')).toEqual(['x'])
  expect(await recall('--limit', '1')).toHaveLength(1)
  expect(await recall('--user', '小明')).toEqual(['z'])
  expect(await recall('--user', 'nobody')).toEqual([])
})

test('two databases are two memories', async () => {
  const cwd = emptyFolder()
  await answer('memory_store', ['--db', 'one.db', '--role', 'user', '--content', 'The kitchen is blue.'], { cwd })
  await answer('memory_store', ['--role', 'user', '--content', '厨房是红的'], { cwd, env: { MNEME_DB: 'two.db' } })
  const total = async (db: string) =>
    (await answer('memory_recall', ['--db', db, '--query', 'kitchen 厨房'], { cwd: emptyFolder() })).results
  expect(objects(await total(join(cwd, 'one.db'))).map((result) => result.content)).toEqual(['The kitchen is blue.'])
  expect(objects(await total(join(cwd, 'two.db'))).map((result) => result.content)).toEqual(['厨房是红的'])
})

test('an explanation gives the features, their weights and the words that matched', async () => {
  const cwd = emptyFolder()
  await answer('memory_store', ['--role', 'user', '--content', 'validateOrder checks the stock first.'], { cwd })
  const words = ['--query', 'validateOrder', '--explain', '--pretty']
  for (const ranking of ['conversation', 'hybrid', 'long-term']) {
    const { results } = await answer('memory_recall', [...words, '--ranking', ranking], { cwd })
    const explanation = objects(results)[0]?.explanation
    expect(explanation).toMatchObject({ ranking, score: expect.any(Number), features: expect.any(Array) })
  }
})

test('summaries come back with their span and without a turn number', async () => {
  const cwd = emptyFolder()
  const lines = Array.from({ length: 12 }, (_, index) =>
    JSON.stringify({
      conversation_id: 'long',
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Step ${index + 1}: we decided to move OrderService.step${index + 1} behind the queue.`,
      created_at: new Date(Date.UTC(2026, 0, 10, 9, index)).toISOString(),
    }),
  )
  await run('memory_store', ['--stdin'], { cwd, input: lines.join('\n') })
  const { results } = await answer('memory_recall', ['--query', 'OrderService', '--kinds', 'summary'], { cwd })
  const [summary] = objects(results)
  expect(summary).toMatchObject({
    conversation_id: 'long',
    turn_id: null,
    summary: expect.stringContaining('OrderService'),
    is_summary: true,
    span: { from: 1, to: 5 },
  })
  expect(summary).not.toHaveProperty('content')
})

test('operators of SQL and of full-text search are taken as text', async () => {
  const cwd = emptyFolder()
  const texts = [`it's "quoted" OR NOT (NEAR)`, "'; DROP TABLE turns; --", '100% of * and _ and \\', 'a" OR "b']
  for (const content of texts)
    await answer('memory_store', ['--conversation', 'c', '--role', 'user', '--content', content], { cwd })
  for (const query of [
    ...texts,
    'NEAR(',
    '*',
    '%',
    '"',
    'quoted AND',
    'col:quoted',
    '^quoted',
    '-quoted',
    '{a b}',
    '()',
  ])
    expect((await run('memory_recall', ['--query', query], { cwd })).code).toBe(0)
  const { results } = await answer('memory_recall', ['--query', 'a" OR "quoted', '--ranking', 'hybrid'], { cwd })
  expect(objects(results)[0]?.content).toBe(texts[0])
  expect(await answer('mneme', ['stats'], { cwd })).toMatchObject({ turns: texts.length })
})
