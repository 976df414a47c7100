/** Exports of other programs, each with the traps that its format has. */
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'

let folder: string
let memory: OpenMemory
const open: DatabaseSync[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-foreign-'))
  memory = await openMemory({ path: ':memory:', userId: 'ann' })
})
afterEach(async () => {
  await memory.close()
  for (const made of open.splice(0)) made.close()
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

test.each([undefined, null, 'gone'])('with the current end %s the newest branch of a chat is taken in', async (end) => {
  const [told = { mapping: {} }] = CHATGPT
  const mapping = {
    ...node('late', 'root', 'user', ['Which honey is 最新的?'], { create_time: 1756729999 }),
    ...told.mapping,
  }
  await memory.conversations.importLogs(file('a.json', JSON.stringify([{ ...told, mapping, current_node: end }])))
  expect(await said('chatgpt-c1')).toEqual([['user', 'Which honey is 最新的?']])
  await memory.conversations.importLogs(file('b.json', JSON.stringify([{ ...CLAUDE, current_leaf_message_uuid: end }])))
  expect((await said('claude-u1')).map(([, text]) => text)).toEqual([
    'How do I build a kite?',
    'With two sticks.',
    '谢谢！',
  ])
  const flat = CLAUDE.chat_messages.map(({ parent_message_uuid: _, ...message }) => message)
  const older = { ...CLAUDE, uuid: 'u2', chat_messages: flat, current_leaf_message_uuid: end }
  await memory.conversations.importLogs(file('c.json', JSON.stringify([older])))
  expect(await said('claude-u2')).toHaveLength(4)
})

test('what was spoken to ChatGPT is taken in by its words', async () => {
  const spoken = (text: string) => ({
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text },
        { content_type: 'audio_asset_pointer', text: 'a sound' },
      ],
    },
  })
  const mapping = {
    ...node('q', null, 'user', [], spoken('我妹妹叫露莎。')),
    ...node('a', 'q', 'assistant', [], spoken('What a pretty name.')),
  }
  await memory.conversations.importLogs(file('v.json', JSON.stringify([{ id: 'v', mapping, current_node: 'a' }])))
  expect(await said('chatgpt-v')).toEqual([
    ['user', '我妹妹叫露莎。'],
    ['assistant', 'What a pretty name.'],
  ])
})

test('objects that run together on a line are read one by one', async () => {
  const about = (name: string, text: string) =>
    JSON.stringify({ type: 'entity', name, entityType: 'x', observations: [text] })
  const lines = [
    about('Ana', 'writes }{ in code') + about('Bo', '喜欢帆船'),
    `${about('Cy', 'drives')} ${about('Di', 'dives')}{"type":"ent`,
    about('Eve', 'climbs'),
  ]
  const report = await memory.conversations.importLogs(file('memory.jsonl', lines.join('\n')))
  expect(report).toMatchObject({ memoriesAdded: 5, files: [{ format: 'server-memory', refused: 1 }] })
  expect(await texts()).toEqual(['Ana: writes }{ in code', 'Bo: 喜欢帆船', 'Cy: drives', 'Di: dives', 'Eve: climbs'])
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
  // Equal messages under another conversation are other turns.
  expect(report.turnsAdded).toBe(4)
})

test('archives are read by what they hold, whatever the account’s language calls it', async () => {
  const asked = { title: 'Prompted 茶？', time: '2026-05-01T10:00:00Z', safeHtmlItem: [{ html: '绿茶。' }] }
  const path = file(
    'takeout.zip',
    zip({
      'Takeout/Meine Aktivitäten/Suche/MeineAktivitäten.json': JSON.stringify([{ ...asked, header: 'Suche' }]),
      'Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten.json': JSON.stringify([
        { header: 'Gemini-Apps', ...asked },
      ]),
    }),
  )
  const { files } = await memory.conversations.importLogs(path)
  expect(files).toMatchObject([{ format: 'gemini', turnsAdded: 2 }])
})

