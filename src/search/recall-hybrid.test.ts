import { expect, test } from 'vitest'
import { inMemorySources, type PlainTurn } from '../../test/support/in-memory-view.ts'
import { DAY_MS, MINUTE_MS } from '../domain/clock.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { answerFromView } from './rank-turns.ts'

const NOW = Date.UTC(2023, 5, 20, 12)

function said(
  conversationId: string,
  daysAgo: number,
  lines: readonly (readonly [speaker: string, content: string])[],
): PlainTurn[] {
  return lines.map(([speaker, content], index) => ({
    conversationId,
    speaker,
    content,
    createdAt: NOW - daysAgo * DAY_MS + index * MINUTE_MS,
  }))
}

function ask(turns: readonly PlainTurn[], query: string, options: Partial<RecallRequest> = {}) {
  const request: RecallRequest = {
    query,
    userId: 'local',
    conversationId: null,
    projectRoot: null,
    limit: 5,
    ranking: 'hybrid',
    kinds: ['turn', 'summary'],
    now: NOW,
    since: null,
    until: null,
    explain: false,
    ...options,
  }
  return answerFromView(request, inMemorySources(turns))
}

async function texts(turns: readonly PlainTurn[], query: string, options: Partial<RecallRequest> = {}) {
  return (await ask(turns, query, options)).results.map(({ text }) => text)
}

test('an answer is found by the words of the question before it', async () => {
  const turns = said('a', 3, [
    ['Nora', 'What did the vet say about the rabbit?'],
    ['Ben', 'She needs to eat more hay, nothing serious.'],
    ['Nora', 'Good, see you tomorrow at the market then.'],
    ['Ben', 'Bring some bread please.'],
  ])
  expect((await texts(turns, 'vet rabbit')).slice(0, 2)).toContain('She needs to eat more hay, nothing serious.')
})

test('a speaker who is named comes before one who says the same', async () => {
  const turns = said('a', 3, [
    ['Nora', 'I am learning to play the cello this year.'],
    ['Ben', 'I am learning to play the cello this year.'],
    ['小明', '我今年在学大提琴'],
    ['小红', '我今年在学大提琴'],
  ])
  const { results } = await ask(turns, 'Which instrument is Nora learning to play, the cello?')
  expect(results[0]?.speaker).toBe('Nora')
})

test('a date in the question prefers what was said then and in the days after', async () => {
  const turns = [
    ...said('april', 60, [['Nora', 'We went swimming at the lake.']]),
    ...said('june', 5, [['Nora', 'We went swimming at the lake.']]),
  ]
  const first = async (query: string) => (await ask(turns, query)).results[0]?.conversationId
  expect(await first('Who went swimming in April?')).toBe('april')
  expect(await first('Who went swimming on 14 June 2023?')).toBe('june')
  expect(await first('上周谁去 swimming 了？')).toBe('june')
})

test('a date is found where a text says it, long before', async () => {
  const turns = said('june', 60, [['Nora', 'The regatta is on 14 June, in Whitby.']])
  const { results } = await ask(turns, 'Where is the regatta on 14 June?', { explain: true })
  expect(results[0]?.explanation?.matched).toEqual(expect.arrayContaining(['14', 'june']))
})

test('a date alone brings back what was said then', async () => {
  const turns = [...said('old', 30, [['Nora', '爬山']]), ...said('yesterday', 1, [['Nora', '吃火锅']])]
  expect(await texts(turns, '昨天')).toEqual(['吃火锅'])
})

test('among equal turns the one in the conversation that speaks of the whole question wins', async () => {
  const turns = [
    ...said('garden', 9, [
      ['Nora', 'The tomatoes in my garden are ripe.'],
      ['Ben', 'Lovely.'],
      ['Ben', 'Have a good night.'],
      ['Nora', 'Watering takes an hour.'],
    ]),
    ...said('office', 9, [
      ['Nora', 'The printer is broken.'],
      ['Ben', 'Oh no.'],
      ['Ben', 'Have a good night.'],
      ['Nora', 'Watering takes an hour.'],
    ]),
  ]
  const { results } = await ask(turns, 'watering the tomatoes garden')
  const watering = results.filter(({ text }) => text.startsWith('Watering'))
  expect(watering[0]?.conversationId).toBe('garden')
})

test('what a person said comes before the same from an assistant', async () => {
  const turns: PlainTurn[] = [
    { conversationId: 'a', role: 'user', content: 'My budget for the kitchen is 9000 euros.', createdAt: NOW - DAY_MS },
    { conversationId: 'b', role: 'assistant', content: 'My budget for the kitchen is 9000 euros.', createdAt: NOW },
  ]
  expect((await ask(turns, 'kitchen budget')).results[0]?.role).toBe('user')
})

