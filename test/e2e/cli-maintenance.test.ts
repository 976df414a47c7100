/** Summaries, cleanup, reindexing, checks and the live state, from a shell. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const DAY = 24 * 60 * 60 * 1000

/** Stores one turn a day, `days` of them, the newest half a day old, in conversations of ten turns. */
async function diary(cwd: string, days: number): Promise<void> {
  const input = Array.from({ length: days }, (_, index) =>
    JSON.stringify({
      conversation_id: `week-${Math.floor(index / 10)}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `第 ${index} 天：OrderService.step${index} 决定使用互斥锁 (secret${index}word).`,
      created_at: new Date(Date.now() - (days - index - 0.5) * DAY).toISOString(),
    }),
  ).join('\n')
  const { code, stderr } = await run('memory_store', ['--stdin'], { cwd, input })
  expect([code, stderr]).toEqual([0, ''])
}

test('memory_summarize answers with the turns, key symbols and key decisions of specification 003', async () => {
  const cwd = emptyFolder()
  for (const [role, content] of [
    ['user', 'processPayment 有并发问题，怎么办？'],
    ['assistant', '决定使用互斥锁保护 OrderService.processPayment 的关键区域。'],
    ['user', 'We decided to add a retry with backoff to PaymentClient as well.'],
  ] as const)
    await answer('memory_store', ['--conversation', 'c', '--role', role, '--content', content], { cwd })
  const summary = await answer('memory_summarize', ['--conversation', 'c', '--from-turn', '1', '--to-turn', '3'], {
    cwd,
  })
  expect(Object.keys(summary).slice(0, 6)).toEqual([
    'summary_id',
    'conversation_id',
    'turns_summarized',
    'summary',
    'key_symbols',
    'key_decisions',
  ])
  expect(summary).toMatchObject({ conversation_id: 'c', turns_summarized: [1, 2, 3] })
  expect(summary.key_symbols).toEqual(expect.arrayContaining(['processPayment']))
  expect(summary.key_decisions).not.toEqual([])
  expect(Buffer.byteLength(String(summary.summary))).toBeLessThanOrEqual(500)
})

test('--older-than deletes what is older with its symbols, keeps the rest, and leaves no byte of the text', async () => {
  const cwd = emptyFolder()
  await diary(cwd, 60)
  const report = await answer('memory_cleanup', ['--older-than', '30d'], { cwd })
  expect(Object.keys(report).toSorted()).toEqual([
    'conversations_deleted',
    'memories_deleted',
    'space_freed_kb',
    'summaries_deleted',
    'turns_deleted',
  ])
  expect(report).toMatchObject({ conversations_deleted: 3, turns_deleted: 30 })
  expect(await answer('mneme', ['stats'], { cwd })).toMatchObject({ conversations: 3, turns: 30 })
  const recalled = await answer('memory_recall', ['--query', 'step3', '--limit', '100'], { cwd })
  expect(recalled.total_searched).toBe(30)
  expect(JSON.stringify(recalled)).not.toContain('secret3word')
  expect(JSON.stringify(await answer('memory_recall', ['--query', 'step45'], { cwd }))).toContain('secret45word')
  const folder = join(cwd, '.devbooks')
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name)).includes('secret12word'), `${name} still holds deleted text`).toBe(false)
})

test('--conversation deletes one, --all --yes everything of the user and nothing of another', async () => {
  const cwd = emptyFolder()
  const store = (conversation: string, user: string) =>
    answer(
      'memory_store',
      ['--conversation', conversation, '--role', 'user', '--content', '记住这个', '--user', user],
      { cwd },
    )
  await store('a', 'ana')
  await store('b', 'ana')
  await store('c', '小明')
  expect(await answer('memory_cleanup', ['--conversation', 'a', '--user', 'ana'], { cwd })).toMatchObject({
    conversations_deleted: 1,
    turns_deleted: 1,
  })
  expect(await answer('memory_cleanup', ['--all', '--yes', '--user', 'ana'], { cwd })).toMatchObject({
    turns_deleted: 1,
  })
  expect(await answer('mneme', ['stats', '--user', 'ana'], { cwd })).toMatchObject({ user_id: 'ana', turns: 0 })
  expect(await answer('mneme', ['stats', '--user', '小明'], { cwd })).toMatchObject({ turns: 1 })
})

test('memory_reindex rebuilds the indexes, and recall answers as before', async () => {
  const cwd = emptyFolder()
  await diary(cwd, 12)
  const ask = async () =>
    objects((await answer('memory_recall', ['--query', '互斥锁 step7', '--now', '2026-12-01'], { cwd })).results)
  const before = await ask()
  expect(await answer('memory_reindex', [], { cwd })).toMatchObject({ conversations: 2, turns: 12 })
  expect(await ask()).toEqual(before)
  {
    using file = new DatabaseSync(join(cwd, '.devbooks/conversation-memory.db'))
    file.exec(
      'UPDATE turns SET symbols = NULL, symbol_relevance = NULL; DELETE FROM index_chunks; DELETE FROM index_segments',
    )
  }
  expect(await ask()).not.toEqual(before)
  expect(await answer('memory_reindex', [], { cwd })).toMatchObject({ conversations: 2, turns: 12 })
  expect(await ask()).toEqual(before)
  expect(await answer('mneme', ['verify'], { cwd })).toMatchObject({ ok: true })
})

test('the working memory counts the turns of a living conversation', async () => {
  const cwd = emptyFolder()
  for (const content of ['Hello', '你好', 'Bye'])
    await answer('memory_store', ['--conversation', 'c', '--role', 'user', '--content', content], { cwd })
  expect(await answer('mneme', ['working', 'show', 'c'], { cwd })).toMatchObject({ session_id: 'c', turn_count: 3 })
  expect(await answer('mneme', ['working'], { cwd })).toMatchObject({ total: 1 })
})

test('eviction keeps what is surest and says what went; a dry run only names it', async () => {
  const cwd = emptyFolder()
  for (const [text, confidence] of [
    ['也许喜欢爬山', '0.3'],
    ['Works at a bakery', '0.9'],
    ['May own a cat', '0.4'],
    ['住在厦门', '0.95'],
  ])
    await answer('mneme', ['memory', 'add', '--no-infer', text!, '--confidence', confidence!], { cwd })
  for (const words of [['evict'], ['evict', '--threshold', '0']])
    expect(await run('mneme', words, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('threshold') })
  const dry = await answer('mneme', ['evict', '--threshold', '2', '--dry-run'], { cwd })
  expect(dry.evicted).toHaveLength(2)
  expect(await answer('mneme', ['memory', 'list'], { cwd })).toMatchObject({ total: 4 })
  const env = { MEMORY_EVICTION_THRESHOLD: '2' }
  expect(await answer('mneme', ['evict'], { cwd, env })).toEqual(dry)
  const { items } = await answer('mneme', ['memory', 'list'], { cwd })
  expect(new Set(objects(items).map(({ text }) => text))).toEqual(new Set(['Works at a bakery', '住在厦门']))
  expect(await answer('mneme', ['evict'], { cwd, env })).toEqual({ evicted: [] })
})

test('expire removes the working memory of conversations that fell silent, and no other', async () => {
  const cwd = emptyFolder()
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  for (const [conversation, at] of [
    ['静了', minutesAgo(29)],
    ['awake', minutesAgo(1)],
  ])
    await answer(
      'memory_store',
      ['--conversation', conversation!, '--role', 'user', '--content', '你好', '--created-at', at!],
      { cwd },
    )
  expect(await answer('mneme', ['expire'], { cwd })).toEqual({ removed: 0, archived: 0 })
  const file = new DatabaseSync(join(cwd, '.devbooks/conversation-memory.db'))
  file.prepare('UPDATE working_memory SET updated_at = ? WHERE session_id = ?').run(minutesAgo(31), '静了')
  file.close()
  expect(await answer('mneme', ['expire'], { cwd })).toEqual({ removed: 1, archived: 0 })
  expect(objects((await answer('mneme', ['working'], { cwd })).items)).toMatchObject([{ session_id: 'awake' }])
})

test('lists come by page with their total', async () => {
  const cwd = emptyFolder()
  await diary(cwd, 25)
  const page = await answer('mneme', ['conversations', 'list', '--limit', '2', '--offset', '1'], { cwd })
  expect(page).toMatchObject({ total: 3, limit: 2, offset: 1, has_more: false })
  expect(objects(page.items).map(({ conversation_id }) => conversation_id)).toEqual(['week-1', 'week-0'])
  const shown = await answer('mneme', ['conversations', 'show', 'week-0', '--from-turn', '4', '--to-turn', '6'], {
    cwd,
  })
  expect(shown).toMatchObject({ turn_count: 10, turns: { total: 3 } })
  expect(objects(shown.summaries)[0]).toMatchObject({ start_turn: 1, end_turn: 5 })
})
