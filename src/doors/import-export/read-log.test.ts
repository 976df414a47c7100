import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countItem, emptyLogReport, findLogFiles } from './import-logs.ts'
import type { LogItem, LogTurn } from './log-item.ts'
import { readLog, readLogFile } from './read-log.ts'

const fallbackTime = Date.UTC(2026, 0, 2, 3, 4, 5)

interface Read {
  readonly format: string | null
  readonly reason: string | null
  readonly items: readonly LogItem[]
  readonly turns: readonly LogTurn[]
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(content: string | Uint8Array, name = 'chats/log.md', maxContentBytes = 10_000): Promise<Read> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const open = await readLog(inChunks(bytes, 100), { name, fallbackTime, maxContentBytes })
  if (open.format === null) return { format: null, reason: open.reason, items: [], turns: [] }
  const items: LogItem[] = []
  for await (const item of open.items) items.push(item)
  return {
    format: open.format,
    reason: null,
    items,
    turns: items.flatMap((item) => (item.kind === 'turn' ? [item.turn] : [])),
  }
}

const said = (log: Read): readonly string[] => log.turns.map((turn) => `${turn.role}: ${turn.content}`)
const refusals = (log: Read): readonly string[] =>
  log.items.flatMap((item) => (item.kind === 'refused' ? [`${item.line}: ${item.reason}`] : []))

const lines = (...objects: readonly unknown[]): string => objects.map((one) => JSON.stringify(one)).join('\n')

test('our own JSON lines are read with every field', async () => {
  const log = await read(
    lines(
      {
        conversation_id: 'c1',
        role: 'user',
        content: '支付超时怎么办？',
        created_at: '2026-03-01T10:42:00+08:00',
        speaker: '小明',
        external_id: 'a',
        project_root: '/p',
        metadata: { x: 1 },
      },
      { conversation_id: 'c1', role: 'assistant', content: 'Retry twice.', created_at: 1772332920000 },
      { session_id: 'c2', role: 'human', content: 'Hi' },
    ),
    'logs/day.jsonl',
  )
  expect(log.format).toBe('mneme-lines')
  expect(log.turns[0]).toEqual({
    conversationId: 'c1',
    projectRoot: '/p',
    role: 'user',
    content: '支付超时怎么办？',
    speaker: '小明',
    createdAt: Date.UTC(2026, 2, 1, 2, 42),
    externalId: 'a',
    metadata: { x: 1 },
  })
  expect(log.turns[1]?.createdAt).toBe(1772332920000)
  expect(log.turns[2]).toMatchObject({ conversationId: 'c2', role: 'user', createdAt: 1772332920000 })
})

test('a wrong JSON line is refused with its number and the reason, and the rest is read', async () => {
  const log = await read(
    [
      '{"role":"user","content":"first"}',
      '{"role":"user","content":',
      '{"role":"robot","content":"x"}',
      '{"role":"user","content":"   "}',
      '{"role":"user","content":"a\\u0000b"}',
      '{"role":"user","content":"half \\ud83d"}',
      '{"role":"user","content":"x","created_at":"last Friday"}',
      '{"role":"user"}',
      '[1]',
      '',
      '{"role":"assistant","content":"最后"}',
    ].join('\r\n'),
    'x.jsonl',
  )
  expect(said(log)).toEqual(['user: first', 'assistant: 最后'])
  expect(refusals(log)).toEqual([
    '2: the line is not valid JSON',
    '3: role is "robot"; expected user, assistant, system or tool',
    '4: the turn is empty',
    '5: the turn contains a NUL character',
    '6: the turn contains half of a surrogate pair',
    '7: created_at is "last Friday"; expected a time such as 2026-03-01T10:42:00Z',
    '8: content is missing',
    '9: the line is not a JSON object',
  ])
})

test('a file whose first line is broken is still recognised', async () => {
  const log = await read('{"role":"us\n{"role":"user","content":"still here"}\n', 'x.jsonl')
  expect(said(log)).toEqual(['user: still here'])
})

test('a turn or a line that is too long is refused and the rest is read', async () => {
  const log = await read(
    lines(
      { role: 'user', content: '长'.repeat(40) },
      { role: 'user', content: 'x'.repeat(5000) },
      { role: 'assistant', content: 'short' },
    ),
    'x.jsonl',
    100,
  )
  expect(said(log)).toEqual(['assistant: short'])
  expect(refusals(log)).toEqual(['1: the turn has 120 bytes, more than 100', '2: the line is too long'])
})

