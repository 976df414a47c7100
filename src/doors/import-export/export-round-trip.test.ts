import { expect, test } from 'vitest'
import type { Memory } from '../../domain/memory.ts'
import type { Conversation, Summary } from '../../domain/turn.ts'
import { type ExportedTurn, type ExportRecord, readExport, type WrittenRecord } from './export-codec.ts'
import { writeExport } from './write-export.ts'

const march = Date.UTC(2026, 2, 3, 9, 15, 27, 123)

const header: WrittenRecord = { kind: 'header', value: { exportedAt: march, userId: 'mei' } }

function conversation(conversationId: string, turnCount: number): Conversation {
  return {
    conversationId,
    projectRoot: '/home/mei/projects/订单 "new"',
    createdAt: march,
    lastActive: march + 86_400_001,
    summary: turnCount > 1 ? '讨论了 OrderService' : null,
    turnCount,
    lastTurnId: turnCount + 3,
  }
}

function turn(conversationId: string, turnId: number, content: string): ExportedTurn {
  const metadata = { model: 'x', nested: { list: [1, null, 'zwei'], __proto__note: true } }
  return {
    conversationId,
    turnId,
    role: turnId % 2 === 1 ? 'user' : 'assistant',
    content,
    speaker: turnId % 3 === 0 ? '小明' : null,
    createdAt: march + turnId,
    externalId: turnId % 2 === 0 ? `ext-${turnId}` : null,
    metadata: turnId % 4 === 0 ? metadata : null,
    isCollected: turnId % 5 === 0,
  }
}

const summary = (conversationId: string): Summary => ({
  summaryId: 7,
  conversationId,
  startTurn: 4,
  endTurn: 8,
  summary: '讨论了 OrderService。决定：use a mutex.',
  keySymbols: ['OrderService', 'src/order.ts'],
  keyDecisions: ['use a mutex'],
  createdAt: march + 5,
})

const memory: Memory = {
  id: 'm1',
  memoryType: 'semantic',
  text: '住在杭州 (moved from Berlin)',
  category: 'fact',
  key: 'city',
  value: { name: '杭州', since: 2026 },
  tags: ['home', '城市'],
  conversationId: 'c1',
  who: 'user',
  occurredAt: march,
  createdAt: march + 1,
  updatedAt: march + 2,
  confidence: 0.9,
  source: 'user_stated',
  importance: 2,
  accessCount: 3,
  lastAccessed: march + 3,
  validFrom: march,
  validTo: march + 4,
  supersededBy: 'm2',
  suspect: { reason: 'the turn it came from changed', since: march + 5 },
  sourceTurnIds: [1, 2],
  externalId: 'mem-ext',
  metadata: { a: 1 },
  projectRoot: '/work/shop',
}

const bareMemory: Memory = {
  ...memory,
  id: 'm2',
  key: null,
  value: null,
  tags: [],
  conversationId: null,
  who: null,
  lastAccessed: null,
  validTo: null,
  projectRoot: null,
  supersededBy: null,
  suspect: null,
  sourceTurnIds: [],
  externalId: null,
  metadata: null,
}

const records: readonly ExportRecord[] = [
  header,
  { kind: 'conversation', value: conversation('c1', 4) },
  { kind: 'turn', value: turn('c1', 4, 'Braces in text: }] { " \\ and "turns":[ stay text') },
  { kind: 'turn', value: turn('c1', 5, 'two\nlines\r\nand a tab\t, 中文，😀👩‍👩‍👧, e\u0301') },
  { kind: 'turn', value: turn('c1', 6, '\\"') },
  { kind: 'turn', value: turn('c1', 8, '\u2028 line separator') },
  { kind: 'summary', value: summary('c1') },
  { kind: 'conversation_end' },
  { kind: 'conversation', value: conversation('空 "对话"', 0) },
  { kind: 'conversation_end' },
  {
    kind: 'memory',
    value: {
      memory,
      edits: [
        { event: 'UPDATE', previousText: '我住在南京，\n离江边不远。', createdAt: 1_700_000_000_000 },
        { event: 'UPDATE', previousText: null, createdAt: 1_700_000_100_000 },
        { event: 'SUPERSEDE', previousText: null, createdAt: 1_700_000_200_000 },
      ],
    },
  },
  { kind: 'memory', value: { memory: bareMemory, edits: [] } },
  {
    kind: 'session_summary',
    value: {
      conversationId: 'c1',
      title: '"Braces" }] 标题',
      snippet: '',
      createdAt: march,
      updatedAt: march + 7,
      edited: true,
    },
  },
  {
    kind: 'profile',
    value: {
      text: '## 背景\n- 住在杭州\n\nNo "emoji".',
      updatedAt: march + 8,
      lines: [
        {
          section: 'background',
          text: '住在杭州',
          source: 'machine',
          updatedAt: march,
          tellings: [{ memoryIds: ['m1', 'm2'] }, { conversationId: 'chat', turnIds: [3] }],
        },
        { section: null, text: 'No "emoji".', source: 'user', updatedAt: march + 8 },
      ],
    },
  },
  { kind: 'end' },
]

