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