test('a file with an endless first line is refused with the limit and what helps', async () => {
  const line = JSON.stringify({ role: 'user', content: 'x'.repeat(100_000) })
  for (const text of [line, `${line}\n${line}\n`])
    expect((await read(text, 'x.jsonl', 8192)).reason).toMatch(
      /^its first line has more than 65536 bytes; .+ raise max_content_bytes/,
    )
})

const claude = (type: string, content: unknown, more: object = {}): object => ({
  type,
  uuid: `${type}-${JSON.stringify(content).length}`,
  sessionId: 's-1',
  cwd: '/home/mei/shop',
  timestamp: '2026-04-01T08:00:00.500Z',
  message: { role: type, content },
  ...more,
})

test('a transcript of Claude Code gives what was said and what tools did, without thinking and bookkeeping', async () => {
  const log = await read(
    lines(
      { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
      claude('user', '修复 src/order.ts 里的 bug'),
      claude('assistant', [{ type: 'thinking', thinking: 'hidden thoughts', signature: 'x' }]),
      claude('assistant', [
        { type: 'text', text: 'I will read the file.' },
        { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'src/order.ts', limit: 5 } },
      ]),
      claude('user', [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: `head ${'x'.repeat(9000)} tail` }] },
      ]),
      claude('user', 'Caveat: generated', { isMeta: true }),
      claude('user', '<command-name>/clear</command-name><command-args></command-args>'),
      claude('user', '<command-name>/plan</command-name>\n<command-args>add retries</command-args>'),
    ),
    'proj/abc.jsonl',
  )
  expect(log.format).toBe('claude-code')
  expect(log.turns.map((turn) => [turn.role, turn.content.length > 200 ? 'long' : turn.content])).toEqual([
    ['user', '修复 src/order.ts 里的 bug'],
    ['assistant', 'I will read the file.'],
    ['tool', 'Read: src/order.ts'],
    ['tool', 'long'],
    ['user', '/plan add retries'],
  ])
  const result = log.turns[3]?.content ?? ''
  expect(result.length).toBeLessThan(2000)
  expect(result.startsWith('head') && result.endsWith('tail')).toBe(true)
  expect(log.turns[0]).toMatchObject({
    conversationId: 's-1',
    projectRoot: '/home/mei/shop',
    createdAt: Date.UTC(2026, 3, 1, 8, 0, 0, 500),
  })
  expect(new Set(log.turns.map((turn) => turn.externalId)).size).toBe(5)
  expect(JSON.stringify(log)).not.toContain('hidden thoughts')
  expect(log.items.filter((item) => item.kind === 'skipped')).toHaveLength(4)
})

