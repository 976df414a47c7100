import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../../engine/open.ts'
import { exportRecords } from './export-records.ts'
import { writeExport } from './write-export.ts'

const USER = 'kim'

test('a memory that is edited while the ids are read is in the export, as it is then', async () => {
  let now = Date.parse('2026-06-01T08:00:00Z')
  const engine = await openEngine({ path: ':memory:', userId: USER, clock: () => new Date(now) })
  onTestFinished(() => engine.close())
  const messages = Array.from({ length: 600 }, (_, index) => ({ role: 'user' as const, content: `Fact ${index}` }))
  await engine.memories.add(messages, { userId: USER, infer: false })
  let pages = 0
  const list: typeof engine.memories.list = async (input) => {
    const page = await engine.memories.list(input)
    pages += 1
    now += 1000
    const [last] = pages === 1 ? (await engine.memories.list({ ...input, offset: 599 })).items : []
    if (last !== undefined) await engine.memories.update(USER, last.id, { text: 'Edited meanwhile' })
    return page
  }
  const texts: string[] = []
  for await (const record of exportRecords({ ...engine, memories: { ...engine.memories, list } }, { userId: USER }))
    if (record.kind === 'memory') texts.push(record.memory.text)
  expect(texts).toHaveLength(600)
  expect(texts).toContain('Edited meanwhile')
})

test('conversations without turns make a document that can be read, alone and between others', async () => {
  const engine = await openEngine({ path: ':memory:', userId: USER })
  onTestFinished(() => engine.close())
  for (const id of ['empty 1', 'empty 2', '空的'])
    await engine.conversations.create({ userId: USER, conversationId: id })
  await engine.conversations.store({ userId: USER, conversationId: 'full', turns: [{ role: 'user', content: '你好' }] })
  let text = ''
  for await (const piece of writeExport(exportRecords(engine, { userId: USER }), 'json')) text += piece
  const { conversations, memories } = JSON.parse(text)
  expect(conversations.map((one: { conversation_id: string }) => one.conversation_id).sort()).toEqual([
    'empty 1',
    'empty 2',
    'full',
    '空的',
  ])
  expect(memories).toEqual([])
})
