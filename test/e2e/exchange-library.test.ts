/** Export and import through the library: the content comes back identical, once, whole or not at all. */
import { expect, test } from 'vitest'
import { silentLogger } from '../../src/domain/logger.ts'
import { type ImportReport, type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { freshDatabase } from '../support/folder.ts'

const NOW = new Date('2026-04-30T18:00:00Z')
const DAY = 86_400_000

function open(userId = 'one'): Promise<OpenMemory> {
  // Nothing is thought about here: what is stored is what was said, and it stays so.
  return openMemory({ path: freshDatabase(), userId, clock: () => NOW, thinking: false })
}

async function exported(memory: OpenMemory, conversationId?: string): Promise<string> {
  let text = ''
  for await (const piece of memory.conversations.export({ conversationId })) text += piece
  return text
}

/** The bytes in pieces of an awkward size, so that characters are cut. */
async function* inPieces(text: string | Buffer, size = 61): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const step = bytes.length > 500_000 ? 65_521 : size
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

function take(memory: OpenMemory, text: string | Buffer): Promise<ImportReport> {
  return memory.conversations.import(inPieces(text))
}

/** Everything that was said and summarised and remembered, without the ids that a database gives by itself. */
async function content(memory: OpenMemory): Promise<unknown> {
  const { items } = await memory.conversations.list({ limit: 10_000 })
  const conversations = await Promise.all(
    items.map(async (conversation) => ({
      conversation,
      turns: (await memory.conversations.turns(conversation.conversationId, { limit: 10_000 })).items,
      summaries: (await memory.conversations.summaries(conversation.conversationId)).map(
        ({ summaryId: _, ...summary }) => summary,
      ),
    })),
  )
  const memories = (await memory.getAll({ limit: 10_000, includePast: true })).items
  return { conversations, memories: memories.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

/** A memory with everything in it that has ever been difficult. */
async function fillRichly(memory: OpenMemory): Promise<void> {
  const day = (days: number, minute = 0) => new Date(NOW.getTime() - days * DAY + minute * 60_000)
  await memory.conversations.store({
    conversationId: 'living',
    projectRoot: '/home/ann/太阳能',
    turns: Array.from({ length: 37 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content:
        at % 3 === 0
          ? `第${at}天：逆变器 startInverter() 又停了，我们决定换保险丝。`
          : `Day ${at}: startInverter() in src/solar/inverter.ts threw OverloadError; we decided to lower the limit.`,
      speaker: at % 2 === 0 ? '安娜' : 'Robo',
      createdAt: day(at < 14 ? 50 : 3, at),
      externalId: `ext-${at}`,
      metadata: { at, 名: ['值', null, { deep: true }] },
    })),
  })
  await memory.conversations.store({
    conversationId: 'odd text',
    turns: [
      '👩‍👩‍👧‍👦🏳️‍🌈👍🏽 𠮷野家',
      'line one\r\nline two\rline three\u2028four\u2029five\u0085six',
      '\ufeff  "quoted" \\ back\\slash \u0001\u001f\u007f \t ',
      '{"type":"end"}\n{"type":"conversation_end"}',
      `${'长'.repeat(300_000)}尾`,
      'z'.repeat(1024 * 1024),
    ].map((text, at) => ({
      role: at % 2 === 0 ? ('tool' as const) : ('system' as const),
      content: text,
      createdAt: day(1, at),
    })),
  })
  await memory.conversations.store({ conversationId: 'one turn', turns: [{ role: 'user', content: 'Only this.' }] })
  // Numbers 1 to 14 of "living" go: the numbering begins with a hole.
  await memory.conversations.delete({ olderThan: day(30) })
  const first = await memory.add('喝茶不加糖。', {
    infer: false,
    key: 'drink',
    value: { tea: ['green', '绿'], sugar: 0 },
    tags: ['taste', '口味'],
    category: 'preference',
    metadata: { source: '👂' },
    externalId: 'm1',
    sourceTurnIds: [15, 16],
    conversationId: 'living',
    occurredAt: day(9),
    confidence: 0.95,
    importance: 3,
  })
  await memory.update(first.results[0]!.id, { text: '喝茶加一点蜂蜜。' })
  await memory.touch([first.results[0]!.id])
  await memory.add('Wakes at six.', {
    infer: false,
    memoryType: 'episodic',
    source: 'inferred',
    confidence: 0.4,
    who: 'Ann',
  })
}

test('an export comes back as identical content, and a second time adds nothing', async () => {
  await using source = await open()
  await fillRichly(source)
  const text = await exported(source)
  await using target = await open()
  const report = await take(target, text)
  expect(report).toMatchObject({
    conversations: 3,
    turnsAdded: 30,
    turnsExisting: 0,
    memoriesAdded: 2,
    refused: [],
    complete: true,
  })
  expect(await content(target)).toEqual(await content(source))

  const again = await take(target, text)
  expect(again).toMatchObject({
    turnsAdded: 0,
    turnsExisting: 30,
    summariesAdded: 0,
    memoriesAdded: 0,
    memoriesExisting: 2,
    refused: [],
  })
  expect(await content(target)).toEqual(await content(source))
  expect((await target.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
  // An import is exported as an equal file, but for the numbers of summaries.
  const plain = (file: string) => file.replace(/"summary_id":\d+,/g, '')
  expect(plain(await exported(target))).toBe(plain(text))
  const { results } = await target.conversations.recall('startInverter OverloadError', { limit: 3 })
  expect(results.length).toBeGreaterThan(0)
  // The next turn gets the next number.
  const [next] = await target.conversations.store({
    conversationId: 'living',
    turns: [{ role: 'user', content: 'More.' }],
  })
  expect(next?.turnId).toBe(38)
})

test('the story of a memory comes back, edits, successors and all', async () => {
  const path = freshDatabase()
  const clock = () => NOW
  const ids: string[] = []
  {
    await using source = await openMemory({ path, userId: 'one', clock, thinking: false })
    const told = ['Lives in Leiden.', '搬到了哥德堡。', 'Moved again, to Malmö.']
    for (const text of told) ids.push((await source.add(text, { key: 'home', infer: false })).results[0]!.id)
    await source.update(ids[0]!, 'Lives in Leiden, near the canal.')
    await source.update(ids[0]!, { tags: ['home'] })
    await source.update(ids[2]!, { text: 'Moved again, to Malmö, by the park.', importance: 2 })
  }
  const store = await openSqliteStore({ path, create: false, clock, logger: silentLogger })
  for (const [index, id] of ids.slice(0, 2).entries())
    await store.memories.update('one', id, { supersededBy: ids[index + 1]!, validTo: NOW.getTime() }, NOW.getTime())
  await store.close()
  await using source = await openMemory({ path, userId: 'one', clock, thinking: false })
  await using target = await open()
  const stories = (memory: OpenMemory) => Promise.all(ids.map((id) => memory.history(id)))
  for (const added of [3, 0])
    expect(await take(target, await exported(source))).toMatchObject({
      memoriesAdded: added,
      memoriesExisting: 3 - added,
      refused: [],
    })
  expect(await stories(target)).toEqual(await stories(source))
  const own = (await stories(target))[0]!.filter(({ memoryId }) => memoryId === ids[0])
  expect(own.map(({ event, newText }) => [event, newText])).toEqual([
    ['ADD', 'Lives in Leiden.'],
    ['UPDATE', 'Lives in Leiden, near the canal.'],
    ['UPDATE', 'Lives in Leiden, near the canal.'],
    ['SUPERSEDE', '搬到了哥德堡。'],
  ])
  expect(await content(target)).toEqual(await content(source))
  expect((await target.getAll()).items.map(({ text }) => text)).toEqual(['Moved again, to Malmö, by the park.'])
  expect(await exported(target)).toBe(await exported(source))
})

test('an export of a conversation that lost its newest turns does not give their numbers out again', async () => {
  await using source = await open()
  const said = (content: string, days: number) => ({
    role: 'user' as const,
    content,
    createdAt: new Date(NOW.getTime() - days * DAY),
  })
  await source.conversations.store({ conversationId: 'chat', turns: [said('New.', 1), said('Old, told late.', 60)] })
  await source.conversations.delete({ olderThan: new Date(NOW.getTime() - 30 * DAY) })
  const [next] = await source.conversations.store({ conversationId: 'chat', turns: [said('After.', 0)] })
  expect(next?.turnId).toBe(3)
})

test('one conversation is exported alone, without memories', async () => {
  await using source = await open()
  await fillRichly(source)
  await using target = await open()
  expect(await take(target, await exported(source, 'one turn'))).toMatchObject({
    conversations: 1,
    turnsAdded: 1,
    memoriesAdded: 0,
    complete: true,
  })
})

test('an export goes to another user of another database under that name, and only there', async () => {
  await using source = await open()
  await source.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'Ann said this.' }] })
  await using target = await open()
  await target.conversations.import(inPieces(await exported(source)), { userId: 'bob' })
  expect((await target.conversations.list()).total).toBe(0)
  expect((await target.conversations.list({ userId: 'bob' })).total).toBe(1)
})

