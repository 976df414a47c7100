import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../doors/library/index.ts'

/** Half past seven in Shanghai, where it is Monday the fourteenth; in UTC and New York it is still Sunday. */
const SAID = '2026-09-14T07:30:00+08:00'

async function openedIn(timeZone?: string): Promise<OpenMemory> {
  const memory = await openMemory({ path: ':memory:', userId: 'ana', ...(timeZone === undefined ? {} : { timeZone }) })
  onTestFinished(() => memory.close())
  await memory.conversations.store({
    conversationId: 'morning',
    turns: [{ role: 'user', content: '我明天上午要去体检', createdAt: SAID }],
  })
  await memory.idle()
  return memory
}

async function shownFor(memory: OpenMemory, question: string, now: string): Promise<string> {
  const { messages } = await memory.context.build(question, { now })
  return messages.map(({ content }) => content).join('\n')
}

test.each([
  ['Asia/Shanghai', '2026-09-15', '2026-09-14:'],
  ['America/New_York', '2026-09-14', '2026-09-13:'],
  [undefined, '2026-09-14', '2026-09-13:'],
])('in %s "tomorrow" is %s and was said on %s', async (zone, day, heading) => {
  const memory = await openedIn(zone)
  const { items } = await memory.getAll()
  expect(items.map(({ occurredAt }) => occurredAt.slice(0, 10))).toEqual([day])
  expect(await shownFor(memory, '体检是什么时候？', '2026-09-20T12:00:00Z')).toContain(`${heading}\n- user: 我明天`)
})

test('questions for a day and time ranges mean the day of the zone', async () => {
  const memory = await openedIn('Asia/Shanghai')
  expect(await shownFor(memory, '我今天说了什么', '2026-09-14T20:00:00+08:00')).toContain('体检')
  expect(await shownFor(memory, '明天有什么安排？', '2026-09-14T08:00:00+08:00')).toContain('体检')
  expect(await shownFor(memory, '今天有什么安排？', '2026-09-14T08:00:00+08:00')).not.toContain('体检')
  const found = async (timeRange: string): Promise<number> => {
    const { results } = await memory.conversations.recall('体检', { timeRange, now: '2026-09-20T00:00:00Z' })
    return results.length
  }
  expect(await found('2026-09-14')).toBe(1)
  expect(await found('2026-09-13')).toBe(0)
  expect((await memory.search('体检', { timeRange: '2026-09-15' })).results).toHaveLength(1)
})

test('an unknown zone is refused', async () => {
  await expect(openMemory({ path: ':memory:', timeZone: 'Mars/Olympus' })).rejects.toThrow('timeZone')
})
