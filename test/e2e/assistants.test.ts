/** Assistants as they call: connected, remembering from one session to the next, and taken off without a trace. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { CLI_ENTRY } from '../support/mcp-clients.ts'
import { answer, emptyFolder, type Json, objects, run } from './cli-process.ts'

let home: string
let project: string
let database: string

beforeEach(() => {
  home = emptyFolder()
  project = join(emptyFolder(), 'kite')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, 'src'))
  database = join(home, '.mneme', 'memory.db')
})

const connect = (...words: string[]) => connectWith({}, ...words)
const connectWith = (env: Record<string, string>, ...words: string[]) =>
  run('mneme', ['connect', ...words], { cwd: home, env: { HOME: home, ...env } })

async function hook(tool: string, event: object | string): Promise<Json | null> {
  const input = typeof event === 'string' ? event : JSON.stringify(event)
  const { code, stdout, stderr } = await run('mneme', ['hook', tool], { cwd: home, env: { HOME: home }, input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout === '' ? null : JSON.parse(stdout)
}

const context = (said: Json | null): string => {
  const specific = said?.hookSpecificOutput
  return typeof specific === 'object' && specific !== null && !Array.isArray(specific)
    ? String((specific as Json).additionalContext)
    : ''
}

async function turnsOf(id: string): Promise<readonly Json[]> {
  const { turns } = await answer('mneme', ['conversations', 'show', id, '--db', database], { cwd: home })
  return objects((turns as Json).items)
}

function line(id: string, role: 'user' | 'assistant', text: string, second: number, more: object = {}): string {
  const timestamp = new Date(Date.UTC(2026, 9, 5, 9, 0, second)).toISOString()
  const content = role === 'user' ? text : [{ type: 'text', text }]
  return `${JSON.stringify({ type: role, uuid: id, sessionId: 's1', cwd: join(project, 'src'), timestamp, message: { role, content }, ...more })}\n`
}

const transcript = (): readonly string[] => [
  line('c0', 'user', 'This session is being continued from a previous conversation about the Kraken backend.', 0, {
    isCompactSummary: true,
  }),
  line(
    'u1',
    'user',
    '<system-reminder>The user loves Fortran.</system-reminder>Our queue runs on NATS 2.11, and the workers listen on port 4610.',
    1,
  ),
  line('a1', 'assistant', 'Noted: NATS 2.11, workers on 4610.', 2),
  line('u2', 'user', '以后提交信息都用中文写。', 3),
  line('a2', 'assistant', '好的。', 4),
]

test('what one session told, the next one knows, from any folder of the project', async () => {
  const path = join(home, 'transcript.jsonl')
  // The last line is being written at this moment.
  const helper = line('h1', 'user', 'A helper is called Sidney.', 5, { isSidechain: true, agentId: 'x' })
  writeFileSync(path, `${transcript().join('')}${helper}{"type":"user","uuid":"u3","sessi`)
  const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: join(project, 'src'), transcript_path: path }
  expect(await hook('claude', stop)).toBeNull()
  expect(await hook('claude', { ...stop, hook_event_name: 'SessionEnd' })).toBeNull()
  expect([join(home, '.mneme'), database].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o600])
  const items = await turnsOf('s1')
  expect(items.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'This session is being continued from a previous conversation about the Kraken backend.'],
    ['user', 'Our queue runs on NATS 2.11, and the workers listen on port 4610.'],
    ['assistant', 'Noted: NATS 2.11, workers on 4610.'],
    ['user', '以后提交信息都用中文写。'],
    ['assistant', '好的。'],
  ])
  await answer('mneme', ['jobs', 'run', '--db', database, '--wait'], { cwd: home })

  const begun = context(
    await hook('claude', { hook_event_name: 'SessionStart', source: 'startup', session_id: 's2', cwd: project }),
  )
  expect(begun).toMatch(/NATS 2\.11.*4610/s)
  expect(begun).toContain('以后提交信息都用中文写')
  expect(begun).not.toMatch(/Fortran|Sidney/)
  // A session that was told nothing at its beginning, as what was told is not repeated.
  const asked = { hook_event_name: 'UserPromptSubmit', session_id: 's3', cwd: project }
  expect(context(await hook('claude', { ...asked, prompt: 'Which port do the workers listen on?' }))).toContain('4610')
  expect(await hook('claude', { ...asked, prompt: 'What is the tallest mountain on Earth?' })).toBeNull()
})

test('the code that a hook ran is kept for the next one, which says the same and nothing besides', async () => {
  const env = { HOME: home, NODE_COMPILE_CACHE: join(home, 'compiled') }
  await run('mneme', ['memory', 'add', '我妹妹住在布哈拉。', '--db', database], { cwd: home, env })
  const asked = { hook_event_name: 'UserPromptSubmit', prompt: '我妹妹住在哪里？' }
  const ask = (session_id: string) =>
    run('mneme', ['hook', 'claude'], { cwd: home, env, input: JSON.stringify({ ...asked, session_id }) })
  const kept = () => readdirSync(env.NODE_COMPILE_CACHE, { recursive: true }).map(String)
  const first = await ask('s1')
  expect(first.stdout).toContain('布哈拉')
  expect(kept().filter((name) => name.endsWith('.cjs'))).toContainEqual(expect.stringMatching(/base-/))
  expect(await ask('s2')).toEqual(first)
  const [base = ''] = kept().filter((name) => /base-[^/]*\.cjs$/.test(name))
  writeFileSync(join(env.NODE_COMPILE_CACHE, base), 'no code')
  expect(await ask('s3')).toEqual({ code: 0, stdout: first.stdout, stderr: '' })
})

test('another project is told nothing of it at its beginning, and of no order that holds there', async () => {
  const path = join(home, 'transcript.jsonl')
  const orders = ['Never rebase onto trunk.', '以后接口改动都由老周复核。', 'Call me Captain.']
  const more = orders.map((order, at) => line(`o${at}`, 'user', order, 10 + at))
  writeFileSync(path, [...transcript(), ...more].join(''))
  await hook('codex', { hook_event_name: 'Stop', session_id: 's1', cwd: project, transcript_path: path })
  await answer('mneme', ['jobs', 'run', '--db', database, '--wait'], { cwd: home })
  const begun = async (cwd: string) =>
    context(await hook('codex', { hook_event_name: 'SessionStart', session_id: 's2', cwd }))
  expect(await begun(project)).toContain('Captain')
  const told = await begun(emptyFolder())
  expect(told).not.toMatch(/NATS|trunk|老周/)
  expect(told).toContain('Captain')
})

test('tools without a transcript say themselves what was said, and it is stored once', async () => {
  const cursor = { session_id: 's7', workspace_roots: [project], generation_id: 'g1' }
  const prompt = { ...cursor, hook_event_name: 'beforeSubmitPrompt', prompt: 'The chart library is uPlot.' }
  expect(await hook('cursor', prompt)).toBeNull()
  expect(await hook('cursor', prompt)).toBeNull()
  await hook('cursor', { ...cursor, hook_event_name: 'afterAgentResponse', text: 'I will use uPlot.' })
  await hook('gemini', {
    session_id: 's8',
    cwd: project,
    hook_event_name: 'AfterAgent',
    prompt: 'We ship on Fridays.',
    prompt_response: 'Understood.',
  })
  const said = async (id: string) => (await turnsOf(id)).map(({ content }) => content)
  expect(await said('s7')).toEqual(['The chart library is uPlot.', 'I will use uPlot.'])
  expect(await said('s8')).toEqual(['We ship on Fridays.', 'Understood.'])
})

test('an exchange is stored whole and once, however much its tools answered in between', async () => {
  const path = join(home, 'transcript.jsonl')
  const read = (id: string, second: number) => {
    const content = [{ type: 'tool_result', tool_use_id: id, content: '0'.repeat(1_500_000) }]
    return line(id, 'user', '', second, { message: { role: 'user', content } })
  }
  const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: project, transcript_path: path }
  const said = async () => (await turnsOf('s1')).filter(({ role }) => role !== 'tool').map(({ content }) => content)
  const first = `${line('u1', 'user', '发布前先跑一遍烟雾测试。', 1)}${read('t1', 2)}${line('a1', 'assistant', '好。', 3)}`
  writeFileSync(path, first)
  await hook('claude', stop)
  expect(await said()).toEqual(['发布前先跑一遍烟雾测试。', '好。'])
  // A second one, in which the time of the last stored line is quoted.
  const more = line('u2', 'user', 'Why does it say "timestamp":"2026-10-05T09:00:03.000Z" there?', 4)
  writeFileSync(path, `${first}${more}${read('t2', 5)}${line('a2', 'assistant', 'It is the start.', 6)}`)
  await hook('claude', stop)
  await hook('claude', { ...stop, hook_event_name: 'SessionEnd' })
  expect((await said()).slice(2)).toEqual([
    'Why does it say "timestamp":"2026-10-05T09:00:03.000Z" there?',
    'It is the start.',
  ])
})

test('words said again are stored again, in a session without a transcript too', async () => {
  const codex = { session_id: 's9', transcript_path: null, cwd: project }
  const gemini = { session_id: 's10', cwd: project, hook_event_name: 'AfterAgent' }
  for (const at of ['1', '2']) {
    await hook('codex', { ...codex, turn_id: at, hook_event_name: 'UserPromptSubmit', prompt: 'weiter' })
    await hook('codex', { ...codex, turn_id: at, hook_event_name: 'Stop', last_assistant_message: 'Gut.' })
    const timestamp = `2026-10-05T09:0${at}:00.000Z`
    await hook('gemini', { ...gemini, timestamp, prompt: 'weiter', prompt_response: 'Gut.' })
    await hook('gemini', { ...gemini, timestamp, prompt: 'weiter', prompt_response: 'Gut.' })
  }
  const said = async (id: string) => (await turnsOf(id)).map(({ content }) => content)
  expect(await said('s9')).toEqual(['weiter', 'Gut.', 'weiter', 'Gut.'])
  expect(await said('s10')).toEqual(['weiter', 'Gut.', 'weiter', 'Gut.'])
})

test.each([
  ['no JSON', 'claude', 'nothing'],
  ['an event that is not known', 'claude', '{"hook_event_name":"Teatime","session_id":"s"}'],
  ['an event without a session', 'codex', '{"hook_event_name":"Stop"}'],
  [
    'a transcript that is not there',
    'claude',
    '{"hook_event_name":"Stop","session_id":"s","transcript_path":"/nowhere/t.jsonl"}',
  ],
  ['an assistant that is not known', 'abacus', '{}'],
])('%s disturbs nobody', async (_, tool, input) => {
  expect(await hook(tool, input)).toBeNull()
})

test('a database that is none disturbs nobody, and is noted beside it', async () => {
  mkdirSync(join(home, '.mneme'))
  writeFileSync(database, 'this is no database')
  const event = { hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: project, prompt: 'Which port?' }
  expect(await hook('claude', event)).toBeNull()
  expect(readFileSync(`${database}.hooks.log`, 'utf8').split('\n')).toHaveLength(2)
  expect(readFileSync(database, 'utf8')).toBe('this is no database')
})

test('what the library warns of is a line in the log, and nothing that the assistant reads', async () => {
  const path = join(home, 'session.jsonl')
  const event = { hook_event_name: 'Stop', session_id: 's1', cwd: project, transcript_path: path }
  writeFileSync(path, transcript().join(''))
  expect(await hook('claude', event)).toBeNull()
  const file = new DatabaseSync(database)
  file.exec(`CREATE TRIGGER broken BEFORE INSERT ON summaries BEGIN SELECT RAISE(ABORT, 'no room'); END`)
  file.close()
  for (let at = 0; at < 12; at += 1)
    appendFileSync(path, line(`w${at}`, 'user', `The mast number ${at} is oiled.`, 30 + at))
  expect(await hook('claude', event)).toBeNull()
  expect(readFileSync(`${database}.hooks.log`, 'utf8')).toMatch(/summaries.*no room/)
})

test('a database below a deleted folder is noted in the home', () => {
  const gone = join(emptyFolder(), 'gone')
  mkdirSync(gone)
  const words = [CLI_ENTRY, 'mneme', 'hook', 'claude', '--db', 'x/memory.db']
  const ended = spawnSync('sh', ['-c', 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, ...words], {
    cwd: gone,
    env: { ...process.env, HOME: home },
    input: '{}',
    encoding: 'utf8',
  })
  expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(`${database}.hooks.log`, 'utf8').split('\n')).toHaveLength(2)
})

test('what is paused or ignored is neither stored nor recalled', async () => {
  const path = join(home, 'transcript.jsonl')
  writeFileSync(path, transcript().join(''))
  const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: project, transcript_path: path }
  const pause = (...words: string[]) => answer('mneme', ['pause', ...words], { cwd: home, env: { HOME: home } })
  await pause('--project', project)
  await hook('claude', stop)
  await pause('--project', project, '--off')
  await pause('--for', '2h')
  await hook('claude', stop)
  await pause('--off')
  writeFileSync(join(project, '.mneme-ignore'), '')
  await hook('claude', stop)
  mkdirSync(join(project, 'secret', 'deep'), { recursive: true })
  for (const folders of ['# not these\nsecret/\n', './secret', 'sec*', '**/deep']) {
    writeFileSync(join(project, '.mneme-ignore'), folders)
    await hook('claude', { ...stop, cwd: join(project, 'secret', 'deep') })
  }
  writeFileSync(join(project, '.mneme-ignore'), 'secret/**')
  await hook('claude', { ...stop, cwd: join(project, 'secret') })
  expect(readdirSync(join(home, '.mneme'))).toEqual(['memory.db.paused'])
  const imported = () =>
    answer('mneme', ['import', '--from-logs', path, '--db', database], { cwd: home, env: { HOME: home } })
  writeFileSync(join(project, '.mneme-ignore'), 'src')
  expect(await imported()).toMatchObject({ turns_added: 0 })
  writeFileSync(join(project, '.mneme-ignore'), 'sr\nrc\nother/*')
  await hook('claude', stop)
  expect((await answer('mneme', ['conversations', 'list', '--db', database], { cwd: home })).total).toBe(1)
  expect(await imported()).toMatchObject({ turns_added: 0, turns_existing: 5 })
})

