/** Whose a memory is: what is told of one person says nothing of another, whatever the words. */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../interfaces/library/index.ts'

async function opened() {
  const memory = await openMemory({ path: ':memory:', userId: 'kim' })
  onTestFinished(() => memory.close())
  const note = (text: string, who: string) => memory.add(text, { who, infer: false })
  const say = async (text: string) => (await memory.add(text)).results.map(({ event }) => event)
  const of = async (who: string) => (await memory.getAll({ filters: { who } })).items
  return { memory, note, say, of }
}

test.each([
  ['I live in Porto.', 'I live in Porto.', 'Bob'],
  ['is allergic to peanuts', 'I am allergic to peanuts.', 'Bob'],
  ['喜欢喝绿茶', '我喜欢喝绿茶。', '小明'],
])('"%s" of another does not say "%s" of the user', async (noted, said, who) => {
  const { note, say, of, memory } = await opened()
  await note(noted, who)
  expect(await say(said)).toEqual(['ADD'])
  expect(await say(said)).toEqual(['NONE'])
  await memory.deleteAll({ filters: { who } })
  expect((await of('user')).map(({ text }) => text)).toEqual([said])
})

test.each([
  ['likes green tea', 'Forget that I like green tea.', 'Bob'],
  ['I work at Acme.', 'I left Acme; I work at Globex now.', 'Bob'],
  ['住在北京', '我搬到上海了，不再住在北京。', '小明'],
])('"%s" of another is neither ended nor doubted by "%s"', async (noted, said, who) => {
  const { note, say, of } = await opened()
  await note(noted, who)
  await say(said)
  expect(await of(who)).toMatchObject([{ text: noted, validTo: null, suspect: null }])
})

test('speakers who say the same of themselves are both remembered, each may change it alone', async () => {
  const { memory, of } = await opened()
  for (const speaker of ['Ana', 'Leo'])
    await memory.conversations.store({
      conversationId: 'chat',
      turns: [{ role: 'user', speaker, content: 'I live in Genoa.' }],
    })
  await memory.idle()
  await memory.conversations.store({
    conversationId: 'chat',
    turns: [{ role: 'user', speaker: 'Leo', content: 'I moved to Turin.' }],
  })
  await memory.idle()
  expect((await of('Ana')).map(({ text }) => text)).toEqual(['I live in Genoa.'])
  expect((await of('Leo')).map(({ text }) => text)).toEqual(['I moved to Turin.'])
})

test('what the user says of a relative still touches what was told of the relative', async () => {
  const { say, memory } = await opened()
  await say('My sister lives in Porto.')
  await say('My sister moved to Lyon.')
  const before = (await memory.getAll({ includePast: true })).items.find(({ text }) => text.includes('Porto'))
  expect(before?.suspect ?? before?.supersededBy).not.toBeNull()
})

test.each(['I like tea.', 'I like chess', 'I want to learn piano.', 'I like Ana.', '我喜欢茶。', 'I like to run.'])(
  '"%s" said three times is one memory',
  async (text) => {
    const { say, memory } = await opened()
    for (const again of [text, text.toUpperCase(), `${text}!`]) await say(again)
    expect((await memory.getAll()).total).toBe(1)
  },
)
