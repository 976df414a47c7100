import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../doors/library/index.ts'

/** Says things a month apart and asks. */
async function answer(question: string, ...said: readonly string[]) {
  let now = Date.UTC(2026, 0, 5, 9)
  const memory = await openMemory({ path: ':memory:', userId: 'kim', clock: () => new Date(now) })
  onTestFinished(() => memory.close())
  for (const text of said) {
    now += 30 * 86_400_000
    await memory.add(text)
  }
  return (await memory.search(question)).results
}

test('who asks in the words of what was is told what took its place', async () => {
  const [first] = await answer(
    'Which handset do I use?',
    'My handset is a Nokia 3310.',
    'I switched my phone to a Fairphone.',
  )
  expect(first?.text).toContain('Fairphone')
})

test('what may have changed stands behind what may have changed it', async () => {
  const [first] = await answer(
    'What do I usually drink?',
    'My usual drink is jasmine tea.',
    "I'm an espresso person these days.",
  )
  expect(first?.text).toContain('espresso')
})

test('what was spoken of before never stands above what is asked now', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'kim' })
  onTestFinished(() => memory.close())
  await memory.add('My boat is a wooden sloop, and the sails of my boat are red.')
  await memory.add('My dentist is Dr. Moreau.')
  await memory.conversations.store({
    conversationId: 'c',
    turns: [{ role: 'user', content: 'Tell me about my boat.' }],
  })
  await memory.workingMemory.set({ conversationId: 'c', currentTopic: 'boat, sails' })
  const { results } = await memory.search('Who is my dentist?', { conversationId: 'c' })
  expect(results[0]?.text).toContain('Moreau')
})

test('a digit that many memories hold does not hide those that hold the word beside it', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'kim', thinking: false })
  onTestFinished(() => memory.close())
  const add = Array.from({ length: 200 }, (_, at) => ({
    text: at % 4 === 0 ? `Bus 7 leaves at ${at}.` : `Museum ticket ${at}.`,
  }))
  await memory.write({ expectedRevision: await memory.revision(), add })
  const { results } = await memory.search('museum 7')
  expect(results).toHaveLength(10)
  expect(results.every(({ text }) => text.startsWith('Museum'))).toBe(true)
})

test('a word that has only begun is any of the words that go on with it, beside the others', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'kim', thinking: false })
  onTestFinished(() => memory.close())
  const texts = ['The window of the dentist is blue.', 'The winter was cold.', 'The dentist is kind.', 'A dentistry.']
  await memory.write({ expectedRevision: await memory.revision(), add: texts.map((text) => ({ text })) })
  const found = async (query: string) =>
    (await memory.search(query, { explain: true })).results.map(({ text, explanation }) => [text, explanation?.matched])
  expect((await found('dentist win*'))[0]).toEqual([texts[0], expect.arrayContaining(['dentist', 'window'])])
  expect((await found('WIN*')).map(([text]) => text).toSorted()).toEqual([texts[0], texts[1]])
  // A star that stands alone is text.
  expect(await found('xylo*')).toEqual([])
  expect((await found('wint * er')).map(([text]) => text)).toEqual([])
})
