/** A clock that was wrong for a while: what was stored under it takes no place from what is said after it. */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'

test('what was said after a clock jumped back is the newest: it ends what was stored under a time to come', async () => {
  let now = Date.parse('2030-01-05T10:00:00Z')
  const memory = await openMemory({ path: ':memory:', userId: 'ana', clock: () => new Date(now) })
  onTestFinished(() => memory.close())
  const say = async (conversationId: string, content: string): Promise<void> => {
    await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
    await memory.idle()
  }
  await say('before', 'I live in Porto.')
  await say('vorher', '我养了一只猫，叫咪咪。')
  now = Date.parse('2026-05-06T10:00:00Z')
  await say('after', 'I moved, I live in Berlin now.')
  const { items } = await memory.getAll()
  const homes = items.map(({ text }) => text).filter((text) => text.includes('live'))
  expect(homes).toEqual(['I moved, I live in Berlin now.'])
  const { results } = await memory.search('Where do I live?')
  expect(results[0]?.text).toBe('I moved, I live in Berlin now.')
  for (const { validFrom, validTo } of (await memory.getAll({ includePast: true })).items)
    expect(validTo === null || validFrom <= validTo).toBe(true)
  expect((await memory.maintenance.stats()).jobs).toBe(0)
})

test.each([
  ['one conversation', 'c', 'c'],
  ['two', 'c', 'd'],
])(
  'what waited to be thought about when the clock jumped back comes before what is said after it, in %s',
  async (_, first, then) => {
    let now = Date.parse('2030-01-05T10:00:00Z')
    const options = { path: ':memory:', userId: 'ana', clock: () => new Date(now), background: false }
    const memory = await openMemory(options)
    onTestFinished(() => memory.close())
    const say = (conversationId: string, content: string): Promise<unknown> =>
      memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
    await say(first, 'My dentist is Dr. Alvarez.')
    now = Date.parse('2026-05-06T10:00:00Z')
    await say(then, 'My dentist is now Dr. Nilsson.')
    await memory.idle()
    const { items } = await memory.getAll()
    expect(items.map(({ text }) => text)).toEqual(['My dentist is now Dr. Nilsson.'])
  },
)

test.each([1, 2, 10, 1000, 50_000])(
  'a clock that steps back by %i ms and runs on tells nothing before what was told earlier',
  async (step) => {
    let now = Date.parse('2027-03-01T10:00:00Z')
    const options = { path: ':memory:', userId: 'ana', clock: () => new Date(now), background: false }
    const memory = await openMemory(options)
    onTestFinished(() => memory.close())
    for (const [conversationId, content] of [
      ['c', 'I work as a nurse.'],
      ['d', 'I quit nursing and work as a baker now.'],
    ] as const) {
      await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
      now -= step
    }
    now += 10 * step
    await memory.idle()
    const { items } = await memory.getAll()
    expect(items.map(({ text }) => text)).toEqual(['I quit nursing and work as a baker now.'])
  },
)
