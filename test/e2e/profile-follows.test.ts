/** The profile follows the memories: what they say no more, it says no more; what the user wrote into it stays. */
import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { Memory } from '../../src/doors/mem0/index.ts'
import { freshDatabase, wordsInFiles } from '../support/folder.ts'
import { openFileMemory } from '../support/memory-file.ts'

async function open(path = ':memory:'): Promise<OpenMemory> {
  let now = Date.UTC(2026, 2, 2, 9)
  const clock = () => {
    now += 60_000
    return new Date(now)
  }
  const memory = await openMemory({ path, userId: 'kim', clock })
  onTestFinished(() => memory.close())
  return memory
}

async function idOf(memory: OpenMemory, words: string): Promise<string> {
  const { items } = await memory.getAll({ includePast: true })
  return items.find(({ text }) => text.includes(words))?.id ?? `no memory of ${words}`
}

async function lines(memory: OpenMemory): Promise<readonly string[]> {
  const { text } = await memory.profile.get()
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const TOLD = [
  {
    said: "I'm a vegetarian and I'm allergic to Zanzibar nuts.",
    forgotten: 'Zanzibar',
    told: ["- I'm a vegetarian.", "- I'm allergic to Zanzibar nuts."],
  },
  { said: '我是护士，对桑葚过敏。', forgotten: '桑葚', told: ['- 我是护士。', '- 我对桑葚过敏。'] },
]

test.each(TOLD)('each memory has its line, which goes when it is deleted: $said', async (told) => {
  const memory = await open()
  await memory.add([{ role: 'user', content: told.said }])
  expect(await lines(memory)).toEqual(told.told)
  await memory.delete(await idOf(memory, told.forgotten))
  expect(await lines(memory)).toEqual(told.told.slice(0, 1))
  const { text } = await memory.context.build('What am I allergic to? 我对什么过敏？')
  expect(text).not.toContain(told.forgotten)
})

const WAYS: readonly [string, (memory: OpenMemory) => Promise<unknown>][] = [
  [
    'delete',
    async (memory) => {
      for (const { id } of (await memory.getAll()).items) await memory.delete(id)
    },
  ],
  ['deleteAll', (memory) => memory.deleteAll()],
  ['deleteAll with a filter', (memory) => memory.deleteAll({ filters: { who: 'user' } })],
  ['reset', (memory) => memory.reset()],
]

test.each(WAYS)(
  'no byte of a memory stays in the profile after %s, and what the user wrote stays',
  async (_, remove) => {
    const path = freshDatabase()
    const memory = await open(path)
    for (const { said } of TOLD) await memory.add([{ role: 'user', content: said }])
    const { text } = await memory.profile.get()
    await memory.profile.set({ text: `${text}\n\n# Pets\n- a cat named Quillonette` })
    await remove(memory)
    expect(await lines(memory)).toEqual(['- a cat named Quillonette'])
    await memory.idle()
    expect(wordsInFiles(path, ['Zanzibar', 'vegetarian', '桑葚'])).toEqual([])
    await memory.close()
    expect(wordsInFiles(path, ['Zanzibar', 'vegetarian', '桑葚'])).toEqual([])
    expect(wordsInFiles(path, ['Quillonette'])).toHaveLength(1)
  },
)

test('what was told in a conversation leaves the profile with its memory; the turn stays', async () => {
  const memory = await open()
  const turns = [
    { role: 'user' as const, content: 'I work as a nurse.' },
    { role: 'assistant' as const, content: 'Noted.' },
    { role: 'user' as const, content: 'I am allergic to walnuts.' },
  ]
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  expect(await lines(memory)).toEqual(['- I work as a nurse.', '- I am allergic to walnuts.'])
  await memory.delete(await idOf(memory, 'walnuts'))
  expect(await lines(memory)).toEqual(['- I work as a nurse.'])
  const { results } = await memory.conversations.recall('walnuts')
  expect(JSON.stringify(results)).toContain('allergic to walnuts')
})

test('deleting all takes lines that no memory says, too; a line that the user reworded is the user’s', async () => {
  const memory = await open()
  await memory.add('Always answer in short sentences, please.')
  await memory.add('I work as a nurse.')
  const { text } = await memory.profile.get()
  await memory.profile.set({ text: text.replace('I work as a nurse.', 'I work as a senior nurse.') })
  await memory.delete(await idOf(memory, 'nurse'))
  await memory.deleteAll()
  expect(await lines(memory)).toEqual(['- I work as a senior nurse.'])
})

test('a memory that never was leaves the profile as it is', async () => {
  const memory = await open()
  await memory.add('I work as a nurse.')
  await expect(memory.delete('nobody')).rejects.toMatchObject({ code: 'not_found' })
  expect(await lines(memory)).toEqual(['- I work as a nurse.'])
})

test.each([
  ['I live in Lisbon and I work as a nurse.', 'I moved to Berlin.', ['- I work as a nurse.', '- I moved to Berlin.']],
  ['我住在里斯本，是护士。', '我搬到柏林了。', ['- 我是护士。', '- 我搬到柏林了。']],
])('news takes the place of what it changes, the other line stays: %s', async (said, news, left) => {
  const memory = await open()
  await memory.add([{ role: 'user', content: said }])
  expect(await lines(memory)).toHaveLength(2)
  await memory.add([{ role: 'user', content: news }])
  expect(await lines(memory)).toEqual(left)
})

test('a memory of which only a part has changed stays, and its line behind the new one', async () => {
  const memory = await open()
  await memory.add([{ role: 'user', content: '我住在洛阳老城，在那里养了一只鹦鹉。' }])
  expect(await lines(memory)).toHaveLength(1)
  await memory.add([{ role: 'user', content: '我搬到珠海了。' }])
  expect((await lines(memory)).join()).toMatch(/珠海.*鹦鹉/)
})

test.each([
  [
    'I live in Lisbon and I work as a nurse.',
    'Lisbon',
    'I live in Oslo.',
    ['- I work as a nurse.', '- I live in Oslo.'],
  ],
  ['我住在里斯本，是护士。', '里斯本', '我住在奥斯陆。', ['- 我是护士。', '- 我住在奥斯陆。']],
])('an edit of a memory changes the line that said it: %s', async (said, words, text, left) => {
  const memory = await open()
  await memory.add([{ role: 'user', content: said }])
  await memory.update(await idOf(memory, words), text)
  expect(await lines(memory)).toEqual(left)
  const { text: context } = await memory.context.build('Where do I live? 我住在哪里？')
  expect(context).not.toContain(words)
})

test('an edit adds no line where none said it, and none that is too long', async () => {
  const memory = await open()
  await memory.add('I work as a nurse.')
  await memory.add('My kettle broke on Tuesday.', { infer: false })
  await memory.update(await idOf(memory, 'kettle'), 'My toaster broke on Tuesday.')
  expect(await lines(memory)).toEqual(['- I work as a nurse.'])
  await memory.update(await idOf(memory, 'nurse'), `I work as a ${'very '.repeat(80)}busy doctor.`)
  expect(await lines(memory)).toEqual([])
})

test('a memory that is given an end in the past leaves the profile; one whose end is to come stays', async () => {
  const memory = await open()
  await memory.add('I live in Lisbon and I work as a nurse.')
  await memory.update(await idOf(memory, 'nurse'), { validTo: '2030-01-01T00:00:00Z' })
  await memory.update(await idOf(memory, 'Lisbon'), { validTo: '2026-03-02T00:00:00Z' })
  expect(await lines(memory)).toEqual(['- I work as a nurse.'])
})

test('what a person takes out of the memory file, or rewords there, the profile does not say on', async () => {
  const { memory, say, read, write } = await openFileMemory()
  const day = { date: '2026-05-07' }
  await say("I'm a nurse on the night shift.", 'I am allergic to walnuts.', '我住在里斯本。')
  await memory.memoryFile.digest(day)
  expect(await lines(memory)).toHaveLength(3)
  write(
    read()
      .replace(/^- .*walnuts.*\n/m, '')
      .replace('里斯本', '奥斯陆'),
  )
  await memory.memoryFile.digest(day)
  expect(await lines(memory)).toEqual(["- I'm a nurse on the night shift."])
})

test('a long text is edited and deleted in a moment', async () => {
  const memory = await open()
  await memory.add('I work as a nurse.')
  const long = 'I live near the river and I work as a nurse of a ward, or so they say in town. '.repeat(9000)
  const before = performance.now()
  await memory.update(await idOf(memory, 'nurse'), long)
  await memory.delete(await idOf(memory, 'river'))
  expect(performance.now() - before).toBeLessThan(5000)
  expect(await lines(memory)).toEqual([])
})

test('mem0’s delete, deleteAll of a user or a run, and reset take the profile along', async () => {
  const open = await openMemory({ path: ':memory:' })
  onTestFinished(() => open.close())
  const memory = new Memory(open)
  const said = [{ role: 'user', content: "I'm a vegetarian and I'm allergic to Zanzibar nuts." }]
  const profile = async (userId: string) => (await open.profile.get({ userId })).text
  for (const userId of ['ann', 'ben', 'cy', 'dee']) await memory.add(said, { userId })
  await memory.add([{ role: 'user', content: 'My name is Cy Quillon.' }], { userId: 'cy', runId: 'trip' })
  expect(await profile('cy')).toContain('Quillon')
  await memory.deleteAll({ userId: 'ann' })
  await memory.deleteAll({ userId: 'cy', runId: 'trip' })
  expect(await profile('ann')).toBe('')
  expect(await profile('cy')).not.toContain('Quillon')
  expect(await profile('cy')).toContain('Zanzibar')
  for (const { id } of (await memory.getAll({ userId: 'ben' })).results) await memory.delete(id)
  expect(await profile('ben')).toBe('')
  await memory.reset()
  expect((await profile('cy')) + (await profile('dee'))).toBe('')
})

test('the line of an edited memory about the family follows the edit', async () => {
  const memory = await open()
  for (const [said, edited] of [
    ['My niece Rika is allergic to sesame.', 'My niece Rika is allergic to mustard.'],
    ['我儿子对芝麻过敏。', '我儿子对芥末过敏。'],
  ] as const) {
    const [stored] = (await memory.add([{ role: 'user', content: said }])).results
    await memory.update(stored!.id, edited)
    expect(await lines(memory)).toContain(`- ${edited}`)
    expect(await lines(memory)).not.toContain(`- ${said}`)
  }
})

test('where the budget is small, what somebody has to mind stands in a context before how they live and what they said once', async () => {
  const memory = await open()
  for (const said of [
    '我叫程溪，对虾过敏。',
    '我养了只猫叫豆包，三岁，最近老是半夜跑酷 我都快累疯了',
    '我平时喜欢爬山，周末常去。',
    '我开的是一辆旧的丰田卡罗拉。',
    '我喜欢看悬疑小说和老电影。',
  ])
    await memory.conversations.store({ turns: [{ role: 'user', content: said }] })
  await memory.idle()
  expect((await memory.profile.get()).text).not.toContain('累疯')
  const { layers } = await memory.context.build('晚饭吃什么？', { tokenBudget: 900 })
  const shown = layers.find(({ level }) => level === 1)!.text
  expect(shown).toContain('对虾过敏')
  expect(shown).not.toContain('小说')
})

test('the attribute of a memory is of the one that it is told of', async () => {
  const memory = await open()
  await memory.add([{ role: 'user', content: '我姐周婷在北京，她家孩子叫乐乐，今年6岁，下个月要来' }])
  const { items } = await memory.getAll()
  expect(items.filter(({ who, key }) => who === 'user' && key === 'home')).toEqual([])
  expect(items).not.toEqual([])
})