test('what stands in a transcript before the first time is of that time and session, not of the file’s time', async () => {
  const log = await read(
    lines(
      { type: 'summary', summary: '修好了登录超时', leafUuid: 'u1' },
      { type: 'summary', summary: 'Moved the config loader', leafUuid: 'u2' },
      { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
      {
        type: 'user',
        uuid: 'a',
        sessionId: 's-7',
        cwd: '/srv/shop',
        timestamp: '2025-11-02T08:00:00Z',
        message: '继续',
      },
      { type: 'summary', summary: 'In the middle', leafUuid: 'u3' },
      { type: 'user', uuid: 'b', sessionId: 's-7', timestamp: '2025-11-02T09:00:00Z', message: 'Done?' },
    ),
    'projects/other-name.jsonl',
  )
  expect(log.turns.map(({ content, createdAt }) => [content, new Date(createdAt).toISOString().slice(0, 16)])).toEqual([
    ['修好了登录超时', '2025-11-02T08:00'],
    ['Moved the config loader', '2025-11-02T08:00'],
    ['继续', '2025-11-02T08:00'],
    ['In the middle', '2025-11-02T08:00'],
    ['Done?', '2025-11-02T09:00'],
  ])
  expect(new Set(log.turns.map(({ conversationId }) => conversationId))).toEqual(new Set(['s-7']))
  expect(log.items.filter(({ kind }) => kind === 'skipped')).toMatchObject([{ line: 3 }])

  const undated = await read(lines({ type: 'summary', summary: 'Only a title', leafUuid: 'u4' }), 'projects/t.jsonl')
  expect(undated.turns).toMatchObject([{ content: 'Only a title', createdAt: fallbackTime, conversationId: 't' }])
})

test('a summary in a transcript is kept as what the system says', async () => {
  const log = await read(
    lines({ type: 'summary', summary: 'Payment bug fixed', leafUuid: 'u9' }, claude('user', 'hello again')),
    'p/ses.jsonl',
  )
  expect(log.turns[0]).toMatchObject({
    conversationId: 's-1',
    role: 'system',
    content: 'Payment bug fixed',
    externalId: 'summary:u9',
    metadata: { kind: 'summary' },
  })
})

test('the work of an agent in a transcript is a conversation of its own', async () => {
  const log = await read(
    lines(claude('user', 'Find the callers', { isSidechain: true, agentId: 'a7' }), claude('user', 'Thanks')),
    'x.jsonl',
  )
  expect(log.turns.map((turn) => [turn.conversationId, turn.role])).toEqual([
    ['s-1/agent-a7', 'system'],
    ['s-1', 'user'],
  ])
})

test('a transcript that begins with a very long line is recognised', async () => {
  const log = await read(
    lines(claude('user', `看这个文件：${'x'.repeat(100_000)}`), claude('user', 'And now?')),
    'x.jsonl',
    1_000_000,
  )
  expect(log.format).toBe('claude-code')
  expect(log.turns.map((turn) => turn.content.length)).toEqual([100_006, 8])
})

test('a transcript cut off in the middle of a line loses only that line', async () => {
  const whole = lines(claude('user', 'first'), claude('assistant', [{ type: 'text', text: 'second' }]))
  const log = await read(whole.slice(0, -20), 'x.jsonl')
  expect(said(log)).toEqual(['user: first'])
  expect(refusals(log)).toEqual(['2: the line is not valid JSON'])
})

test('NULs, as a power cut leaves them, cost no line that is whole', async () => {
  const [first, second, third] = ['先看日志', 'then the config', 'last the cache'].map((text) =>
    lines(claude('user', text)),
  )
  const gap = '\0'.repeat(600)
  const log = await read(`${gap}${first}${gap}\n${second?.slice(0, 40)}${gap}${second}\n${third}${gap}\n`, 'x.jsonl')
  expect(said(log)).toEqual(['user: 先看日志', 'user: then the config', 'user: last the cache'])
})

test('headings mark the speakers, and roles inside an answer stay text', async () => {
  const log = await read(`# Chat about login

## 🧑 User (2026-03-01 10:42)

How do I log in?
User: admin does not work.

---

## Assistant

Use the form:

\`\`\`md
## User
**User:** admin
\`\`\`

### User guide
Read it.

## 用户
明白了
`)
  expect(said(log)).toEqual([
    'user: How do I log in?\nUser: admin does not work.',
    'assistant: Use the form:\n\n```md\n## User\n**User:** admin\n```\n\n### User guide\nRead it.',
    'user: 明白了',
  ])
  expect(log.turns[0]).toMatchObject({ conversationId: 'chats/log', createdAt: Date.UTC(2026, 2, 1, 10, 42) })
  expect(log.items[0]).toMatchObject({ kind: 'skipped', line: 1, reason: 'before the first speaker' })
})

test('bold words mark the speakers, with the colon inside or outside', async () => {
  const log = await read(
    '**User:** Where is the config?\n\n**Assistant**: In `app.toml`.\nSecond line.\n\n**User** stories are fine.\n**Human** [11:05]:\n好的\n',
    '2026-05-06-notes.md',
  )
  expect(said(log)).toEqual([
    'user: Where is the config?',
    'assistant: In `app.toml`.\nSecond line.\n\n**User** stories are fine.',
    'user: 好的',
  ])
  expect(log.turns.map((turn) => turn.createdAt)).toEqual([
    Date.UTC(2026, 4, 6),
    Date.UTC(2026, 4, 6),
    Date.UTC(2026, 4, 6, 11, 5),
  ])
})

test('plain words mark the speakers in English and Chinese', async () => {
  const chinese = await read('用户：缓存为什么失效？\n助手：因为键里有时间。\n这是第二行：注意\n用户: 谢谢', '对话.txt')
  expect(said(chinese)).toEqual([
    'user: 缓存为什么失效？',
    'assistant: 因为键里有时间。\n这是第二行：注意',
    'user: 谢谢',
  ])
  const english = await read(
    '[2026-03-01 10:00:05] Human: Which port?\n[2026-03-01 10:00:09] Claude: 7077.\nSystem: Linux is assumed.\nHuman: ok',
  )
  expect(said(english)).toEqual(['user: Which port?', 'assistant: 7077.\nSystem: Linux is assumed.', 'user: ok'])
  expect(english.turns.map((turn) => turn.createdAt % 60_000)).toEqual([5000, 9000, 9000])
})

test('a code fence that is never closed hides no turn', async () => {
  const log = await read('User:\n```js\nconst a = 1\nAssistant:\nFine.\nUser:\n~~~\ncode\n~~~\nAssistant: done')
  expect(said(log)).toEqual(['user: ```js\nconst a = 1', 'assistant: Fine.', 'user: ~~~\ncode\n~~~', 'assistant: done'])
})

test('an unclosed fence in front of a very long text does not swallow the turns behind it', async () => {
  const log = await read(`User: look\n\`\`\`\n${'x\n'.repeat(300)}Assistant: seen\nUser: bye`, 'a.txt', 400)
  expect(said(log).slice(-2)).toEqual(['assistant: seen', 'user: bye'])
  expect(refusals(log)).toEqual(['1: the turn is longer than 400 bytes'])
})

test('many unclosed fences are read in bounded time', async () => {
  const log = await read(`User: hi\n${'```js\nAssistant: x\n'.repeat(20_000)}`, 'a.txt', 1_000_000)
  expect(log.turns.length).toBeGreaterThan(10_000)
})

test('reading a log twice gives the same ids, and adding to it changes none of them', async () => {
  const text = 'User: one\nAssistant: one\nUser: one'
  const first = await read(text)
  const again = await read(`${text}\nAssistant: two`)
  const ids = first.turns.map((turn) => turn.externalId)
  expect(new Set(ids).size).toBe(3)
  expect(again.turns.map((turn) => turn.externalId).slice(0, 3)).toEqual(ids)
  const elsewhere = await read(text, 'other/log.md')
  expect(elsewhere.turns[0]?.externalId).not.toBe(ids[0])
})

const noLogs: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['an empty file', '', /empty/],
  ['white space', ' \n\n', /empty/],
  ['a picture', Uint8Array.from([0x89, 0x50, 0, 0, 1]), /not text/],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x55, 0x00]), /UTF-16/],
  ['GBK', Uint8Array.from(Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? 0xd3 : 0xc3))), /not UTF-8/],
  ['prose', 'A story about a user who had no assistant.', /no speaker is marked/],
  ['a web page, as Takeout makes by default', '<!DOCTYPE html><html>Gemini Apps</html>', /JSON instead/],
  ['an export of Mneme', '{"mneme_export":1,"type":"header"}\n', /memory_import </],
  ['a JSON document', '{\n  "messages": []\n}', /not JSON lines/],
  ['other JSON lines', '{"level":"info","msg":"started"}', /neither "role"/],
]

