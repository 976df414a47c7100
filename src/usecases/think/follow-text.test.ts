import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../doors/library/index.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

async function open(): Promise<OpenMemory> {
  const memory = await openMemory({ path: ':memory:', userId: 'kim', clock: () => NOW })
  onTestFinished(() => memory.close())
  return memory
}

async function idOf(memory: OpenMemory): Promise<string> {
  return (await memory.getAll()).items[0]?.id ?? 'none'
}

test.each([
  ['I love chess with my uncle Ottokar.', 'I love go with my aunt.', ['chess', 'Ottokar']],
  ['My door code is quillon-77.', 'My door code is kept at home.', ['quillon']],
  ['我住在里斯本。', '我住在奥斯陆。', ['里斯本']],
  ['I live in Lisbon.', 'I live in Oslo.', ['Lisbon']],
])('nothing that was made of the old text stays but its history: %s', async (said, text, gone) => {
  const memory = await open()
  await memory.add([{ role: 'user', content: said }])
  const id = await idOf(memory)
  const edited = await memory.update(id, { text })
  expect(edited.metadata).toMatchObject({ thing: text, context: '', who: 'user', chatid: null })
  for (const word of gone) expect(JSON.stringify(edited)).not.toContain(word)
  expect((await memory.history(id)).map(({ previousText }) => previousText)).toContain(said)
})

test('subject, value and tags are those of the new text', async () => {
  const memory = await open()
  await memory.add([{ role: 'user', content: 'I live in Lisbon.' }])
  const id = await idOf(memory)
  expect(await memory.update(id, 'I live in Oslo.')).toMatchObject({ key: 'home', value: 'Oslo', tags: ['home'] })
  const edited = await memory.update(id, 'I work as a nurse.')
  expect(edited).toMatchObject({ key: 'job', tags: expect.arrayContaining(['job']) })
  expect(edited.tags).not.toContain('home')
})

test('a question that is kept as the context goes when it names what is said no more', async () => {
  const memory = await open()
  await memory.conversations.store({
    conversationId: 'chat',
    turns: [
      { role: 'assistant', content: 'Do you play chess with your uncle Ottokar?' },
      { role: 'user', content: 'Yes, I love chess with my uncle Ottokar.' },
    ],
  })
  await memory.idle()
  const id = await idOf(memory)
  expect((await memory.get(id)).metadata?.context).toContain('Ottokar')
  expect((await memory.update(id, 'I love chess.')).metadata).toMatchObject({ thing: 'I love chess.', context: '' })
})

test('what the caller set stays: in the edit, when it was added, and of what is stored as it is', async () => {
  const memory = await open()
  await memory.add([{ role: 'user', content: 'I live in Lisbon.' }], {
    tags: ['own'],
    metadata: { thing: 'address book', project: 'Lisbon trip' },
  })
  const id = await idOf(memory)
  const edited = await memory.update(id, { text: 'I live in Oslo.', key: 'residence', value: 'there' })
  expect(edited).toMatchObject({
    key: 'residence',
    value: 'there',
    tags: ['own'],
    metadata: { thing: 'address book', project: 'Lisbon trip' },
  })
  const { results } = await memory.add('I live in Lisbon.', {
    infer: false,
    key: 'home',
    value: 'Lisbon',
    metadata: { thing: 'I live in Lisbon.' },
  })
  expect(await memory.update(results[0]!.id, 'I live in Oslo.')).toMatchObject({
    key: 'home',
    value: 'Lisbon',
    metadata: { thing: 'I live in Lisbon.' },
  })
})

test('the day that a text names follows it, and with it the time in the metadata', async () => {
  const memory = await open()
  await memory.add([{ role: 'user', content: 'I have a dentist appointment on 3 May 2026.' }])
  const id = await idOf(memory)
  const edited = await memory.update(id, 'I have a dentist appointment on 5 May 2026.')
  expect(edited.occurredAt).toContain('2026-05-05')
  expect(edited.metadata?.time).toBe(edited.occurredAt)
  const moved = await memory.update(id, {
    occurredAt: '2026-05-07T00:00:00Z',
    text: 'My dentist sees me on 5 May 2026.',
  })
  expect(moved.metadata?.time).toBe('2026-05-07T00:00:00.000Z')
})

test('the subjects noted beside the facts are those of the new text', async () => {
  const memory = await open()
  await memory.add([
    { role: 'user', content: 'Signed with Quillo, fully remote. From Monday my desk is in the spare room.' },
  ])
  const id = await idOf(memory)
  expect((await memory.get(id)).metadata?.subjects).toContain('office')
  expect((await memory.update(id, 'My cat sleeps on the piano.')).metadata?.subjects).not.toContain('office')
})