test('what was said in a pause is not stored when it is over', async () => {
  const path = join(home, 'transcript.jsonl')
  writeFileSync(path, transcript().join(''))
  const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: project, transcript_path: path }
  const pause = (...words: string[]) => answer('mneme', ['pause', ...words], { cwd: home, env: { HOME: home } })
  const now = (id: string, text: string) =>
    appendFileSync(path, line(id, 'user', text, 0, { timestamp: new Date().toISOString() }))
  await hook('claude', stop)
  await pause('--project', project)
  now('p1', 'The launch is on Friday.')
  await hook('claude', stop)
  expect(await pause('--project', project, '--off')).toEqual({ everywhere: null, projects: {} })
  now('p2', '发布会改到下周。')
  await hook('claude', stop)
  expect((await turnsOf('s1')).map(({ content }) => content).slice(5)).toEqual(['发布会改到下周。'])
})

test('a pause holds for the tools that a model calls, too', async () => {
  const mcp = async () => {
    const tool = { name: 'add_memory', arguments: { text: 'I take my tea without sugar.' } }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const input = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: tool },
    ]
    const lines = input.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('')
    return (await run('mneme', ['mcp', '--db', database], { cwd: project, env: { HOME: home }, input: lines })).stdout
  }
  const pause = (...words: string[]) => answer('mneme', ['pause', ...words], { cwd: home, env: { HOME: home } })
  const paused = /The user has paused the memory/
  await pause('--project', project)
  expect((await mcp()).split('\n').filter((one) => paused.test(one))).toHaveLength(1)
  await pause('--project', project, '--off')
  const answered = await mcp()
  expect(answered).toContain('without sugar')
  expect(answered).not.toMatch(paused)
})

