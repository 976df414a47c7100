/** Profile and session summaries through an export and an import: what the user wrote wins over the machine's. */
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'

const open = (): Promise<OpenMemory> => openMemory({ path: freshDatabase(), userId: 'ida' })

async function exported(memory: OpenMemory): Promise<string> {
  let text = ''
  for await (const piece of memory.conversations.export()) text += piece
  return text
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function talk(memory: OpenMemory, conversationId: string, said: string): Promise<void> {
  const turns = [
    { role: 'user' as const, content: said },
    { role: 'assistant' as const, content: 'Noted.' },
  ]
  await memory.conversations.store({ conversationId, turns })
  await memory.idle()
}

test('profile and session summaries come back as they were, once', async () => {
  await using source = await open()
  await talk(source, 'move', 'I am a beekeeper and I live in Aarhus.')
  await talk(source, '做饭', '我是素食者，家里有两个孩子，想学做素食便当。')
  const { text } = await source.profile.get()
  await source.profile.set({ text: `只用中文回答。\n\n${text}` })
  await source.sessionSummaries.update({ conversationId: 'move', title: 'Bees "and" 蜂' })
  const file = await exported(source)

  await using target = await open()
  const report = await target.conversations.import(bytes(file))
  expect(report).toMatchObject({ sessionSummariesAdded: 2, refused: [], complete: true })
  expect(report.profileLinesAdded).toBeGreaterThan(1)
  expect(await target.profile.get()).toEqual(await source.profile.get())
  expect(await target.sessionSummaries.list()).toEqual(await source.sessionSummaries.list())

  const again = await target.conversations.import(bytes(file))
  expect(again).toMatchObject({ sessionSummariesAdded: 0, sessionSummariesExisting: 2, profileLinesAdded: 0 })
  expect(again.profileLinesExisting).toBe(report.profileLinesAdded)
  expect(await target.profile.get()).toEqual(await source.profile.get())
  // The source of a line came along: the line goes with its memory.
  const { items } = await target.getAll()
  await target.delete(items.find((memory) => memory.text.includes('beekeeper'))?.id ?? 'none')
  expect((await target.profile.get()).text).not.toContain('beekeeper')
  // Whose a line is came along: the machine's own line can be taken back with its source, the user's stays.
  await target.maintenance.undo({ conversationId: 'move' })
  const left = (await target.profile.get()).text
  expect(left).not.toContain('Aarhus')
  expect(left).toContain('只用中文回答。')
})

test('what the user wrote wins over what the machine wrote, on both sides', async () => {
  await using written = await open()
  await talk(written, 'c', 'I am a beekeeper and I live in Aarhus.')
  await written.profile.set({ text: 'Call me Ida.' })
  await written.sessionSummaries.update({ conversationId: 'c', title: 'Mine' })
  await using found = await open()
  await talk(found, 'c', 'I am a beekeeper and I live in Aarhus.')

  const byMachine = await exported(found)
  await found.conversations.import(bytes(await exported(written)))
  const merged = (await found.profile.get()).text
  expect(merged).toMatch(/^Call me Ida\./)
  expect(merged).toContain('Aarhus')
  expect(await found.sessionSummaries.get({ conversationId: 'c' })).toMatchObject({ title: 'Mine', edited: true })

  await written.sessionSummaries.update({ conversationId: 'c', snippet: 'Still mine' })
  const report = await written.conversations.import(bytes(byMachine))
  expect(report).toMatchObject({ sessionSummariesAdded: 0, sessionSummariesExisting: 1 })
  expect((await written.profile.get()).text).toMatch(/^Call me Ida\./)
  expect(await written.sessionSummaries.get({ conversationId: 'c' })).toMatchObject({ snippet: 'Still mine' })
})

test('the export of one conversation carries its session summary and nobody’s profile', async () => {
  await using source = await open()
  await talk(source, 'move', 'I am a beekeeper and I live in Aarhus.')
  await talk(source, 'other', 'My cat is called Fjord.')
  let text = ''
  for await (const piece of source.conversations.export({ conversationId: 'move' })) text += piece
  const document = JSON.parse(text)
  expect(document.session_summaries).toMatchObject([{ conversation_id: 'move' }])
  expect(document).not.toHaveProperty('profile')
})

test('an import with think thinks about what is new, and only about that', async () => {
  await using source = await openMemory({ path: freshDatabase(), userId: 'ida', thinking: false })
  await source.conversations.store({
    conversationId: 'a',
    turns: [{ role: 'user', content: 'My cat is called Fjord.' }],
  })
  const file = await exported(source)
  await using stored = await open()
  await stored.conversations.import(bytes(file))
  await stored.idle()
  expect((await stored.getAll()).total).toBe(0)
  await stored.conversations.import(bytes(file), { think: true })
  await stored.idle()
  expect((await stored.getAll()).total).toBe(0)
  await using thought = await open()
  await thought.conversations.import(bytes(file), { think: true })
  await thought.idle()
  expect((await thought.getAll()).items).toMatchObject([
    { text: expect.stringContaining('Fjord'), conversationId: 'a' },
  ])
})
