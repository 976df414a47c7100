/** Export and import from a shell: round trips, pipes, chat logs, broken files, interruptions. */
import { spawn } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { answer, COMPILED, emptyFolder, objects, run } from './cli-process.ts'

const ENTRY = fileURLToPath(new URL('./cli-entry.ts', import.meta.url))

/** A database with two conversations, a rolling summary and a memory. */
async function filled(cwd: string, db: string): Promise<void> {
  const input = Array.from({ length: 13 }, (_, index) =>
    JSON.stringify({
      conversation_id: index < 11 ? '支付' : 'notes',
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Turn ${index} 关于 PaymentService.charge${index}\n"quoted" \\ 👍🏽`,
      created_at: new Date(Date.UTC(2026, 4, 4, 8, index)).toISOString(),
      external_id: `e${index}`,
      metadata: { 编号: index },
    }),
  ).join('\n')
  await run('memory_store', ['--db', db, '--project', '/srv/shop', '--stdin'], { cwd, input })
  await answer('mneme', ['memory', 'add', '用户喜欢绿茶', '--category', 'preference', '--db', db], { cwd })
}

/** An export without what differs from one to the next: the moment, and the numbers that a database gives itself. */
async function contents(cwd: string, db: string): Promise<unknown> {
  const { exported_at: _, ...rest } = await answer('memory_export', ['--format', 'json', '--db', db], { cwd })
  const conversations = objects(rest.conversations).map((conversation) => ({
    ...conversation,
    summaries: objects(conversation.summaries).map(({ summary_id: __, ...summary }) => summary),
  }))
  return { ...rest, conversations }
}

test('an export can be piped into another database, which then exports the same', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  const { stdout } = await run('memory_export', ['--format', 'json', '--db', 'one.db'], { cwd })
  const report = await run('memory_import', ['--db', 'two.db'], { cwd, input: stdout })
  expect(JSON.parse(report.stdout)).toMatchObject({
    conversations: 2,
    turns_added: 13,
    turns_existing: 0,
    memories_added: 1,
    refused: [],
    complete: true,
  })
  expect(report.code).toBe(0)
  expect(await contents(cwd, 'two.db')).toEqual(await contents(cwd, 'one.db'))
  const recall = (db: string) =>
    answer('memory_recall', ['--query', 'PaymentService.charge12', '--db', db, '--now', '2026-06-01'], { cwd })
  expect((await recall('two.db')).results).toEqual((await recall('one.db')).results)
})

test('nothing is written over the database that is open, its parts, its memory file or its settings, by whatever name', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  await run('mneme', ['digest', '--db', 'one.db'], { cwd })
  linkSync(join(cwd, 'one.db'), join(cwd, 'hard'))
  symlinkSync('one.db', join(cwd, 'soft'))
  symlinkSync('.', join(cwd, 'here'))
  symlinkSync('one.db-wal', join(cwd, 'log'))
  const before = await contents(cwd, 'one.db')
  const notes = readFileSync(join(cwd, 'MEMORY.md'), 'utf8')
  const own = ['one.db', 'one.db-wal', 'one.db-shm', 'one.db-reserve', 'hard', 'soft', 'here/one.db', 'log']
  for (const name of [...own, 'MEMORY.md', 'mneme.config.json']) {
    const refused = await run('mneme', ['export', '--db', 'one.db', '--output', name], { cwd })
    expect([name, refused.code]).toEqual([name, 2])
    expect(refused.stderr).toMatch(/--output: .*this memory keeps itself[\s\S]*Name another file/)
  }
  for (const name of own) {
    const env = { MNEME_MEMORY_FILE: join(cwd, name) }
    const refused = await run('mneme', ['digest', '--db', 'one.db'], { cwd, env })
    expect([name, refused.code]).toEqual([name, 2])
    expect(refused.stderr).toMatch(/MNEME_MEMORY_FILE.*this memory keeps itself[\s\S]*Name another file/)
  }
  expect(await contents(cwd, 'one.db')).toEqual(before)
  expect(readFileSync(join(cwd, 'MEMORY.md'), 'utf8')).toBe(notes)
  expect(readdirSync(cwd).filter((name) => name.endsWith('.backups'))).toEqual(['MEMORY.md.backups'])
})

test('a long import and export stay small, whatever the size of the file', async () => {
  const cwd = emptyFolder()
  const page =
    'The orchard log lists every tree and its yield; 果园日志记下每一棵树。We decided to prune in March. '.repeat(12)
  // Most of the file is in no index, which would take most of the time.
  const metadata = { scan: page.repeat(18) }
  const at = '2026-03-01T08:00:00.000Z'
  const conversations = Array.from({ length: 180 }, (_, chat) => {
    const head = { project_root: '', created_at: at, last_active: at, summary: null, turn_count: 40, last_turn_id: 40 }
    const turns = Array.from({ length: 40 }, (_, turn) => {
      return { turn_id: turn + 1, role: 'user', content: `${chat}.${turn + 1} ${page}`, created_at: at, metadata }
    })
    return { conversation_id: `orchard-${chat}`, ...head, turns }
  })
  const input = JSON.stringify({ mneme_export: 1, exported_at: at, user_id: 'ann', conversations })
  expect(input.length).toBeGreaterThan(140_000_000)
  const report = "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))"
  const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(report)}"` }
  for (const words of [['import'], ['export', '--output', 'all.json']]) {
    const { code, stderr } = await run('mneme', words, { cwd, env, input: words[0] === 'import' ? input : '' })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+$/)])
    expect(Number(stderr) / 1024).toBeLessThan(350)
  }
})

