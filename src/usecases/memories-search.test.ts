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

test('the last news of an attribute with one value answers, not the news of its end', async () => {
  const [first] = await answer(
    '我现在开的是什么车？',
    '我车是辆旧捷达',
    '车昨天过户给表弟了，有点舍不得',
    '提车了，灰色的奔腾',
  )
  expect(first?.text).toContain('奔腾')
})
