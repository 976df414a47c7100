import { expect, test } from 'vitest'
import { memoryOf } from '../../test/contracts/memory-store.ts'
import type { MemoryMatches } from '../domain/contracts/memory-store.ts'
import { type RankingQuestion, rankMemories, type SearchedTerm } from './rank-memories.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

function terms(asked: readonly string[], topic: readonly string[] = []): readonly SearchedTerm[] {
  return [
    ...asked.map((term) => ({ term, fromTopic: false, ofTopic: topic.includes(term) })),
    ...topic.filter((term) => !asked.includes(term)).map((term) => ({ term, fromTopic: true, ofTopic: true })),
  ]
}

function question(said: Partial<RankingQuestion>): RankingQuestion {
  return { ranking: 'long-term', terms: [], speaksOfPreference: false, now: NOW, ...said }
}

function matches(method: 'fts' | 'like', ...found: readonly [string, number, readonly number[]][]): MemoryMatches {
  return {
    method,
    matches: found.map(([id, bm25, matchedTerms]) => ({ memory: memoryOf(id, id), bm25, matchedTerms })),
  }
}

test('one shared character answers nothing, a pair of characters or two characters do', () => {
  const asked = terms(['明天', '天去', '京', '去'])
  const ranked = rankMemories(
    matches('fts', ['one', 2, [2]], ['pair', 2, [0]], ['two', 2, [2, 3]]),
    question({ terms: asked }),
  )
  expect(ranked.map(({ memory }) => memory.id).sort()).toEqual(['pair', 'two'])
  expect(rankMemories(matches('fts', ['one', 2, [0]]), question({ terms: terms(['茶']) }))).toHaveLength(1)
})

test('with full text the keyword score is a share of the best BM25, with LIKE of the terms asked', () => {
  const asked = terms(['tea', 'oolong', 'garden', 'spring'])
  const keyword = (found: MemoryMatches) =>
    rankMemories(found, question({ terms: asked })).map(({ explain }) => explain().features[0]?.value)
  expect(keyword(matches('fts', ['a', 8, [0]], ['b', 2, [1]]))).toEqual([1, 0.25])
  expect(keyword(matches('like', ['a', 3, [0, 1, 2]], ['b', 1, [1]]))).toEqual([0.75, 0.25])
})

test('only what matches a telling term of the topic is on topic', () => {
  const asked = terms(['invoice'], ['厨房', '厨', '房'])
  const found = matches('fts', ['kitchen', 3, [1, 2]], ['room', 3, [0, 3]], ['invoice', 3, [0]])
  const boosted = rankMemories(found, question({ terms: asked, ranking: 'long-term' }))
    .filter(({ explain }) => explain().multipliers.length > 0)
    .map(({ memory }) => memory.id)
  expect(boosted).toEqual(['kitchen'])
})

test('in hybrid what was spoken of before never stands above what is asked now; the formula of 000 counts both alike', () => {
  const asked = terms(['dentist', 'called'], ['boat', 'sail'])
  const found = matches('fts', ['boat', 6, [2, 3]], ['boat called', 7, [1, 2, 3]], ['dentist', 4, [0, 1]])
  const best = (ranking: 'hybrid' | 'long-term') =>
    rankMemories(found, question({ terms: asked, ranking })).map(({ memory }) => memory.id)
  expect(best('hybrid')).toEqual(['dentist', 'boat called', 'boat'])
  expect(best('long-term')[0]).toBe('boat called')
})

test('hybrid prefers the memory that holds more of what was asked, and the surer one among equals', () => {
  const asked = terms(['tea', 'oolong', 'spring'])
  const found = matches('fts', ['some', 5, [0]], ['more', 5, [0, 1]])
  expect(rankMemories(found, question({ terms: asked, ranking: 'hybrid' }))[0]?.memory.id).toBe('more')
  const equals: MemoryMatches = {
    method: 'fts',
    matches: [
      { memory: memoryOf('guess', 'Tea?', { confidence: 0.3 }), bm25: 5, matchedTerms: [0] },
      { memory: memoryOf('sure', 'Tea!', { confidence: 1 }), bm25: 5, matchedTerms: [0] },
    ],
  }
  expect(rankMemories(equals, question({ terms: asked, ranking: 'hybrid' }))[0]?.memory.id).toBe('sure')
})

test('of memories that speak of what is asked, the one that tells of a change later stands first', () => {
  const asked = terms(['bakery', 'work'])
  const spoken = (id: string, day: number) =>
    memoryOf(id, id, { tags: ['employer'], createdAt: NOW - (30 - day) * 86_400_000 })
  const found: MemoryMatches = {
    method: 'fts',
    matches: [
      { memory: spoken('works at the mill', 1), bm25: 6, matchedTerms: [0, 1] },
      { memory: spoken('first day at the bank', 9), bm25: 5, matchedTerms: [0] },
    ],
  }
  const first = (said: Partial<RankingQuestion>) =>
    rankMemories(found, question({ terms: asked, ranking: 'hybrid', ...said }))[0]?.memory.id
  expect(first({})).toBe('works at the mill')
  expect(first({ subjects: ['employer'], isNews: ({ id }) => id.startsWith('first') })).toBe('first day at the bank')
})