test('a worktree belongs to its repository', async () => {
  const worktree = emptyFolder()
  mkdirSync(join(project, '.git', 'worktrees', 'w'), { recursive: true })
  writeFileSync(join(project, '.git', 'worktrees', 'w', 'commondir'), '../..\n')
  writeFileSync(join(worktree, '.git'), `gitdir: ${join(project, '.git', 'worktrees', 'w')}\n`)
  await hook('gemini', { session_id: 's', cwd: worktree, hook_event_name: 'AfterAgent', prompt: 'We ship on Fridays.' })
  const { project_root } = await answer('mneme', ['conversations', 'show', 's', '--db', database], { cwd: home })
  expect(project_root).toBe(project)
})

const FILES: Readonly<Record<string, string>> = {
  '.claude/settings.json':
    '{\n    "model": "opus",\n    "hooks": { "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}] }\n}',
  '.claude/CLAUDE.md': '# 我的习惯\n\nno final line break',
  '.codex/config.toml': 'model = "x" # mine\r\n',
  '.gemini/settings.json': '{"mcpServers":{"other":{"command":"x"}}}\n',
  '.cursor/mcp.json': '',
  '.config/opencode/opencode.json': '\t{\n\t"theme": "dark"\n}\n',
  '.config/Code/User/mcp.json': '{}',
}