for (const [what, content, reason] of noLogs) {
  test(`${what} is refused as a whole, with the reason`, async () => {
    const log = await read(content)
    expect(log).toMatchObject({ format: null, reason: expect.stringMatching(reason) })
  })
}

const folder = await mkdtemp(join(tmpdir(), 'mneme-logs-'))
afterAll(() => rm(folder, { recursive: true }))

test('a folder of logs is walked in order, and each file has its report', async () => {
  await mkdir(join(folder, 'b'))
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, 'b', '会话.md'), '## User\n你好，OrderService 在哪？\n## Assistant\n在 src/order.ts。\n')
  await writeFile(join(folder, 'a.jsonl'), '{"role":"user","content":"one"}\n{"role":"nobody","content":"two"}\n')
  await writeFile(join(folder, 'photo.png'), 'x')
  await writeFile(join(folder, '.git', 'x.md'), 'User: hidden')
  await symlink(join(folder, 'a.jsonl'), join(folder, 'link.jsonl'))
  const reports = []
  for await (const { path, name, refused } of findLogFiles(folder)) {
    const open = refused === null ? await readLogFile(path, name) : { format: null, reason: refused }
    const report = emptyLogReport(name, open.format, open.format === null ? open.reason : null)
    if (open.format !== null) for await (const item of open.items) countItem(report, item)
    reports.push(report)
  }
  expect(reports.map(({ file, format, turns, refused }) => [file, format, turns, refused])).toEqual([
    ['a.jsonl', 'mneme-lines', 1, 1],
    ['b/会话.md', 'marked-text', 2, 0],
    ['link.jsonl', null, 0, 0],
    ['photo.png', null, 0, 0],
  ])
  expect(reports[0]?.refusals).toEqual([{ line: 2, reason: expect.stringContaining('role is "nobody"') }])
  expect(reports[3]?.reason).toContain('are read')
})

test('a folder that does not exist is an error, and a single file is a folder of one', async () => {
  await expect(findLogFiles(join(folder, 'nowhere')).next()).rejects.toMatchObject({ code: 'not_found' })
  const { value } = await findLogFiles(join(folder, 'a.jsonl')).next()
  expect(value).toMatchObject({ name: 'a.jsonl', refused: null })
})
