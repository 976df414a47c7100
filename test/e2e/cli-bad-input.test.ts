/** Bad input: exit 2, the field, the reason and the remedy on stderr, nothing on stdout, nothing written, no stack. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, type Ended, emptyFolder, run } from './cli-process.ts'

function expectRefusal({ code, stdout, stderr }: Ended, field: RegExp): void {
  expect(stderr).toMatch(field)
  expect(stderr).toMatch(/^error: .+\nremedy: .+\n$/)
  expect(stderr).not.toMatch(/ {4}at |node:internal|\.ts:\d/)
  expect(stdout).toBe('')
  expect(code).toBe(2)
}

const STORE = ['--conversation', 'c', '--role', 'user']
const SAY = ['--content', '你好']

test.each<[string, string, string[], RegExp]>([
  ['empty content', 'memory_store', [...STORE, '--content', ''], /--content: is empty/],
  ['content of white space', 'memory_store', [...STORE, '--content', ' \n\t'], /--content: is empty/],
  ['no content', 'memory_store', STORE, /--content: is missing/],
  ['no role', 'memory_store', SAY, /--role: is missing/],
  ['an unknown role', 'memory_store', ['--role', '用户', ...SAY], /--role: "用户" is not known/],
  [
    'an empty conversation id',
    'memory_store',
    ['--role', 'user', '--conversation', '', ...SAY],
    /--conversation: is empty/,
  ],
  ['a date that does not exist', 'memory_store', [...STORE, ...SAY, '--created-at', '2026-02-30'], /--created-at/],
  ['a date in words', 'memory_store', [...STORE, ...SAY, '--created-at', 'yesterday'], /--created-at/],
  ['metadata that is not JSON', 'memory_store', [...STORE, ...SAY, '--metadata', '{a:1}'], /--metadata: is not JSON/],
  ['metadata that is a list', 'memory_store', [...STORE, ...SAY, '--metadata', '[]'], /--metadata/],
  ['an empty user', 'memory_store', [...STORE, ...SAY, '--user', ''], /--user: is empty/],
  [
    'an unknown flag',
    'memory_store',
    [...STORE, ...SAY, '--rol', 'user'],
    /memory_store: unknown option '--rol'.*\nremedy: Did you mean --role\?/,
  ],
  ['a misspelt flag that is needed', 'memory_recall', ['--qery', '缓存'], /unknown option '--qery'.*\n.*--query/],
  ['two questions', 'memory_recall', ['--query', '缓存', '失效'], /--query: is given, and "失效" too/],
  [
    'a misspelt flag where another is missing',
    'memory_summarize',
    ['--conversaton', 'c'],
    /unknown option '--conversaton'/,
  ],
  ['an unknown flag before the command', 'mneme', ['--bd', 'x.db', 'stats'], /unknown option '--bd'.*\n.*--db/],
  ['a flag without its value', 'memory_store', [...STORE, '--content'], /option '--content <text>' argument missing/],
  ['a word too many', 'memory_store', [...STORE, ...SAY, 'again'], /too many arguments.*: again/],
  ['lines and flags at once', 'memory_store', ['--stdin', ...SAY], /--stdin/],
  ['lines that are none', 'memory_store', ['--stdin'], /--stdin: holds no lines/],
  ['no query', 'memory_recall', [], /--query: is missing/],
  ['an argument that is missing', 'mneme', ['memory', 'show'], /missing required argument 'id'/],
  ['an edit of nothing', 'mneme', ['memory', 'edit', 'm1'], /mneme memory edit: changes nothing\nremedy: .*--text/],
  [
    'a name that no file has',
    'mneme',
    ['import', 'x'.repeat(5000)],
    /<file>: .*cannot be read or written \(ENAMETOOLONG/,
  ],
  [
    'a setting by the name of what every object has',
    'mneme',
    ['settings', 'set', 'toString', '3'],
    /toString: is no setting/,
  ],
  ['an unknown command', 'mneme', ['remember'], /unknown command 'remember'/],
  [
    'a misspelt command',
    'mneme',
    ['recal', '--query', 'x'],
    /unknown command 'recal'.*\nremedy: Did you mean recall\?/,
  ],
  [
    'a project where all are meant',
    'memory_cleanup',
    ['--all', '--yes', '--project', '.'],
    /--project: does not bound/,
  ],
  ['an unknown command of a group', 'mneme', ['conversations', 'drop'], /unknown command 'drop'/],
  ['nothing to delete', 'memory_cleanup', [], /memory_cleanup: is not told what to delete/],
  ['two things to delete', 'memory_cleanup', ['--all', '--older-than', '3d'], /more than one thing/],
  ['an age without a unit', 'memory_cleanup', ['--older-than', '30'], /--older-than: "30" is not an age/],
  ['an unknown export format', 'memory_export', ['--format', 'xml'], /--format: "xml" is not known/],
  ['a config file that is not there', 'memory_init', ['--config', 'none.json'], /--config: there is no file/],
])('%s is refused before anything is created', async (_, program, words, field) => {
  const cwd = emptyFolder()
  expectRefusal(await run(program, words, { cwd }), field)
  expect(readdirSync(cwd)).toEqual([])
})

test.each<[string, string, string[], RegExp]>([
  [
    'an unknown conversation to summarise',
    'memory_summarize',
    ['--conversation', '没有', '--from-turn', '1', '--to-turn', '2'],
    /"没有"/,
  ],
  [
    'a span that ends before it begins',
    'memory_summarize',
    ['--conversation', 'c', '--from-turn', '2', '--to-turn', '1'],
    /--from-turn: 2 comes after/,
  ],
  ['turn 0', 'memory_summarize', ['--conversation', 'c', '--from-turn', '0', '--to-turn', '1'], /--from-turn: 0/],
  [
    'a span without turns',
    'memory_summarize',
    ['--conversation', 'c', '--from-turn', '7', '--to-turn', '9'],
    /--from-turn/,
  ],
  [
    'a turn that is no number',
    'memory_summarize',
    ['--conversation', 'c', '--from-turn', 'one', '--to-turn', '1'],
    /--from-turn: "one"/,
  ],
  ['limit 0', 'memory_recall', ['--query', 'x', '--limit', '0'], /--limit: 0 is out of range/],
  ['limit 10,001', 'memory_recall', ['--query', 'x', '--limit', '10001'], /--limit: 10001 is out of range/],
  ['a limit in words', 'memory_recall', ['--query', 'x', '--limit', '五'], /--limit: "五" is not a whole number/],
  ['an empty query', 'memory_recall', ['--query', '  '], /--query: is empty/],
  ['an unknown ranking', 'memory_recall', ['--query', 'x', '--ranking', 'best'], /--ranking: "best" is not known/],
  ['an unknown kind', 'memory_recall', ['--query', 'x', '--kinds', 'turn,note'], /--kinds: "note" is not known/],
  ['a bad time', 'memory_recall', ['--query', 'x', '--since', '07/05/2026'], /--since/],
  [
    'a time span turned round',
    'memory_recall',
    ['--query', 'x', '--since', '2026-02-01', '--until', '2026-01-01'],
    /--since: lies after/,
  ],
  ['an unknown conversation to show', 'mneme', ['conversations', 'show', 'nope'], /"nope"/],
  ['an unknown conversation to delete', 'memory_cleanup', ['--conversation', 'nope'], /"nope"/],
  ['deleting everything with nobody to ask', 'memory_cleanup', ['--all'], /--all: needs --yes/],
  ['a page of 0', 'mneme', ['conversations', 'list', '--limit', '0'], /--limit: 0 is out of range/],
])('%s is refused', async (_, program, words, field) => {
  const cwd = emptyFolder()
  await answer('memory_store', [...STORE, ...SAY], { cwd })
  expectRefusal(await run(program, words, { cwd }), field)
  expect(await answer('mneme', ['stats'], { cwd })).toMatchObject({ conversations: 1, turns: 1, summaries: 0 })
})

test('NUL bytes, half characters and bytes that are not UTF-8 are refused', async () => {
  const cwd = emptyFolder()
  const words = [...STORE, '--content', '-']
  expectRefusal(await run('memory_store', words, { cwd, input: 'a\0b' }), /--content: contains a NUL/)
  expectRefusal(await run('memory_store', words, { cwd, input: Buffer.from([0x61, 0xff, 0xfe]) }), /not UTF-8/)
  const half = '{"role":"user","content":"half \\ud83d"}'
  expectRefusal(await run('memory_store', ['--stdin'], { cwd, input: half }), /line 1: content: .*surrogate/)
  expect(readdirSync(cwd)).toEqual([])
})

test('a turn of 1 MB is stored, even as one word; a larger one is refused with its size', async () => {
  const cwd = emptyFolder()
  const words = [...STORE, '--content', '-']
  const largest = 'x'.repeat(1024 * 1024)
  expect(await answer('memory_store', words, { cwd, input: largest })).toMatchObject({ turn_id: 1 })
  expect(await answer('memory_store', words, { cwd, input: `${largest}\n` })).toMatchObject({ turn_id: 2 })
  expectRefusal(await run('memory_store', words, { cwd, input: `${largest}xx` }), /--content/)
  expect((await run('memory_recall', ['--query', 'x'.repeat(60_000)], { cwd })).code).toBe(0)
})

test('every JSON line is checked: not JSON, not an object, unknown names, a wrong date', async () => {
  const cwd = emptyFolder()
  const good = '{"role":"user","content":"好"}\n'
  for (const [line, field] of [
    ['{"role":"user"', /line 2: is not JSON/],
    ['["user","x"]', /line 2: must be an object/],
    ['{"role":"user","text":"x"}', /line 2\.text: is not known/],
    ['{"role":"user","content":" "}', /line 2: content: is empty/],
    ['{"role":"user","content":"x","created_at":"2026-13-01"}', /line 2: created_at/],
  ] as const)
    expectRefusal(await run('memory_store', ['--stdin'], { cwd, input: `${good}${line}\n` }), field)
  expect(readdirSync(cwd)).toEqual([])
})

test('a port that is taken, and an address that is another machine’s, are told by their names', async () => {
  const cwd = emptyFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const taken = await run('mneme', ['serve', '--port', String(port)], { cwd })
  other.close()
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(taken.stderr).toContain(`error: --port: ${port} is taken`)
  const elsewhere = await run('mneme', ['serve', '--host', '203.0.113.7', '--port', '0'], {
    cwd,
    env: { MNEME_API_KEY: 'a-key-of-the-owner' },
  })
  expectRefusal(elsewhere, /^error: --host: 203\.0\.113\.7 is no address of this machine/)
})

test.each<[string, string[], Record<string, string>, object, RegExp]>([
  ['a flag', ['--db', 'folder'], {}, {}, /^error: --db: .+ is a folder/],
  ['a variable', [], { MNEME_DB: 'folder' }, {}, /^error: MNEME_DB: .+ is a folder/],
  ['a config file', ['--config', 'c.json'], {}, { db: 'folder' }, /^error: c\.json: db: .+ is a folder/],
  [
    'a config file',
    ['--config', 'c.json', '--db', 'm.db'],
    {},
    { memory_file: { headings: '中文' } },
    /^error: c\.json: memory_file\.headings: "中文" is not known/,
  ],
])('what %s gave is blamed on it: %j', async (_, flags, env, config, said) => {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'c.json'), JSON.stringify(config))
  expectRefusal(await run('memory_store', [...STORE, ...SAY, ...flags], { cwd, env }), said)
})

test('an address of the server is blamed on the config file that it came from, and the server ends', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'mneme.config.json'), JSON.stringify({ server: { host: '0.0.0.0', port: 0 } }))
  const { code, stderr } = await run('mneme', ['serve', '--db', 'm.db'], { cwd })
  expect(stderr).toMatch(/^error: .+mneme\.config\.json: server\.host: 0\.0\.0\.0 can be reached by other machines/)
  expect(stderr).not.toContain('not open')
  expect(code).toBe(2)
})

test('an origin that is none is refused, as a flag and in the config file', async () => {
  const cwd = emptyFolder()
  const flag = await run('mneme', ['serve', '--port', '0', '--allow-origin', 'https://a.example, *'], { cwd })
  expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-origin: "*" is not an origin') })
  expect(flag.stderr).toContain('such as https://example.org')
  writeFileSync(join(cwd, 'mneme.config.json'), JSON.stringify({ server: { allowed_origins: ['not-a-url'] } }))
  const file = await run('mneme', ['serve', '--port', '0', '--db', 'm.db'], { cwd })
  expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/allowed_origins: "not-a-url" is not an origin/)])
})
