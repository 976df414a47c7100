import { expect, onTestFinished, test } from 'vitest'
import { turnsDuring } from '../../../test/support/loop-turns.ts'
import { freshMemory } from '../../domain/memory.ts'
import { createConversation, listTurns } from '../../usecases/conversations.ts'
import { addMemories } from '../../usecases/memories.ts'
import { updateMemory } from '../../usecases/memories-edit.ts'
import { openCore } from '../../usecases/open.ts'
import { importRecords } from './import-records.ts'
import { exportRecords, maskRecords, writeExport } from './write-export.ts'

const USER = 'kim'

test('a memory that is edited while the ids are read is in the export, as it is then', async () => {
  let now = Date.parse('2026-06-01T08:00:00Z')
  const clock = (): Date => new Date(now)
  const core = await openCore({ path: ':memory:', clock })
  onTestFinished(() => core.close())
  const { memories } = core.store
  const messages = Array.from({ length: 600 }, (_, index) => ({ role: 'user' as const, content: `Fact ${index}` }))
  await addMemories(core, messages, { userId: USER })
  let pages = 0
  const list: typeof memories.list = async (userId, page) => {
    const found = await memories.list(userId, page)
    pages += 1
    now += 1000
    const [last] = pages === 1 ? (await memories.list(userId, { ...page, offset: 599 })).items : []
    if (last !== undefined) await updateMemory(core, USER, last.id, { text: 'Edited meanwhile' })
    return found
  }
  const listing = new Proxy(memories, {
    get: (store, name) => {
      const own: unknown = Reflect.get(store, name)
      return name === 'list' ? list : typeof own === 'function' ? own.bind(store) : own
    },
  })
  const texts: string[] = []
  const edited = { ...core, store: { ...core.store, memories: listing } }
  for await (const record of exportRecords(edited, { userId: USER }))
    if (record.kind === 'memory') texts.push(record.value.memory.text)
  expect(texts).toHaveLength(600)
  expect(texts).toContain('Edited meanwhile')
})

test('conversations without turns make a document that can be read, alone and between others', async () => {
  const core = await openCore({ path: ':memory:' })
  onTestFinished(() => core.close())
  for (const conversationId of ['empty 1', 'empty 2', '空的'])
    await createConversation(core, { userId: USER, conversationId })
  await core.storeTurns({ userId: USER, conversationId: 'full', turns: [{ role: 'user', content: '你好' }] })
  let text = ''
  for await (const piece of writeExport(exportRecords(core, { userId: USER }))) text += piece
  const { conversations, memories } = JSON.parse(text)
  expect(conversations.map((one: { conversation_id: string }) => one.conversation_id).sort()).toEqual([
    'empty 1',
    'empty 2',
    'full',
    '空的',
  ])
  expect(memories).toEqual([])
})

test('an export lets others run while it reads and masks long texts, and between its pieces', async () => {
  const core = await openCore({ path: ':memory:' })
  onTestFinished(() => core.close())
  const long = 'The password of the boat is kept by Ana. '.repeat(20_000)
  await addMemories(core, [{ role: 'user', content: long }], { userId: USER, infer: false })
  let pieces = 0
  const read = async (): Promise<void> => {
    for await (const _ of writeExport(maskRecords(exportRecords(core, { userId: USER }), () => {}))) pieces += 1
  }
  const turns = await turnsDuring(read())
  // Names of secrets are read 512 at a time, three times over.
  expect(turns).toBeGreaterThan(pieces + 100)
})

test('an import writes long memories a few at a time, so that nobody waits for one transaction of them all', async () => {
  const core = await openCore({ path: ':memory:' })
  onTestFinished(() => core.close())
  const written: number[] = []
  const memories = new Proxy(core.store.memories, {
    get: (own, name) => {
      const method: unknown = Reflect.get(own, name)
      if (typeof method !== 'function') return method
      if (name !== 'restore') return method.bind(own)
      return (...given: Parameters<typeof own.restore>) => {
        written.push(given[1].reduce((sum, { memory }) => sum + memory.text.length, 0))
        return own.restore(...given)
      }
    },
  })
  const records = Array.from({ length: 40 }, (_, at) => ({
    at: `line ${at}`,
    record: {
      kind: 'memory' as const,
      value: {
        memory: { ...freshMemory({ createdAt: at + 1 }), id: `m${at}`, text: `${at} ${'word '.repeat(10_000)}` },
        edits: [],
      },
    },
  }))
  const watched = { ...core, store: { ...core.store, memories } }
  const { memoriesAdded } = await importRecords(watched, USER, ReadableStream.from(records))
  expect(memoriesAdded).toBe(40)
  expect(Math.max(...written)).toBeLessThan(350_000)
})

test('a conversation that is too long for memory comes back whole, with the line separators in its texts', async () => {
  const core = await openCore({ path: ':memory:' })
  onTestFinished(() => core.close())
  const texts = Array.from({ length: 10 }, (_, at) => `${at}\u2028${'word '.repeat(200_000)}\u2029end`)
  const conversation = { conversationId: 'long', projectRoot: '', createdAt: 1, lastActive: 1, summary: null }
  const turns = texts.map((content, at) => ({
    ...{ conversationId: 'long', turnId: at + 1, role: 'user' as const, content, createdAt: at + 1 },
    ...{ speaker: null, externalId: null, metadata: null, isCollected: false },
  }))
  const records = [
    { kind: 'conversation' as const, value: { ...conversation, turnCount: 10, lastTurnId: 10 } },
    ...turns.map((value) => ({ kind: 'turn' as const, value })),
    { kind: 'conversation_end' as const },
  ].map((record, at) => ({ at: `line ${at}`, record }))
  expect(await importRecords(core, USER, ReadableStream.from(records))).toMatchObject({ turnsAdded: 10, refused: [] })
  const { items } = await listTurns(core, USER, 'long', {})
  expect(items.map(({ content }) => content)).toEqual(texts)
})