test('importing the same file twice adds nothing', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  await answer('memory_export', ['--db', 'one.db', '--output', 'all.json'], { cwd })
  const again = await answer('memory_import', ['all.json', '--db', 'one.db'], { cwd })
  expect(again).toMatchObject({ turns_added: 0, turns_existing: 13, memories_added: 0, memories_existing: 1 })
})

test('an export says what it held, and warns where there was nothing of this user', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  const full = await answer('memory_export', ['--db', 'one.db', '--output', 'all.json'], { cwd })
  expect(full).toMatchObject({ conversations: 2, turns: 13, memories: 1 })
  const empty = await run('memory_export', ['--db', 'one.db', '--user', '小红', '--output', 'none.json'], { cwd })
  expect(empty.code).toBe(0)
  expect(empty.stderr).toContain('nothing of user "小红"')
  expect(JSON.parse(empty.stdout)).toMatchObject({ conversations: 0, turns: 0, memories: 0, others: 0 })
  expect((await run('memory_export', ['--db', 'one.db'], { cwd })).stderr).not.toContain('nothing')
})

test('one conversation can be exported alone; an unknown one is refused and writes no file', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  const one = await answer('memory_export', ['--db', 'one.db', '--conversation', 'notes'], { cwd })
  expect(objects(one.conversations).map(({ conversation_id }) => conversation_id)).toEqual(['notes'])
  const unknown = await run('memory_export', ['--db', 'one.db', '--conversation', '无', '--output', 'x.json'], { cwd })
  expect([unknown.code, unknown.stdout]).toEqual([2, ''])
  expect(readdirSync(cwd).filter((name) => name.startsWith('x.json'))).toEqual([])
})

test('an export to a place that cannot be written is refused', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  for (const output of ['no/such/folder.json', '.', 'one.db/x']) {
    const { code, stderr } = await run('memory_export', ['--db', 'one.db', '--output', output], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --output: .+\nremedy: .+\n$/)])
  }
})

test('of half a file the whole conversations are taken, the broken one not at all, and it is told', async () => {
  const cwd = emptyFolder()
  await filled(cwd, 'one.db')
  const { stdout } = await run('memory_export', ['--db', 'one.db'], { cwd })
  const cut = stdout.slice(0, stdout.lastIndexOf('"turn_id"'))
  const { code, stdout: text } = await run('memory_import', ['--db', 'two.db'], { cwd, input: cut })
  expect(code).toBe(2)
  const report = JSON.parse(text)
  expect(report).toMatchObject({ conversations: 1, complete: false })
  expect(report.refused).toEqual([
    { at: expect.any(String), what: expect.any(String), reason: expect.any(String), remedy: expect.any(String) },
  ])
  const { total } = await answer('mneme', ['conversations', 'list', '--db', 'two.db'], { cwd })
  expect(total).toBe(1)
})

test.each([
  ['nothing', ''],
  ['text', '你好，这不是导出文件'],
  ['another JSON', '[1,2,3]'],
  ['an export of a newer program', '{"mneme_export":99,"type":"header","user_id":"x"}\n'],
])('%s on standard input is refused with a reason', async (_, input) => {
  const { code, stdout, stderr } = await run('memory_import', [], { cwd: emptyFolder(), input })
  expect(code).toBe(2)
  expect(`${stdout}${stderr}`).toMatch(/reason|error/)
  expect(stderr).not.toMatch(/ {4}at /)
})

