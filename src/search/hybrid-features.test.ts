import { expect, test } from 'vitest'
import { inMemorySources } from '../../test/support/in-memory-view.ts'
import { DAY_MS } from '../domain/clock.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { chatShape, isAssistantTurn, nearbyScores, similarityScores, withoutSpeakers } from './hybrid-features.ts'
import { answerFromView } from './rank-turns.ts'

const NOW = Date.UTC(2026, 4, 7)

test('the farthest has 0 and the others their deviations above it, whatever range the cosines of a model have', () => {
  const narrow = similarityScores(
    new Map([
      [4, 0.84],
      [9, 0.81],
      [2, 0.8],
    ]),
  )
  const wide = similarityScores(
    new Map([
      [4, 0.6],
      [9, 0],
      [2, -0.2],
    ]),
  )
  for (const scores of [narrow, wide]) {
    expect(scores.get(4)).toBeCloseTo(0.392, 3)
    expect(scores.get(2)).toBe(0)
    expect(scores.get(9)).toBeCloseTo(0.098, 3)
    expect(scores.get(7)).toBeUndefined()
  }
})

test('one that stands out among many has 1', () => {
  const many = Array.from({ length: 60 }, (_, at): [number, number] => [at, 0.2 + (at % 3) / 100])
  expect(similarityScores(new Map([...many, [99, 0.9]])).get(99)).toBe(1)
})

test('a single turn is the nearest', () => {
  expect([...similarityScores(new Map([[3, 0.2]]))]).toEqual([[3, 1]])
})

test('a question is compared in meaning without the names of those who speak', () => {
  const speakers = ['', 'Ana Sousa', 'Élodie', '小雨']
  expect(withoutSpeakers('What did Ana tell Élodie about Ben?', speakers)).toBe('What did tell about Ben?')
  expect(withoutSpeakers("Which of ana’s and Élodie's plants died?", speakers)).toBe('Which of and plants died?')
  expect(withoutSpeakers('Who is Anastasia’s tutor?', speakers)).toBe('Who is Anastasia’s tutor?')
  expect(withoutSpeakers('小雨, 你好吗?', speakers)).toBe(', 你好吗?')
  // Nothing is left to compare.
  expect(withoutSpeakers('Ana Sousa?', speakers)).toBe('Ana Sousa?')
})

test('a turn that shares no word with the question is found by what it means, and the explanation says so', async () => {
  const said = [
    'We adopted a puppy in March.',
    'The printer is out of toner.',
    'Rent went up again.',
    '我们四月搬到了里斯本。',
  ]
  const turns = said.map((content, at) => ({ conversationId: `c${at}`, content, createdAt: NOW - at * 1000 }))
  const request: RecallRequest = {
    query: 'Which pets does the family have?',
    userId: 'ann',
    conversationId: null,
    projectRoot: null,
    limit: 2,
    ranking: 'hybrid',
    kinds: ['turn'],
    now: NOW,
    since: null,
    until: null,
    explain: true,
  }
  const sources = inMemorySources(turns)
  const byWords = await answerFromView(request, sources)
  expect(byWords.results.map(({ text }) => text)).not.toContain(said[0])
  const similarity = new Map([
    [0, 0.52],
    [2, 0.11],
  ])
  const { results } = await answerFromView(request, { ...sources, similarity })
  expect(results[0]).toMatchObject({ text: said[0], explanation: { arms: ['similarity'] } })
  const feature = results[0]?.explanation?.features.find(({ feature }) => feature === 'similarity')
  expect(feature?.value).toBeCloseTo(1 / 3, 5)
  // Nothing found by similarity is as if there were no vectors.
  expect(await answerFromView(request, { ...sources, similarity: new Map() })).toEqual(byWords)
})

test('every text has the best score of another, halved by each week between, as a share of the best of all', () => {
  const times = [28 * DAY_MS, 0, 7 * DAY_MS, 7 * DAY_MS]
  expect([...nearbyScores(times, [0.5, 0.25, 1, 0.75])]).toEqual([0.125, 0.5, 0.75, 1])
})

test('nothing scored gives nothing', () => {
  expect([...nearbyScores([1, 2], [0, 0])]).toEqual([0, 0])
  expect([...nearbyScores([], [])]).toEqual([])
})

/** Roles: 0 user, 1 assistant; speakers by index, '' for nobody. */
function view(turns: readonly (readonly [role: number, speaker: number, length: number])[]): TurnView {
  return {
    size: turns.length,
    speakers: ['', 'Melanie'],
    columns: {
      role: Uint8Array.from(turns, ([role]) => role),
      speaker: Uint16Array.from(turns, ([, speaker]) => speaker),
      length: Uint16Array.from(turns, ([, , length]) => length),
    },
  } as unknown as TurnView
}

test('long answers of nobody by name make a chat with an assistant', () => {
  expect(
    chatShape(
      view([
        [0, 0, 10],
        [1, 0, 120],
        [0, 0, 12],
        [1, 0, 90],
      ]),
    ),
  ).toBe('assistant')
})

test('a friend who is stored as assistant has a name, and is a person', () => {
  const friends = view([
    [0, 0, 10],
    [1, 1, 120],
    [0, 0, 12],
    [1, 1, 90],
  ])
  expect(chatShape(friends)).toBe('people')
  expect(isAssistantTurn(1, friends)).toBe(false)
})

test('an assistant as brief as its user is talked to as people talk', () => {
  expect(
    chatShape(
      view([
        [0, 0, 10],
        [1, 0, 12],
        [0, 0, 12],
        [1, 0, 11],
      ]),
    ),
  ).toBe('people')
})

test('the shape follows a log that grows', () => {
  const long = view([
    [0, 0, 10],
    [1, 0, 11],
    [1, 0, 200],
    [1, 0, 300],
  ])
  expect(chatShape({ ...long, size: 2 })).toBe('people')
  expect(chatShape(long)).toBe('assistant')
})