test('half a file: whole conversations are in, the broken one not at all, and the report says so', async () => {
  await using source = await open()
  const wholeCounts: number[] = []
  for (let chat = 0; chat < 6; chat += 1)
    await source.conversations.store({
      conversationId: `chat-${chat}`,
      turns: Array.from({ length: 12 }, (_, at) => ({
        role: 'user' as const,
        content: `Talk ${chat}, line ${at}: 邮递员今天来晚了 👋`,
      })),
    })
  await source.add('The postman rings twice.', { infer: false })
  const bytes = Buffer.from(await exported(source))
  for (const part of [0.02, 0.11, 0.37, 0.5, 0.613, 0.74, 0.9, 0.97, 0.999]) {
    await using target = await open()
    const report = await take(target, bytes.subarray(0, Math.floor(bytes.length * part)))
    expect(report.complete).toBe(false)
    expect(report.refused).toHaveLength(1)
    expect(report.refused[0]).toMatchObject({
      at: expect.stringMatching(/./),
      reason: expect.stringMatching(/./),
      remedy: expect.stringMatching(/./),
    })
    const { items } = await target.conversations.list()
    expect(items).toHaveLength(report.conversations)
    for (const { turnCount } of items) expect(turnCount).toBe(12)
    wholeCounts.push(items.length)
    // The whole file afterwards brings the rest.
    expect(await take(target, bytes)).toMatchObject({ complete: true, turnsAdded: 72 - 12 * items.length })
  }
  expect(wholeCounts).toContain(0)
  expect(Math.max(...wholeCounts)).toBe(6)
  expect(new Set(wholeCounts).size).toBeGreaterThan(3)
})