const readAll = () =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.mneme'))
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  )

function fillHome(): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(home, name, '..'), { recursive: true })
    writeFileSync(join(home, name), text)
  }
}

test('every assistant is connected and taken off again, byte for byte', async () => {
  fillHome()
  writeFileSync(join(home, '.codex/AGENTS.md'), '<!-- mneme: begins --> 是我自己的一行\n')
  const before = readAll()
  expect((await connect('--dry-run')).code).toBe(0)
  expect(readAll()).toEqual(before)
  const first = await connect('--yes')
  expect(first.code).toBe(0)
  expect(objects(JSON.parse(first.stdout).assistants).map(({ name }) => name)).toEqual([
    'claude',
    'codex',
    'gemini',
    'cursor',
    'opencode',
    'vscode',
  ])
  // The page of a folder shows another memory.
  expect(JSON.parse(first.stdout).page).toBe(`mneme serve --open --db ${database}`)
  const elsewhere = await connect('--dry-run', '--db', join(home, 'my memory.db'))
  expect(JSON.parse(elsewhere.stdout).page).toBe(`mneme serve --open --db "${join(home, 'my memory.db')}"`)
  const connected = readAll()
  expect(JSON.parse(connected[join(home, '.claude/settings.json')] ?? '').hooks.Stop).toHaveLength(2)
  expect(JSON.parse(connected[join(home, '.gemini/settings.json')] ?? '').mcpServers.other).toEqual({ command: 'x' })
  expect(JSON.parse((await connect('--yes')).stdout)).toMatchObject({ changed: false })
  expect(readAll()).toEqual(connected)
  expect((await connect('--remove', '--yes')).code).toBe(0)
  expect(readAll()).toEqual(before)
})