async function* written(source: Iterable<ExportRecord>): AsyncGenerator<WrittenRecord> {
  for (const record of source) if ('value' in record) yield record
}

async function write(source: Iterable<ExportRecord>): Promise<string> {
  let text = ''
  for await (const piece of writeExport(written(source))) text += piece
  return text
}

/** The text as a stream whose chunks have this many bytes, so that characters and escapes are cut in two. */
async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text)
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes)
}

async function read(text: string, chunk = 1 << 16): Promise<ExportRecord[]> {
  const found: ExportRecord[] = []
  for await (const { record } of readExport(inChunks(text, chunk))) found.push(record)
  return found
}

test('an export comes back identical, however the file is cut into chunks', async () => {
  const text = await write(records)
  for (const chunk of [1, 2, 3, 7, 64, 1 << 16]) expect(await read(text, chunk)).toEqual(records)
})

test('an export without anything in it comes back as a header and an end', async () => {
  const text = await write([header])
  expect(await read(text)).toEqual([header, { kind: 'end' }])
})

test('an export that is cut off anywhere is refused with its place', async () => {
  const text = await write(records)
  const bytes = Buffer.from(text)
  for (let length = 0; length < bytes.length - 1; length += 13) {
    const half = new TextDecoder().decode(bytes.subarray(0, length))
    await expect(read(half), `cut at ${length}`).rejects.toMatchObject({
      code: 'import_failed',
      message: expect.stringMatching(/^byte \d+: /),
    })
  }
})

test('what stands before the cut is read', async () => {
  const text = await write(records)
  const half = text.slice(0, text.indexOf('空'))
  const seen: string[] = []
  const reading = async (): Promise<void> => {
    for await (const { record } of readExport(inChunks(half, 100))) seen.push(record.kind)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'import_failed' })
  expect(seen).toEqual(['header', 'conversation', 'turn', 'turn', 'turn', 'turn', 'summary', 'conversation_end'])
})

test('an export is one valid JSON document', async () => {
  const document = JSON.parse(await write(records))
  expect(document.mneme_export).toBe(1)
  expect(document.conversations[0].turns.map((one: { turn_id: number }) => one.turn_id)).toEqual([4, 5, 6, 8])
  expect(document.conversations[1]).toMatchObject({ conversation_id: '空 "对话"', turns: [], summaries: [] })
})

test('the live state of conversations in an older export is passed over', async () => {
  const live = '{"session_id":"c1","current_topic":"支付","turn_count":4}'
  const document = (await write(records)).replace('"session_summaries":', `"working_memories":[${live}],$&`)
  expect(await read(document, 1000)).toEqual(records)
})

test('an indented document with a byte order mark is read too', async () => {
  const text = `\uFEFF${JSON.stringify(JSON.parse(await write(records)), null, 2)}`
  for (const chunk of [1, 1000]) expect(await read(text, chunk)).toEqual(records)
})

test('summaries that stand before the turns are read, too', async () => {
  const document = JSON.parse(await write(records))
  const [first] = document.conversations
  const { turns, summaries, ...rest } = first
  document.conversations[0] = { ...rest, summaries, turns }
  const otherwise = await read(JSON.stringify(document))
  expect(otherwise).toHaveLength(records.length)
  expect(otherwise).toEqual(expect.arrayContaining([...records]))
})