test('a conversation that says something else under the same number is refused alone', async () => {
  await using source = await open()
  for (const chat of ['first', 'second', 'third'])
    await source.conversations.store({
      conversationId: chat,
      turns: ['One.', 'Two.', 'Three.'].map((text) => ({ role: 'user' as const, content: `${chat}: ${text}` })),
    })
  const text = await exported(source)
  await using target = await open()
  await target.conversations.store({
    conversationId: 'second',
    turns: [
      { role: 'user', content: 'second: One.' },
      { role: 'user', content: 'second: something else.' },
    ],
  })
  const report = await take(target, text)
  expect(report).toMatchObject({ conversations: 2, turnsAdded: 6, complete: true })
  expect(report.refused).toHaveLength(1)
  expect(report.refused[0]?.what).toContain('second')
  expect((await target.conversations.get('second')).turnCount).toBe(2)
})

test('a conflict far into a long conversation leaves nothing of that conversation behind', async () => {
  await using source = await open()
  for (let first = 0; first < 6000; first += 2000)
    await source.conversations.store({
      conversationId: 'long',
      turns: Array.from({ length: 2000 }, (_, at) => ({ role: 'user' as const, content: `Line ${first + at + 1}` })),
    })
  await using target = await open()
  await target.conversations.restore({
    conversationId: 'long',
    turns: [{ turnId: 5500, role: 'user', content: 'Another one.' }],
  })
  const report = await take(target, await exported(source))
  expect(report.refused).toHaveLength(1)
  expect(report).toMatchObject({ conversations: 0, turnsAdded: 0 })
  expect((await target.conversations.get('long')).turnCount).toBe(1)
})

test('files that are no export are refused with the reason and change nothing', async () => {
  await using memory = await open()
  const files = ['', ' \n', 'hello', '[]', '{}', '{"mneme_export":99}', 'null', '{"a":', '\0\0\0', '<xml/>']
  for (const file of files) {
    const report = await take(memory, file)
    expect({ file, complete: report.complete, refused: report.refused.length }).toEqual({
      file,
      complete: false,
      refused: 1,
    })
    expect(report.refused[0]?.remedy).not.toBe('')
  }
  const invalid = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])
  expect((await take(memory, invalid)).complete).toBe(false)
  expect((await memory.conversations.list()).total).toBe(0)
})

test('two whole files joined are not taken for one', async () => {
  await using source = await open()
  await source.conversations.store({
    conversationId: 'chat',
    turns: ['One.', 'Two.', 'Three.'].map((text) => ({ role: 'user' as const, content: text })),
  })
  const text = await exported(source)
  await using target = await open()
  expect(await take(target, text + text)).toMatchObject({
    complete: true,
    refused: [{ reason: expect.stringContaining('end') }],
  })
})