test('an identifier is found when it is asked for as spaced words, two or three of them', async () => {
  const turns = said('a', 2, [
    ['Nora', 'getUserById throws when the row is gone'],
    ['Ben', 'the user gets an id card'],
    ['Nora', 'retryPaymentQueue keeps growing'],
    ['Ben', 'the queue for payment was long, I will retry'],
  ])
  expect((await texts(turns, 'get user by id'))[0]).toMatch(/^getUserById/)
  expect((await texts(turns, 'retry payment queue'))[0]).toMatch(/^retryPaymentQueue/)
})

test('a Chinese word finds the English symbol and an English word the Chinese text', async () => {
  const turns = said('a', 2, [
    ['Nora', 'CacheManager evicts the oldest entry'],
    ['Ben', '支付超时了'],
    ['Ben', 'lunch at noon'],
  ])
  expect((await texts(turns, '缓存'))[0]).toBe('CacheManager evicts the oldest entry')
  expect((await texts(turns, 'payment'))[0]).toBe('支付超时了')
})

test('nothing matches: nothing comes back, and everything was searched', async () => {
  const turns = said('a', 2, [['Nora', '今天天气好']])
  expect(await ask(turns, 'submarine')).toEqual({ results: [], totalSearched: 1 })
  expect(await ask([], 'submarine')).toEqual({ results: [], totalSearched: 0 })
  expect((await ask(turns, '???')).results).toEqual([])
})

test('the scope leaves out deleted turns, other conversations and projects, and other times', async () => {
  const turns: PlainTurn[] = [
    { conversationId: 'a', content: 'red kettle', createdAt: NOW - 4 * DAY_MS, projectRoot: '/x' },
    {
      conversationId: 'a',
      content: 'red kettle, deleted',
      createdAt: NOW - 4 * DAY_MS,
      deleted: true,
      projectRoot: '/x',
    },
    { conversationId: 'b', content: 'red kettle too', createdAt: NOW - 2 * DAY_MS, projectRoot: '/y' },
  ]
  expect(await texts(turns, 'kettle')).toHaveLength(2)
  expect(await ask(turns, 'kettle', { conversationId: 'a' })).toMatchObject({
    totalSearched: 1,
    results: [{ turnId: 1 }],
  })
  expect(await texts(turns, 'kettle', { projectRoot: '/y' })).toEqual(['red kettle too'])
  expect(await texts(turns, 'kettle', { since: NOW - 3 * DAY_MS })).toEqual(['red kettle too'])
  expect(await texts(turns, 'kettle', { until: NOW - 3 * DAY_MS })).toEqual(['red kettle'])
  expect(await ask(turns, 'kettle', { conversationId: 'nobody knows it' })).toEqual({ results: [], totalSearched: 0 })
})

test('relevance lies in [0, 1], falls, and is the sum of the explained contributions', async () => {
  const turns = said('a', 3, [
    ['Nora', 'What did the vet say about the rabbit?'],
    ['Ben', 'She needs to eat more hay.'],
    ['Nora', 'The rabbit is called Pepper.'],
  ])
  const { results } = await ask(turns, 'What is the name of the rabbit of Nora?', { explain: true })
  expect(results.length).toBeGreaterThan(1)
  for (const [index, { relevance, explanation }] of results.entries()) {
    expect(relevance).toBeGreaterThanOrEqual(0)
    expect(relevance).toBeLessThanOrEqual(1)
    if (index > 0) expect(relevance).toBeLessThanOrEqual(results[index - 1]!.relevance)
    const sum = explanation!.features.reduce((total, { contribution }) => total + contribution, 0)
    expect(sum).toBeCloseTo(relevance, 6)
    for (const { value } of explanation!.features) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
    }
  }
  expect(results.find(({ text }) => text.includes('Pepper'))?.explanation?.matched).toContain('rabbit')
})

test('the ranking long-term applies the formula of 000, and its topic counts 1.3 times', async () => {
  const turns = said('a', 7, [
    ['Nora', 'The kettle is red.'],
    ['Nora', 'The kettle leaks in the kitchen.'],
  ])
  const request = { ...baseRequest, query: 'kettle', ranking: 'long-term' as const }
  const { results } = await answerFromView(request, { ...inMemorySources(turns), topic: 'kitchen' })
  expect(results[0]?.text).toBe('The kettle leaks in the kitchen.')
  expect(results[0]?.explanation?.multipliers).toEqual([
    { name: 'topic', factor: 1.3 },
    { name: 'share_of_largest', factor: expect.closeTo(1 / (0.9 * 1.3), 6) },
  ])
  const features = Object.fromEntries(results[1]!.explanation!.features.map(({ feature, weight }) => [feature, weight]))
  expect(features).toEqual({ keyword: 0.4, category: 0.2, recency: 0.15, frequency: 0.1, confidence: 0.15 })
})

const baseRequest: RecallRequest = {
  query: '',
  userId: 'local',
  conversationId: null,
  projectRoot: null,
  limit: 5,
  ranking: 'hybrid',
  kinds: ['turn'],
  now: NOW,
  since: null,
  until: null,
  explain: true,
}
