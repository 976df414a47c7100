import { expect, test } from 'vitest'
import { memoryOf } from '../../test/contracts/memory-store.ts'
import type { MemoryMatches } from '../domain/contracts/memory-store.ts'
import { answersOf, type FormulaQuestion, rankByFormula, type SearchedTerm } from './ranking-formulas.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

function terms(asked: readonly string[], topic: readonly string[] = []): readonly SearchedTerm[] {
  return [
    ...asked.map((term) => ({ term, fromTopic: false, ofTopic: topic.includes(term) })),
    ...topic.filter((term) => !asked.includes(term)).map((term) => ({ term, fromTopic: true, ofTopic: true })),
  ]
}

function question(said: Partial<FormulaQuestion>): FormulaQuestion {
  return { ranking: 'long-term', terms: [], similarity: null, speaksOfPreference: false, now: NOW, ...said }
}

function matches(method: 'fts' | 'like', ...found: readonly [string, number, readonly number[]][]): MemoryMatches {
  return {
    method,
    matches: found.map(([id, bm25, matchedTerms]) => ({ memory: memoryOf(id, id), bm25, matchedTerms })),
  }
}

test('one shared character answers nothing, a pair of characters or two characters do', () => {
  const answers = (asked: readonly string[], found: MemoryMatches) =>
    answersOf(found.matches, terms(asked), null).map(({ memory }) => memory.id)
  const found = matches('fts', ['one', 2, [2]], ['pair', 2, [0]], ['two', 2, [2, 3]])
  expect(answers(['明天', '天去', '京', '去'], found)).toEqual(['pair', 'two'])
  expect(answers(['茶'], matches('fts', ['one', 2, [0]]))).toHaveLength(1)
})

test('with full text the keyword score is a share of the best BM25, with LIKE of the terms asked', () => {
  const asked = terms(['tea', 'oolong', 'garden', 'spring'])
  const keyword = (found: MemoryMatches) =>
    rankByFormula(found, question({ terms: asked })).map(({ explain }) => explain()?.features[0]?.value)
  expect(keyword(matches('fts', ['a', 8, [0]], ['b', 2, [1]]))).toEqual([1, 0.25])
  expect(keyword(matches('like', ['a', 3, [0, 1, 2]], ['b', 1, [1]]))).toEqual([0.75, 0.25])
})

test('only what matches a telling term of the topic is on topic', () => {
  const asked = terms(['invoice'], ['厨房', '厨', '房'])
  const found = matches('fts', ['kitchen', 3, [1, 2]], ['room', 3, [0, 3]], ['invoice', 3, [0]])
  const boosted = rankByFormula(found, question({ terms: asked, ranking: 'long-term' }))
    .filter(({ explain }) => explain()?.multipliers.length === 1)
    .map(({ memory }) => memory.id)
  expect(boosted).toEqual(['kitchen'])
})

test('in associative what was spoken of before stands last; the formula of 000 counts both alike', () => {
  const asked = terms(['dentist', 'called'], ['boat', 'sail'])
  const found = matches('fts', ['boat', 6, [2, 3]], ['boat called', 7, [1, 2, 3]], ['dentist', 4, [0, 1]])
  const order = (ranking: FormulaQuestion['ranking']) =>
    rankByFormula(found, question({ terms: asked, ranking })).map(({ memory }) => memory.id)
  expect(order('associative').at(-1)).toBe('boat')
  expect(order('long-term').at(-1)).toBe('dentist')
})