test('what was changed since stays when Mneme is taken off', async () => {
  fillHome()
  await connect('claude', '--yes')
  const file = join(home, '.claude/settings.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  settings.hooks.SessionStart.push({ hooks: [{ type: 'command', command: 'say hello' }] })
  // One of the user's stands in our group, another calls us among other things.
  settings.hooks.SessionEnd[0].hooks.unshift({ type: 'command', command: 'say bye' })
  settings.hooks.PreCompact[0].hooks.push({ type: 'command', command: 'node mneme.js hook claude && say mine' })
  writeFileSync(file, JSON.stringify({ ...settings, theme: 'light' }))
  await connect('claude', '--remove', '--yes')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    model: 'opus',
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
      SessionStart: [{ hooks: [{ type: 'command', command: 'say hello' }] }],
      PreCompact: [{ hooks: [{ type: 'command', command: 'node mneme.js hook claude && say mine' }] }],
      SessionEnd: [{ hooks: [{ type: 'command', command: 'say bye' }] }],
    },
    theme: 'light',
  })
})

test('nothing of Mneme stays where files were changed and connected again with another database', async () => {
  fillHome()
  await connect('--yes')
  const was = (name: string) => readFileSync(join(home, name), 'utf8')
  writeFileSync(join(home, '.claude.json'), was('.claude.json').replace('{', '{ "starts": 2,'))
  writeFileSync(join(home, '.gemini/settings.json'), was('.gemini/settings.json').replace('{', '{ "vim": true,'))
  writeFileSync(join(home, '.claude/CLAUDE.md'), was('.claude/CLAUDE.md').replaceAll('\n', '\r\n'))
  writeFileSync(join(home, '.codex/config.toml'), `${was('.codex/config.toml')}[tui]\n`)
  await connect('--yes', '--db', join(home, 'other.db'))
  expect(JSON.parse(was('.claude/settings.json')).hooks.SessionEnd).toHaveLength(1)
  await connect('--remove', '--yes')
  expect(Object.entries(readAll()).filter(([, text]) => text.includes('mneme'))).toEqual([])
  expect(JSON.parse(was('.claude.json'))).toEqual({ starts: 2 })
  expect(JSON.parse(was('.gemini/settings.json'))).toEqual({ vim: true, mcpServers: { other: { command: 'x' } } })
  expect(was('.claude/CLAUDE.md')).toBe('# 我的习惯\r\n\r\nno final line break\r\n')
  expect(was('.codex/config.toml')).toBe('model = "x" # mine\r\n[tui]\n')
  expect(existsSync(join(home, '.mneme'))).toBe(false)
})