test('a long export is written and read in pieces', async () => {
  const many = function* (): Generator<ExportRecord> {
    yield header
    yield { kind: 'conversation', value: conversation('long', 2000) }
    for (let number = 1; number <= 2000; number++)
      yield { kind: 'turn', value: turn('long', number, '一段文字 '.repeat(40)) }
  }
  const pieces: string[] = []
  for await (const piece of writeExport(written(many()))) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(5)
  const back = await read(pieces.join(''))
  expect(back.filter((record) => record.kind === 'turn')).toHaveLength(2000)
})

const broken: readonly (readonly [string, string, RegExp])[] = [
  ['an empty file', '', /byte 0: .*it is empty/],
  ['a chat log', '## User\nHello', /does not begin with \{/],
  ['another JSON document', '{"messages":[]}', /mneme_export, exported_at and user_id must come/],
  ['a newer version', '{"mneme_export":2,"exported_at":"2026-01-01T00:00:00Z","user_id":"a"}', /version 1/],
  [
    'a header without a user',
    '{"mneme_export":1,"exported_at":"2026-01-01T00:00:00Z","memories":[]}',
    /header.user_id: is missing/,
  ],
  ['lists before the header', '{\n"conversations":[],"mneme_export":1}', /before the lists/],
  [
    'a wrong role',
    documentWith('{"turn_id":1,"role":"robot","content":"x","created_at":"2026-01-01T00:00:00Z"}'),
    /byte \d+: turn.role: "robot" is not known/,
  ],
  [
    'a time that is none',
    documentWith('{"turn_id":1,"role":"user","content":"x","created_at":"noon"}'),
    /turn.created_at: is not a time/,
  ],
  [
    'an empty turn',
    documentWith('{"turn_id":1,"role":"user","content":"","created_at":"2026-01-01T00:00:00Z"}'),
    /turn.content/,
  ],
  [
    'a lone surrogate',
    documentWith('{"turn_id":1,"role":"user","content":"\\ud800","created_at":"2026-01-01T00:00:00Z"}'),
    /lone surrogate/,
  ],
  [
    'a NUL',
    documentWith('{"turn_id":1,"role":"user","content":"a\\u0000b","created_at":"2026-01-01T00:00:00Z"}'),
    /NUL/,
  ],
  ['a turn that is a number', documentWith('17'), /a turn is a JSON object/],
  ['a missing comma', documentWith('{"turn_id":1 "role":"user"}'), /not valid JSON/],
  ['two documents in one file', `${documentWith('')}\n{}`, /more after the end/],
]

function documentWith(turns: string): string {
  const fields =
    '"conversation_id":"c","project_root":"","created_at":"2026-01-01T00:00:00Z","last_active":"2026-01-01T00:00:00Z","turn_count":1,"last_turn_id":1'
  return `{"mneme_export":1,"exported_at":"2026-01-01T00:00:00Z","user_id":"a",\n"conversations":[{${fields},"turns":[${turns}]}]}`
}

for (const [what, text, message] of broken) {
  test(`${what} is refused with the place and the reason`, async () => {
    await expect(read(text)).rejects.toMatchObject({ code: 'import_failed', message: expect.stringMatching(message) })
  })
}

test('an error never repeats the private text of the file', async () => {
  const text = documentWith('{"turn_id":1,"role":"user","content":"my secret plan" oops')
  await expect(read(`${text}}`)).rejects.toMatchObject({ message: expect.not.stringContaining('secret') })
})

test('a record that is longer than allowed is refused', async () => {
  const text = documentWith(
    `{"turn_id":1,"role":"user","content":"${'x'.repeat(5000)}","created_at":"2026-01-01T00:00:00Z"}`,
  )
  const reading = async (): Promise<void> => {
    for await (const _ of readExport(inChunks(text, 64), 1000));
  }
  await expect(reading()).rejects.toMatchObject({ message: expect.stringContaining('longer than 1000 bytes') })
})