test.each([
  ['beside the conversations', (one: object) => [one]],
  ['in a file of their own', (one: object) => one],
])('what Claude.ai remembers becomes memories: %s', async (_, shape) => {
  const remembered = {
    conversations_memory: '**Work context**\n\nMira keeps bees in Bukhara.\n\n- 她喜欢火车。',
    project_memories: { p1: 'The kite is made of bamboo.' },
    account_uuid: 'a1',
  }
  const path = file(
    'claude.zip',
    zip({
      'memories.json': JSON.stringify(shape(remembered)),
      'users.json': '[{"uuid":"a1"}]',
      'projects.json': '[{"uuid":"p1","name":"Kite","docs":[]}]',
    }),
  )
  expect(await memory.conversations.importLogs(path)).toMatchObject({ memoriesAdded: 3, files: [{ skipped: 1 }] })
  expect(await texts()).toEqual(['Mira keeps bees in Bukhara.', 'The kite is made of bamboo.', '她喜欢火车。'])
  expect(await memory.conversations.importLogs(path)).toMatchObject({ memoriesAdded: 0 })
})

test('custom instructions of ChatGPT lose the words that are for the model', async () => {
  const instructions = (content: object, metadata: object = {}) =>
    node('i', null, 'user', [], { content: { content_type: 'user_editable_context', ...content }, metadata })
  const wrapped = {
    user_profile: 'The user said this about themselves:\n```Job: beekeeper\nCity: Bukhara```',
    user_instructions: 'Answer as they wish:\n```用中文回答。```',
  }
  const plain = {
    user_context_message_data: { about_user_message: 'Job: beekeeper', about_model_message: 'No lists.' },
  }
  const chats = [
    { id: 'a', mapping: instructions(wrapped), current_node: 'i' },
    { id: 'b', mapping: instructions(wrapped), current_node: 'i' },
    { id: 'c', mapping: instructions(wrapped, plain), current_node: 'i' },
  ]
  const report = await memory.conversations.importLogs(file('i.json', JSON.stringify(chats)))
  expect(report).toMatchObject({ turnsAdded: 0, memoriesAdded: 4 })
  expect(await texts()).toEqual(['City: Bukhara', 'Job: beekeeper', 'No lists.', '用中文回答。'])
  expect((await memory.profile.get()).text).toBe(
    '## Background\n- Job: beekeeper\n- City: Bukhara\n\n## Reply style\n- 用中文回答。\n- No lists.',
  )
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

test('messages of Codex at one time are all taken in, once', async () => {
  const message = (type: string, text: string, timestamp = '2026-05-01T10:00:01Z') =>
    JSON.stringify({ timestamp, type: 'event_msg', payload: { type, message: text } })
  const path = file(
    'rollout-x.jsonl',
    [
      message('user_message', 'Paint the kite.'),
      message('agent_message', 'First the frame.'),
      message('agent_message', '然后是尾巴。'),
      message('agent_message', 'Done.', '2026-05-01T10:00:02Z'),
    ].join('\n'),
  )
  await memory.conversations.importLogs(path)
  expect((await said('rollout-x')).map(([, text]) => text)).toEqual([
    'Paint the kite.',
    'First the frame.',
    '然后是尾巴。',
    'Done.',
  ])
  expect(await memory.conversations.importLogs(path)).toMatchObject({ turnsAdded: 0, turnsExisting: 4 })
})

test('a session of Codex that was forked from another one adds its own words alone', async () => {
  const [parent, fork] = ['0199aaaa-bbbb-cccc-dddd-eeeeffff0000', '0199aaaa-bbbb-cccc-dddd-eeeeffff0001']
  const line = (timestamp: string, type: string, payload: object) => JSON.stringify({ timestamp, type, payload })
  const spoke = (timestamp: string, type: string, message: string) => line(timestamp, 'event_msg', { type, message })
  const session = (of: string, day: string, words: readonly string[], meta: object = {}) =>
    file(
      `rollout-${of}.jsonl`,
      [line(`${day}T10:00:00.100Z`, 'session_meta', { id: of, cwd: '/work/kite', ...meta }), ...words].join('\n'),
    )
  session(parent, '2026-05-01', [
    spoke('2026-05-01T10:00:05Z', 'user_message', 'Paint the kite.'),
    spoke('2026-05-01T10:00:09Z', 'agent_message', '好的。'),
  ])
  session(
    fork,
    '2026-05-02',
    [
      line('2026-05-02T10:00:00.101Z', 'session_meta', { id: parent, cwd: '/work/kite' }),
      spoke('2026-05-02T10:00:00.102Z', 'user_message', 'Paint the kite.'),
      spoke('2026-05-02T10:00:00.103Z', 'agent_message', '好的。'),
      spoke('2026-05-02T10:00:20Z', 'user_message', 'Paint the kite.'),
      spoke('2026-05-02T10:00:22Z', 'agent_message', 'Green then.'),
    ],
    { forked_from_id: parent },
  )
  expect(await memory.conversations.importLogs(folder)).toMatchObject({ turnsAdded: 4 })
  expect(await said(parent)).toHaveLength(2)
  expect(await said(fork)).toEqual([
    ['user', 'Paint the kite.'],
    ['assistant', 'Green then.'],
  ])
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

const texts = async () => (await memory.getAll()).items.map(({ text }) => text).sort()

test('of Gemini, newest first and without conversations, sessions are made by their gaps', async () => {
  const asked = (title: string, time: string, html: string | null) => ({
    header: 'Gemini-Apps',
    title,
    time,
    products: ['Gemini Apps'],
    ...(html === null ? {} : { safeHtmlItem: [{ html }] }),
  })
  const german = 'Eingegebener Prompt: '
  const entries = [
    asked(`${german}Und danach?`, '2026-05-02T09:10:00.123Z', '<p>Dann <b>gießen</b> &amp; warten.<br>Mehr nicht.</p>'),
    asked(`${german}Wann säe ich Mohn?`, '2026-05-02T09:00:00Z', '<p>Im April &#39;26.</p>'),
    asked('Antwort bewertet', '2026-05-02T08:59:00Z', null),
    asked(`${german}养蜂难吗？`, '2026-05-01T20:00:00Z', '<ul><li>不难。</li></ul>'),
    asked(`${german}Bild`, '2026-04-30T20:00:00Z', ''),
    asked(`${german}Hallo`, '2026-04-29T20:00:00Z', '<p>Hallo!</p>'),
  ]
  const path = file('MyActivity.json', JSON.stringify(entries))
  expect(await memory.conversations.importLogs(path)).toMatchObject({
    turnsAdded: 9,
    files: [{ format: 'gemini', skippedBy: { 'no answer: a setting, a rating': 1 } }],
  })
  expect(await said('gemini-2026-05-02T09:00:00.000Z')).toEqual([
    ['user', 'Wann säe ich Mohn?'],
    ['assistant', "Im April '26."],
    ['user', 'Und danach?'],
    ['assistant', 'Dann gießen & warten.\nMehr nicht.'],
  ])
  expect(await memory.conversations.importLogs(path)).toMatchObject({ turnsAdded: 0, turnsExisting: 9 })
})

test.each([
  [
    'Prompted ',
    ['How do I bake rye?', 'How do I bake oats?', 'How do I bake spelt?', 'How do I bake: tips', 'How do I bake?'],
  ],
  ['Prompted ', ['Translate: bee', 'Translate: hive']],
  ['Prompted\u00a0', ['Where do bees sleep?']],
  ['Eingegebener Prompt: ', ['Übersetze: Biene', 'Übersetze: Honig', 'Übersetze: Wabe']],
  ['输入的提示：', ['我想问一下天气', '我想问一下菜谱', '我想问一下股票', '我想问一下路线', '我想问一下蜂蜜']],
])('words that all prompts behind "%s" begin with stay the user’s: %j', async (prefix, prompts) => {
  const entries = prompts.map((prompt, at) => ({
    header: 'Gemini Apps',
    title: prefix + prompt,
    time: `2026-05-0${9 - at}T10:00:00Z`,
    safeHtmlItem: [{ html: '<p>It&#x27;s &#39;so&#39; &amp;&nbsp;sö – …&unknown;</p>' }],
  }))
  await memory.conversations.importLogs(file('MyActivity.json', JSON.stringify(entries)))
  const chats = prompts.map((_, at) => said(`gemini-2026-05-0${9 - at}T10:00:00.000Z`))
  const expected = prompts.map((prompt) => [
    ['user', prompt],
    ['assistant', "It's 'so' & sö – …&unknown;"],
  ])
  expect(await Promise.all(chats)).toEqual(expected)
})

test('agent files of Letta, old and new, give what the person said and the blocks about them', async () => {
  const old = {
    agent_type: 'memgpt_agent',
    core_memory: [
      { label: 'human', value: 'Name: Mira\nKeeps bees.' },
      { label: 'persona', value: 'I am Sam.' },
    ],
    messages: [
      { id: 'm1', role: 'user', content: [{ type: 'text', text: '{"type":"login","last_login":"never"}' }] },
      {
        id: 'm2',
        role: 'user',
        created_at: '2026-05-01T10:00:00+02:00',
        content: [{ type: 'text', text: '{"type":"user_message","message":"我养蜜蜂。"}' }],
      },
      {
        id: 'm3',
        role: 'assistant',
        content: [{ type: 'text', text: 'They speak of bees.' }],
        tool_calls: [{ function: { name: 'send_message', arguments: '{"message":"How many hives?"}' } }],
      },
      { id: 'm4', role: 'tool', content: [{ type: 'text', text: '{"status":"OK"}' }] },
    ],
  }
  await memory.conversations.importLogs(file('mira.af', JSON.stringify(old)))
  expect(await said('mira')).toEqual([
    ['user', '我养蜜蜂。'],
    ['assistant', 'How many hives?'],
  ])
  const { items } = await memory.conversations.turns('mira')
  expect(items[0]?.createdAt).toBe('2026-05-01T08:00:00.000Z')
  const fresh = {
    agents: [{ id: 'a1', messages: [{ id: 'm9', role: 'user', agent_id: 'a1', content: 'Hi.' }] }],
    blocks: [{ id: 'b1', label: 'human', value: 'Lives in Bukhara.' }],
    metadata: { revision_id: '1' },
  }
  await memory.conversations.importLogs(file('new.af', JSON.stringify(fresh)))
  expect(await said('a1')).toEqual([['user', 'Hi.']])
  expect(await texts()).toEqual(['Keeps bees.', 'Lives in Bukhara.', 'Name: Mira'])
})

function database(name: string, sql: string): string {
  const made = new DatabaseSync(join(folder, name))
  made.exec(`PRAGMA journal_mode=WAL; ${sql}`)
  // It stays open, as Cursor's does: the newest pages lie in the file beside it.
  open.push(made)
  return join(folder, name)
}

test('chats of Cursor are read while Cursor writes, in both of their shapes', async () => {
  const put = (key: string, value: object | null) =>
    `INSERT INTO cursorDiskKV VALUES ('${key}', ${value === null ? 'NULL' : `'${JSON.stringify(value)}'`});`
  const path = database(
    'state.vscdb',
    [
      'CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB);',
      put('composerData:c1', {
        createdAt: 1_777_600_000_000,
        fullConversationHeadersOnly: ['b1', 'b2', 'b3', 'gone'].map((bubbleId) => ({ bubbleId, type: 1 })),
      }),
      put('bubbleId:c1:b1', { type: 1, text: 'Use pnpm here.', createdAt: '2026-05-01T10:00:00Z' }),
      put('bubbleId:c1:b2', { type: 2, text: '', toolFormerData: {} }),
      put('bubbleId:c1:b3', { type: 2, text: '好的。', createdAt: '1999-01-01T00:00:00Z' }),
      put('composerData:c2', { conversation: [{ bubbleId: 'x', type: 1, text: 'An older chat.' }] }),
      put('composerData:c3', { fullConversationHeadersOnly: [] }),
      put('composerData:c4', null),
    ].join('\n'),
  )
  expect(await memory.conversations.importLogs(path)).toMatchObject({
    turnsAdded: 3,
    files: [{ format: 'cursor', skipped: 4 }],
  })
  expect(await said('cursor-c1')).toEqual([
    ['user', 'Use pnpm here.'],
    ['assistant', '好的。'],
  ])
  expect(await said('cursor-c2')).toEqual([['user', 'An older chat.']])
  expect(await memory.conversations.importLogs(path)).toMatchObject({ turnsAdded: 0, turnsExisting: 3 })
})

test('observations of claude-mem and what is left of the history of mem0 become memories', async () => {
  const observations = database(
    'claude-mem.db',
    `CREATE TABLE observations (id INTEGER, project TEXT, title TEXT, narrative TEXT, facts TEXT, created_at_epoch INTEGER);
     INSERT INTO observations VALUES (1, 'kite', 'Title', 'Long.', '["The kite uses pnpm.","风筝用竹子。"]', 1777600000000),
       (2, 'kite', 'Title', 'The build moved to rolldown.', NULL, 1777600000001), (3, 'kite', NULL, NULL, '{broken', NULL);
     CREATE TABLE session_summaries (id INTEGER, request TEXT, learned TEXT, completed TEXT, next_steps TEXT, created_at_epoch INTEGER);
     INSERT INTO session_summaries VALUES (1, 'Fly', 'Silk tears.', NULL, '买竹子。', 1777600000003);
     CREATE TABLE user_prompts (id INTEGER, prompt_text TEXT, created_at_epoch INTEGER);
     INSERT INTO user_prompts VALUES (1, 'Fly the kite.', 1777600000000);`,
  )
  const history = database(
    'history.db',
    `CREATE TABLE history (id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at TEXT, updated_at TEXT, is_deleted INTEGER);
     INSERT INTO history VALUES ('1', 'a', NULL, 'Likes tea', 'ADD', '2026-01-01T00:00:00Z', NULL, 0),
       ('2', 'a', 'Likes tea', 'Likes green tea', 'UPDATE', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', 0),
       ('3', 'b', NULL, 'Has a cat', 'ADD', '2026-01-01T00:00:00Z', NULL, 0), ('4', 'b', 'Has a cat', NULL, 'DELETE', NULL, NULL, 1);`,
  )
  const ofTypescript = database(
    'memory.db',
    `CREATE TABLE memory_history (id INTEGER, memory_id TEXT, previous_value TEXT, new_value TEXT, action TEXT, created_at TEXT, updated_at TEXT, is_deleted INTEGER);
     INSERT INTO memory_history VALUES (1, 'c', NULL, 'Flies kites', 'ADD', '2026-01-01T00:00:00Z', NULL, 0),
       (2, 'd', NULL, 'Has a dog', 'ADD', NULL, NULL, 0), (3, 'd', 'Has a dog', NULL, 'DELETE', NULL, NULL, 1);`,
  )
  for (const path of [observations, history, history, ofTypescript]) await memory.conversations.importLogs(path)
  expect(await texts()).toEqual([
    'Flies kites',
    'Likes green tea',
    'Silk tears.',
    'The build moved to rolldown.',
    'The kite uses pnpm.',
    '买竹子。',
    '风筝用竹子。',
  ])
  const foreign = await memory.conversations.importLogs(database('other.db', 'CREATE TABLE x (y)'))
  expect(foreign.files[0]?.reason).toContain('no program that is known')
})

test('notes: Claude Code’s own belong to their project, those of basic-memory keep their subject', async () => {
  mkdirSync(join(folder, 'p', 'memory'), { recursive: true })
  const entry = { type: 'user', uuid: 'u1', sessionId: 's1', cwd: '/work/kite', timestamp: '2026-05-01T10:00:00Z' }
  file('p/0a1b.jsonl', JSON.stringify({ ...entry, message: { role: 'user', content: 'Hi.' } }))
  file('p/memory/MEMORY.md', '# Kite\n\n- [Build](build.md) runs by `pnpm build`\n* 测试用 vitest\n')
  file(
    'note.md',
    '---\ntitle: Mohn\ntype: note\npermalink: garden/mohn\n---\n\n# Mohn\n\n- [fact] Blooms in June #garden (diary)\n- grows_beside [[Lavender]]\n```js\ncode\n```\n',
  )
  file('p/memory/mem0.json', JSON.stringify([{ id: 'x', memory: 'Anywhere' }]))
  expect(await memory.conversations.importLogs(folder)).toMatchObject({ turnsAdded: 1, memoriesAdded: 5 })
  expect(await texts()).toEqual([
    'Anywhere',
    'Build runs by `pnpm build`',
    'Mohn grows beside Lavender',
    'Mohn: Blooms in June (diary)',
    '测试用 vitest',
  ])
  file('windows.md', '---\r\ntitle: 茶\r\ntype: note\r\n---\r\n- [tip] 水温八十度 #水温\r\n- goes_with [[Honey]]\r\n')
  await memory.conversations.importLogs(join(folder, 'windows.md'))
  expect((await texts()).filter((text) => text.startsWith('茶'))).toEqual(['茶 goes with Honey', '茶: 水温八十度'])
  const chat = file('chat.md', '---\ntitle: Tea\ntype: chat\n---\n## User\nGreen?\n## Assistant\nGreen.\n')
  expect(await memory.conversations.importLogs(chat)).toMatchObject({ files: [{ format: 'marked-text', turns: 2 }] })
  const inProject = await memory.getAll({ filters: { projectRoot: '/work/kite' } })
  expect(inProject.items.map(({ text }) => text).sort()).toEqual(['Build runs by `pnpm build`', '测试用 vitest'])
})

test('what another assistant says that it remembers is pasted, with its days', async () => {
  const said =
    '```\n[2026-03-01] - I keep bees in Bukhara.\n\n1. 我对花生过敏。\n**Preferences**\n- Prefers trains: no flights\n```\n'
  const source = async function* () {
    yield Buffer.from(said)
  }
  await memory.conversations.importLogStream({ name: 'paste', source: source() }, { format: 'notes' })
  expect(await texts()).toEqual(['I keep bees in Bukhara.', 'Prefers trains: no flights', '我对花生过敏。'])
  const [bees] = (await memory.getAll()).items.filter(({ text }) => text.includes('bees'))
  expect(bees?.createdAt.slice(0, 10)).toBe('2026-03-01')
})

test.each([
  [
    'Sure! Here is what I remember about you.\n\n**Home**\n- **City**: Bukhara\n\nYou keep bees.\n\n- 喜欢火车\n\nLet me know what to change!',
    ['City: Bukhara', 'You keep bees.', '喜欢火车'],
  ],
  ['以下是我记得的内容：\n\n你住在布哈拉。\n你养蜜蜂。\n\n需要修改吗？', ['你住在布哈拉。', '你养蜜蜂。']],
  ['You keep bees.\n\nYou live in Bukhara.', ['You keep bees.', 'You live in Bukhara.']],
  [
    'Hi!\nHere is what I know.\n\n- You keep bees.\n[unknown] - 喜欢火车\n\nAnything else?\nI can forget it.',
    ['You keep bees.', '喜欢火车'],
  ],
  ['Hello again:\n\nYou live in Bukhara. You keep bees.\n\nAnything else?', ['You live in Bukhara. You keep bees.']],
])('greetings around what another assistant remembers stay away: %j', async (text, expected) => {
  const source = Readable.from([Buffer.from(text)])
  await memory.conversations.importLogStream({ name: 'paste', source }, { format: 'notes' })
  expect(await texts()).toEqual(expected)
})

test('a stream that fails before it is read is told to the caller', async () => {
  const gone = () => createReadStream(join(folder, 'gone.json'))
  await expect(memory.conversations.import(gone())).rejects.toThrow('ENOENT')
  await expect(memory.conversations.importLogStream({ name: 'gone.json', source: gone() })).rejects.toThrow('ENOENT')
})

test('a file that cannot be opened is refused, and the others are taken in', async () => {
  file('a.db', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9000, 7)]))
  file('b.jsonl', '{"role":"user","content":"你好"}\n{"role":"assistant","content":"Hello."}\n')
  const { files, turnsAdded } = await memory.conversations.importLogs(folder)
  expect(files.map(({ file, reason }) => [file, reason])).toEqual([
    ['a.db', 'The database file is damaged.'],
    ['b.jsonl', null],
  ])
  expect(turnsAdded).toBe(2)
})
