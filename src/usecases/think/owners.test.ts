/** A memory's owner: what is told of one person says nothing of another, whatever the words. */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../doors/library/index.ts'

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

test.each([
  ['My name is Ana.', 'My name is Carl.', 'Ana'],
  ['My email is ana@x.org', 'My email is carl@x.org', 'Ana'],
  ['我叫小王。', '我叫卡尔。', '小王'],
])('"%s" and "%s" are of two people, in whatever order they are told', async (theirs, own, who) => {
  for (const order of ['own first', 'theirs first']) {
    const { memory, say } = await opened()
    const tellOwn = () => say(own)
    const tellTheirs = () => memory.add(theirs, { who })
    for (const tell of order === 'own first' ? [tellOwn, tellTheirs] : [tellTheirs, tellOwn]) await tell()
    expect((await memory.getAll()).items.map(({ text }) => text).sort()).toEqual([theirs, own].sort())
  }
})

test('what somebody else says of himself is no line of the user’s profile, and holds none of it', async () => {
  const { memory, say } = await opened()
  await say('I live in Berlin.')
  await memory.add('I live in Berlin.', { who: 'Ana' })
  await memory.add('I live in Porto and I am a dentist.', { who: 'Bob' })
  expect((await memory.profile.get()).text).not.toMatch(/Porto|dentist/)
  await say('I moved to Madrid.')
  const { text } = await memory.profile.get()
  expect(text).toContain('Madrid')
  expect(text).not.toContain('Berlin')
})

test('a line steps back while another statement of its matter speaks against its memory', async () => {
  const { memory, say } = await opened()
  await say('我吃素，但是吃鸡蛋和牛奶')
  expect((await memory.profile.get()).text).toContain('我吃素')
  await say('我不吃素了，医生说我贫血')
  expect((await memory.profile.get()).text).not.toContain('我吃素')
})

test('what is left of a memory does not keep the words that are over', async () => {
  const { memory, say } = await opened()
  await say('I am a beekeeper and I live in Brixham.')
  await say('I moved to Klonkton.')
  const left = (await memory.getAll()).items
  expect(left.map(({ text }) => text)).toContainEqual(expect.stringContaining('beekeeper'))
  expect(JSON.stringify(left)).not.toContain('Brixham')
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

test.each([
  'My brother lived in Boston but he moved to Denver.',
  'My sister moved from Boston to Rome.',
  '我爸从波士顿搬到丹佛了。',
])('"%s" leaves the user’s own home as it is', async (said) => {
  const { say, of } = await opened()
  const own = said.includes('我') ? '我住在波士顿。' : 'I live in Boston.'
  await say(own)
  await say(said)
  expect((await of('user')).find(({ text }) => text === own)).toMatchObject({ validTo: null, suspect: null })
})

test('what the user says of a relative still touches what was told of the relative', async () => {
  const { say, memory } = await opened()
  await say('My sister lives in Porto.')
  await say('My sister moved to Lyon.')
  const before = (await memory.getAll({ includePast: true })).items.find(({ text }) => text.includes('Porto'))
  expect(before?.suspect ?? before?.supersededBy).not.toBeNull()
})

test.each([
  'I like tea.',
  'I like chess',
  'I want to learn piano.',
  'I like my colleague Ana.',
  '我喜欢茶。',
  'I like to run.',
])('"%s" said three times is one memory', async (text) => {
  const { say, memory } = await opened()
  for (const again of [text, text.toUpperCase(), `${text}!`]) await say(again)
  expect((await memory.getAll()).total).toBe(1)
})

test('an order to forget takes its own sentence, and all of the message where it may mean that', async () => {
  const { memory, say } = await opened()
  await say('Forget that I lived in Lyon. My son Otto turns five on 9 June.')
  await say('I am seeing a therapist in Ghent. Please delete all of that.')
  await say('My locker code is 31712. Forget what I said.')
  const texts = (await memory.getAll()).items.map(({ text }) => text)
  expect(texts).toEqual(['My son Otto turns five on 9 June.'])
})

test('of thousands of orders to forget in one message the first are followed, and all of them are taken out', async () => {
  const { memory, say, of } = await opened()
  await say('I own a kayak. I live in Porto.')
  const { length } = (
    await memory.add(
      `Forget that I own a kayak. ${'Forget that I own a yurt. '.repeat(5000)}My son Otto turns five on 9 June.`,
    )
  ).rejected
  expect(length).toBeLessThan(60)
  expect((await of('user')).map(({ text }) => text)).toEqual(['My son Otto turns five on 9 June.', 'I live in Porto.'])
})

test.each([
  ['My sister is coeliac.', 'I take omeprazole.', 'I stopped omeprazole, now I take rabeprazole.'],
  ["My brother's rent is 700.", 'I live in Leeds.', 'I moved to York.'],
  ['我朋友房租2000', '我住在绵阳', '我搬到长沙了'],
])('"%s" does not rest on what another says of himself: "%s", "%s"', async (theirs, mine, news) => {
  const { say, memory } = await opened()
  for (const text of [theirs, mine, news]) await say(text)
  const { items } = await memory.getAll({ includePast: true })
  expect(items.find(({ text }) => text === theirs)).toMatchObject({ suspect: null, validTo: null })
  expect(items.find(({ text }) => text === mine)?.validTo).not.toBe(null)
})
