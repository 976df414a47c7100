/** Exports of other programs, each with the traps that its format has. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'

let folder: string
let memory: OpenMemory
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-foreign-'))
  memory = await openMemory({ path: ':memory:', userId: 'ann' })
})
afterEach(async () => {
  await memory.close()
  rmSync(folder, { recursive: true })
})

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const said = async (conversationId: string) =>
  (await memory.conversations.turns(conversationId)).items.map(({ role, content }) => [role, content])

const node = (id: string, parent: string | null, role: string | null, parts: unknown[], more: object = {}) => ({
  [id]: {
    id,
    parent,
    children: [],
    message:
      role === null
        ? null
        : {
            author: { role },
            create_time: 1756720800,
            content: { content_type: 'text', parts },
            recipient: 'all',
            ...more,
          },
  },
})

const CHATGPT = [
  {
    id: 'c1',
    title: 'Bees',
    create_time: 1756720000.5,
    current_node: 'n6',
    mapping: {
      ...node('root', null, null, []),
      ...node('n0', 'root', 'user', [], {
        content: {
          content_type: 'user_editable_context',
          user_profile: 'I am a beekeeper in Bukhara.',
          user_instructions: '',
        },
      }),
      ...node('n1', 'n0', 'system', ['You are ChatGPT.']),
      ...node('n2', 'n1', 'user', ['Which flowers suit bees? (first draft)']),
      ...node('n3', 'n1', 'user', [{ asset_pointer: 'file://picture' }, '哪些花适合蜜蜂？']),
      ...node('n4', 'n3', 'assistant', ['search("bees")'], { recipient: 'browser' }),
      ...node('n5', 'n4', 'assistant', ['thinking'], { content: { content_type: 'thoughts', parts: ['hm'] } }),
      ...node('n6', 'n5', 'assistant', ['薰衣草和百里香。'], { create_time: null }),
    },
  },
  { title: 'without an id', mapping: {} },
]

test('of an export of ChatGPT the current branch is taken in, once', async () => {
  const path = file('conversations.json', JSON.stringify(CHATGPT))
  const look = await memory.conversations.importLogs(path, { dryRun: true })
  expect(look).toMatchObject({
    turnsAdded: 0,
    files: [{ format: 'chatgpt', turns: 2, memories: 1, skipped: 3, refused: 1 }],
  })
  expect((await memory.conversations.list()).total).toBe(0)
  expect(await memory.conversations.importLogs(path)).toMatchObject({ turnsAdded: 2, memoriesAdded: 1 })
  expect(await said('chatgpt-c1')).toEqual([
    ['user', '哪些花适合蜜蜂？'],
    ['assistant', '薰衣草和百里香。'],
  ])
  expect((await memory.getAll()).items.map(({ text }) => text)).toEqual(['I am a beekeeper in Bukhara.'])
  expect(await memory.conversations.importLogs(path)).toMatchObject({
    turnsAdded: 0,
    turnsExisting: 2,
    memoriesAdded: 0,
  })
})

test('what comes as a stream is taken in by its name, and no copy of it stays', async () => {
  const source = (text: string) => Readable.from([Buffer.from(text)])
  vi.stubEnv('TMPDIR', folder)
  const name = '../聊天 conversations.json'
  const report = await memory.conversations.importLogStream({ name, source: source(JSON.stringify(CHATGPT)) })
  expect(report).toMatchObject({ turnsAdded: 2, files: [{ file: name, format: 'chatgpt', refused: 1 }] })
  const nothing = await memory.conversations.importLogStream({ name: 'a.zip', source: source('no archive') })
  expect(nothing).toMatchObject({ turnsAdded: 0, files: [{ file: 'a.zip', format: null }] })
  expect(readdirSync(folder)).toEqual([])
  vi.unstubAllEnvs()
})

const CLAUDE = {
  uuid: 'u1',
  name: 'Kites',
  created_at: '2026-03-01T08:00:00Z',
  current_leaf_message_uuid: 'm4',
  chat_messages: [
    {
      uuid: 'm1',
      parent_message_uuid: null,
      sender: 'human',
      text: '',
      content: [{ type: 'text', text: 'How do I build a kite?' }],
      created_at: '2026-03-01T08:00:01Z',
      attachments: [{ file_name: 'plan.pdf', extracted_content: 'pages and pages' }],
    },
    {
      uuid: 'm2',
      parent_message_uuid: 'm1',
      sender: 'assistant',
      text: 'An answer that was tried again.',
      content: [],
    },
    {
      uuid: 'm3',
      parent_message_uuid: 'm1',
      sender: 'assistant',
      text: 'x',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'With two sticks.' },
        { type: 'tool_use', name: 'f' },
      ],
    },
    { uuid: 'm4', parent_message_uuid: 'm3', sender: 'human', text: '谢谢！', content: [] },
  ],
}

test.each([
  ['an array', JSON.stringify([CLAUDE])],
  ['lines', `${JSON.stringify(CLAUDE)}\n`],
])('an export of Claude.ai as %s', async (_, text) => {
  const path = file('conversations.json', text)
  expect(await memory.conversations.importLogs(path)).toMatchObject({
    turnsAdded: 3,
    files: [{ format: 'claude-ai', skippedBy: { 'an attached document': 1 } }],
  })
  expect(await said('claude-u1')).toEqual([
    ['user', 'How do I build a kite?'],
    ['assistant', 'With two sticks.'],
    ['user', '谢谢！'],
  ])
})

test('a ZIP file gives its conversations, in parts too, and leaves the rest', async () => {
  const part = (id: string) => JSON.stringify([{ ...CHATGPT[0], id }])
  const path = file(
    'export.zip',
    zip({
      'user.json': '{"email":"a@b"}',
      'conversations-000.json': part('a'),
      'conversations-001.json': part('b'),
      'chat.html': '<html>',
    }),
  )
  const report = await memory.conversations.importLogs(path)
  expect(report.files.map(({ file: name, turns }) => [name, turns])).toEqual([
    ['export.zip/conversations-000.json', 2],
    ['export.zip/conversations-001.json', 2],
  ])
  // The same messages under another conversation are other turns.
  expect(report.turnsAdded).toBe(4)
})

test.each([
  ['no ZIP at all', 'this is text'],
  ['a ZIP without conversations', zip({ 'user.json': '{}' })],
])('%s is refused with the reason', async (_, content) => {
  const { files } = await memory.conversations.importLogs(file('export.zip', content))
  expect(files).toHaveLength(1)
  expect(files[0]?.reason).toMatch(/ZIP/)
})

test('of a file that breaks off the whole conversations are taken in, and the rest is told', async () => {
  const text = JSON.stringify([
    { ...CHATGPT[0], id: 'a' },
    { ...CHATGPT[0], id: 'b' },
  ])
  const { files, turnsAdded } = await memory.conversations.importLogs(
    file('conversations.json', text.slice(0, text.length - 200)),
  )
  expect(turnsAdded).toBe(2)
  expect(files[0]).toMatchObject({ refused: 1 })
})

test('a session of Codex: what was said, neither instructions nor tools', async () => {
  const id = '0199aaaa-bbbb-cccc-dddd-eeeeffff0000'
  const lines = [
    {
      timestamp: '2026-05-01T10:00:00Z',
      type: 'session_meta',
      payload: { id, cwd: '/work/kite', originator: 'codex_cli_rs' },
    },
    {
      timestamp: '2026-05-01T10:00:01Z',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: '# AGENTS.md instructions' }] },
    },
    {
      timestamp: '2026-05-01T10:00:02Z',
      type: 'event_msg',
      payload: { type: 'user_message', message: 'Use pnpm here, never npm.' },
    },
    { timestamp: '2026-05-01T10:00:03Z', type: 'event_msg', payload: { type: 'token_count' } },
    {
      timestamp: '2026-05-01T10:00:04Z',
      type: 'event_msg',
      payload: { type: 'agent_message', message: 'pnpm it is.' },
    },
  ]
  const path = file(`rollout-2026-05-01T10-00-00-${id}.jsonl`, lines.map((line) => JSON.stringify(line)).join('\n'))
  await memory.conversations.importLogs(path)
  expect(await said(id)).toEqual([
    ['user', 'Use pnpm here, never npm.'],
    ['assistant', 'pnpm it is.'],
  ])
  expect((await memory.conversations.get(id)).projectRoot).toBe('/work/kite')
})

test('memories of the reference server and of mem0 become memories, once', async () => {
  const graph = [
    { type: 'entity', name: 'Mira', entityType: 'person', observations: ['plays the oud', '住在布哈拉'] },
    { type: 'relation', from: 'Mira', to: 'Ann', relationType: 'is a sister of' },
  ]
  const lines = file('memory.jsonl', `${graph.map((one) => JSON.stringify(one)).join('\n')}\n{broken`)
  expect(await memory.conversations.importLogs(lines)).toMatchObject({ memoriesAdded: 3, files: [{ refused: 1 }] })
  expect(await memory.conversations.importLogs(lines)).toMatchObject({ memoriesAdded: 0 })
  const mem0 = file(
    'mem0.json',
    JSON.stringify({ results: [{ id: 'x', memory: 'Likes saffron rice', created_at: '2026-01-05T10:00:00Z' }] }),
  )
  expect(await memory.conversations.importLogs(mem0)).toMatchObject({ memoriesAdded: 1 })
  expect((await memory.getAll()).items.map(({ text }) => text).sort()).toEqual([
    'Likes saffron rice',
    'Mira is a sister of Ann',
    'Mira: plays the oud',
    'Mira: 住在布哈拉',
  ])
})

/** A ZIP file whose entries are stored as they are. */
function zip(entries: Readonly<Record<string, string>>): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)]
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, path, data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, path]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