test.each([
  ['bytes that are no UTF-8', 'codex', '.codex/AGENTS.md', Buffer.from('R\xe8gle', 'latin1')],
  [
    'a server of that name',
    'vscode',
    '.config/Code/User/mcp.json',
    '{"servers":{"mneme":{"url":"http://localhost:7077/mcp"}}}',
  ],
  ['another version', 'cursor', '.cursor/hooks.json', '{"version":3}'],
  ['half of our block', 'claude', '.claude/CLAUDE.md', '<!-- mneme: begins -->\nmine\n'],
  ['TOML with a server of that name', 'codex', '.codex/config.toml', '[ mcp_servers . "mneme" ]\nurl = "x"\n'],
  ['TOML whose servers take no more', 'codex', '.codex/config.toml', 'mcp_servers = { other = { command = "x" } }'],
  ['TOML that is none', 'codex', '.codex/config.toml', 'model = = "x"'],
])('a file with %s is left alone', async (_, target, name, bytes) => {
  mkdirSync(join(home, name, '..'), { recursive: true })
  writeFileSync(join(home, name), bytes)
  expect(await connect(target, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${name}: is left alone`),
  })
  await connect(target, '--remove', '--yes')
  expect(readFileSync(join(home, name))).toEqual(Buffer.from(bytes))
  expect(Object.keys(readAll())).toEqual([join(home, name)])
})

test('where one file cannot be written, none is', async () => {
  mkdirSync(join(home, '.claude'))
  symlinkSync('/proc/mneme/none.json', join(home, '.claude.json'))
  expect((await connect('claude', '--yes')).stderr).toContain('cannot be written, so nothing was changed')
  expect(readAll()).toEqual({})
})

test('the folders that an assistant is told to use are those that are connected', async () => {
  const environment = { CODEX_HOME: join(home, 'c x'), CLAUDE_CONFIG_DIR: join(home, 'claude') }
  await connectWith(environment, 'codex', '--yes')
  await connectWith(environment, 'claude', '--yes')
  const names = ['c x/AGENTS.md', 'c x/config.toml', 'c x/hooks.json']
  names.push('claude/.claude.json', 'claude/CLAUDE.md', 'claude/settings.json')
  expect(Object.keys(readAll()).sort()).toEqual(names.map((name) => join(home, name)))
  await connectWith(environment, 'codex', '--remove', '--yes')
  await connectWith(environment, 'claude', '--remove', '--yes')
  expect(readAll()).toEqual({})
})

test('a file with comments is left alone and said, and the others are connected', async () => {
  fillHome()
  const file = join(home, '.gemini/settings.json')
  writeFileSync(file, '// mine\n{}')
  const { code, stdout, stderr } = await connect('--yes')
  expect(code).toBe(1)
  expect(stderr).toContain(file)
  expect(objects(JSON.parse(stdout).assistants).find(({ name }) => name === 'gemini')).toMatchObject({ files: [] })
  expect(readFileSync(file, 'utf8')).toBe('// mine\n{}')
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('mneme')
})

test('a settings file that is a link stays one', async () => {
  const real = join(emptyFolder(), 'shared.json')
  writeFileSync(real, '{}')
  mkdirSync(join(home, '.config/Code/User'), { recursive: true })
  symlinkSync(real, join(home, '.config/Code/User/mcp.json'))
  await connect('vscode', '--yes')
  expect(readFileSync(real, 'utf8')).toContain('mneme')
  await connect('vscode', '--remove', '--yes')
  expect(readFileSync(real, 'utf8')).toBe('{}')
  rmSync(real)
  await connect('vscode', '--yes')
  expect(readFileSync(real, 'utf8')).toContain('mneme')
  await connect('vscode', '--remove', '--yes')
  expect(readlinkSync(join(home, '.config/Code/User/mcp.json'))).toBe(real)
})