test('chat logs of three kinds are read, and each file says what was taken and what was refused', async () => {
  const cwd = emptyFolder()
  const logs = join(cwd, 'logs')
  mkdirSync(logs)
  writeFileSync(
    join(logs, 'claude.jsonl'),
    [
      {
        type: 'user',
        uuid: 'u1',
        sessionId: 's1',
        cwd: '/srv/shop',
        timestamp: '2026-05-04T08:00:00Z',
        message: { role: 'user', content: 'Why does validateOrder fail?' },
      },
      {
        type: 'assistant',
        uuid: 'u2',
        sessionId: 's1',
        cwd: '/srv/shop',
        timestamp: '2026-05-04T08:01:00Z',
        message: { role: 'assistant', content: [{ type: 'text', text: 'The stock is checked twice.' }] },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  writeFileSync(
    join(logs, 'chat.md'),
    '## User\n\n缓存为什么会过期？\n\n## Assistant\n\n因为 CacheManager 的 TTL 是五分钟。\n',
  )
  writeFileSync(
    join(logs, 'lines.jsonl'),
    '{"role":"user","content":"Remember the milk.","conversation_id":"list"}\n{"role":"user"}\n',
  )
  writeFileSync(join(logs, 'prose.md'), 'Just a note without any speaker.\n')
  const { code, stdout } = await run('memory_import', ['--from-logs', 'logs'], { cwd })
  expect(code).toBe(2)
  const report = JSON.parse(stdout)
  expect(report.turns_added).toBe(5)
  const files = Object.fromEntries(objects(report.files).map((file) => [file.file, file]))
  expect(files['claude.jsonl']).toMatchObject({ turns_added: 2, refused: 0, reason: null })
  expect(files['chat.md']).toMatchObject({ turns_added: 2 })
  expect(files['lines.jsonl']).toMatchObject({
    turns_added: 1,
    refused: 1,
    refusals: [{ line: 2, reason: expect.any(String) }],
  })
  expect(files['prose.md']).toMatchObject({ turns_added: 0, reason: expect.any(String) })
  const again = JSON.parse((await run('memory_import', ['--from-logs', 'logs'], { cwd })).stdout)
  expect(again).toMatchObject({ turns_added: 0, turns_existing: 5 })
  const { results } = await answer('memory_recall', ['--query', 'CacheManager 缓存'], { cwd })
  expect(objects(results)[0]?.content).toMatch(/CacheManager/)
})

test('one chat log can be imported by its name, a folder or a file that is not there cannot', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'chat.txt'), 'User: 我们用 Redis 吗？\nAssistant: No, SQLite is enough.\n')
  expect(await answer('memory_import', ['chat.txt'], { cwd })).toMatchObject({ turns_added: 2 })
  for (const words of [
    ['.'],
    ['none.json'],
    ['--from-logs', 'none'],
    ['chat.txt', '--from-logs', '.'],
    ['--format', 'csv'],
  ]) {
    const { code, stderr } = await run('memory_import', words, { cwd })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: .+\nremedy: .+\n$/)])
  }
})

test('Ctrl-C ends an import without a stack, and what came whole stays whole', async () => {
  const cwd = emptyFolder()
  const at = '2026-03-01T08:00:00.000Z'
  const rest = { project_root: '', created_at: at, last_active: at, summary: null, last_turn_id: 900, turn_count: 900 }
  const turns = Array.from({ length: 900 }, (_, index) => {
    return { turn_id: index + 1, role: 'user', content: `beech ${index}`, created_at: at }
  })
  const conversations = ['whole', 'half'].map((conversation_id) => ({ conversation_id, ...rest, turns }))
  const text = JSON.stringify({ mneme_export: 1, exported_at: at, user_id: 'local', conversations })
  const child = spawn(process.execPath, [ENTRY, 'memory_import', '--db', 'two.db'], {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  // Standard input stays open, so the import waits for the other half.
  child.stdin.write(text.slice(0, text.lastIndexOf('beech 450')))
  await expect
    .poll(
      () => readdirSync(cwd).includes('two.db-wal') && readFileSync(join(cwd, 'two.db-wal')).includes('beech 899'),
      { interval: 25 },
    )
    .toBe(true)
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, errors]).toEqual([130, expect.stringMatching(/^error: interrupted\nremedy: .+\n$/)])
  expect(await answer('mneme', ['verify', '--db', 'two.db'], { cwd })).toMatchObject({ ok: true })
  const { items } = await answer('mneme', ['conversations', 'list', '--db', 'two.db'], { cwd })
  expect(items).toMatchObject([{ conversation_id: 'whole', turn_count: 900 }])
})

test('an import that was killed is taken up by running it again: everything is there, and nothing twice', async () => {
  const cwd = emptyFolder()
  const chats = 60
  const line = (chat: number, index: number): string =>
    JSON.stringify({
      conversation_id: `c${chat}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `beech ${chat}.${index}`,
    })
  const lines = Array.from({ length: chats * 100 }, (_, at) => line(Math.floor(at / 100), at % 100))
  writeFileSync(join(cwd, 'log.jsonl'), `${lines.join('\n')}\n`)
  const child = spawn(process.execPath, [ENTRY, 'mneme', 'import', 'log.jsonl', '--db', 'two.db'], {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: 'ignore',
  })
  await expect
    .poll(() => readdirSync(cwd).includes('two.db-wal') && readFileSync(join(cwd, 'two.db-wal')).includes('beech 5.'), {
      interval: 25,
    })
    .toBe(true)
  child.kill('SIGKILL')
  expect(await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))).toBe('SIGKILL')
  const again = await answer('mneme', ['import', 'log.jsonl', '--db', 'two.db'], { cwd })
  expect(again.turns_added).toBeGreaterThan(0)
  expect(again.turns_existing).toBeGreaterThan(0)
  expect(Number(again.turns_added) + Number(again.turns_existing)).toBe(lines.length)
  await answer('mneme', ['import', 'log.jsonl', '--db', 'one.db'], { cwd })
  // The exports write the summaries, as they ask for them.
  const undated = async (db: string) =>
    JSON.stringify(await contents(cwd, db)).replace(/("key_decisions":\[\]),"created_at":"[^"]{1,40}"/g, '$1')
  expect(await undated('two.db')).toBe(await undated('one.db'))
})
