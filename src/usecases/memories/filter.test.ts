import { expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import { MnemeError } from '../../domain/errors.ts'
import { compileFilter } from './filter.ts'

const MEMORIES = [
  memoryOf('tea', '早上只喝龙井茶', {
    category: 'preference',
    tags: ['drink', 'morning'],
    key: 'tea',
    who: 'Lin',
    confidence: 0.95,
    importance: 2,
    createdAt: Date.parse('2026-01-10T00:00:00Z'),
    metadata: { source: 'App', project: { name: 'kitchen' }, score: 7, labels: ['a', 'b'] },
  }),
  memoryOf('run', 'Ran the Berlin marathon', {
    memoryType: 'episodic',
    conversationId: 'chat-2',
    confidence: 0.5,
    createdAt: Date.parse('2026-02-20T00:00:00Z'),
    metadata: { source: 'import', score: 3 },
  }),
  memoryOf('cat', 'Has a grey cat', {
    source: 'inferred',
    confidence: 0.2,
    createdAt: Date.parse('2026-03-05T00:00:00Z'),
  }),
]

function pass(filters: unknown): readonly string[] {
  const { stored, accepts } = compileFilter(filters)
  return MEMORIES.filter(
    (memory) =>
      (accepts === null || accepts(memory)) &&
      Object.entries(stored).every(([name, value]) =>
        name === 'tag' ? memory.tags.includes(String(value)) : { ...memory }[name as 'key'] === value,
      ),
  ).map(({ id }) => id)
}

test.each([
  [{}, ['tea', 'run', 'cat']],
  [{ category: 'preference' }, ['tea']],
  [{ tag: 'morning' }, ['tea']],
  [{ 'metadata.source': 'App' }, ['tea']],
  [{ 'metadata.project.name': 'kitchen' }, ['tea']],
  [{ 'metadata.labels': 'b' }, ['tea']],
  [{ 'metadata.score': { gte: 3, lt: 7 } }, ['run']],
  [{ 'metadata.source': { icontains: 'APP' } }, ['tea']],
  [{ 'metadata.source': { contains: 'APP' } }, []],
  [{ 'metadata.source': null }, ['cat']],
  [{ confidence: { gt: 0.2 } }, ['tea', 'run']],
  [{ importance: { lte: 1 } }, ['run', 'cat']],
  [{ createdAt: { gte: '2026-02-01', lt: '2026-03-01' } }, ['run']],
  [{ createdAt: { gt: new Date('2026-02-20T00:00:00Z') } }, ['cat']],
  [{ memoryType: { ne: 'semantic' } }, ['run']],
  [{ who: null }, ['run', 'cat']],
  [{ category: { in: ['preference', 'pattern'] } }, ['tea']],
  [{ source: { nin: ['inferred'] } }, ['tea', 'run']],
  [{ tag: { in: ['drink', 'food'] } }, ['tea']],
  [{ OR: [{ key: 'tea' }, { conversationId: 'chat-2' }] }, ['tea', 'run']],
  [{ AND: [{ source: 'user_stated' }, { confidence: { lt: 0.9 } }] }, ['run']],
  [{ NOT: { category: 'preference' } }, ['run', 'cat']],
  [{ NOT: [{ category: 'preference' }, { memoryType: 'episodic' }] }, ['cat']],
  [{ source: 'user_stated', OR: [{ tag: 'drink' }, { NOT: { confidence: { gt: 0.4 } } }] }, ['tea']],
])('the filter %j lets pass %j', (filters, expected) => {
  expect(pass(filters)).toEqual(expected)
})

test('plain equality is left to the store, the rest is not', () => {
  expect(compileFilter({ category: 'fact', key: 'tea' })).toEqual({
    stored: { category: 'fact', key: 'tea' },
    accepts: null,
  })
  expect(compileFilter({ category: 'fact', confidence: 1 }).accepts).not.toBeNull()
  expect(compileFilter(undefined)).toEqual({ stored: {}, accepts: null })
})

test.each([
  [{ colour: 'red' }, 'filters.colour'],
  [{ category: 'fat' }, 'filters.category'],
  [{ category: { in: ['fact', 'fat'] } }, 'filters.category.in[1]'],
  [{ confidence: '0.5' }, 'filters.confidence'],
  [{ confidence: { above: 1 } }, 'filters.confidence.above'],
  [{ confidence: {} }, 'filters.confidence'],
  [{ confidence: { gt: null } }, 'filters.confidence.gt'],
  [{ tag: ['a', 'b'] }, 'filters.tag'],
  [{ createdAt: 'yesterday-ish' }, 'filters.createdAt'],
  [{ createdAt: { gte: '2026-02-30' } }, 'filters.createdAt.gte'],
  [{ AND: {} }, 'filters.AND'],
  [{ OR: [] }, 'filters.OR'],
  [{ OR: [{ nope: 1 }] }, 'filters.OR[0].nope'],
  [{ 'metadata.': 1 }, 'filters.metadata.'],
  [{ 'metadata.a': { eq: {} } }, 'filters.metadata.a.eq'],
  [{ constructor: 'x' }, 'filters.constructor'],
  ['category = fact', 'filters'],
  [[], 'filters'],
])('the filter %j is refused with its place', (filters, field) => {
  try {
    compileFilter(filters)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(MnemeError)
    expect(error).toMatchObject({ code: 'invalid_input', field })
  }
})

test('a filter nested without end is refused', () => {
  let filters: object = { category: 'fact' }
  for (let depth = 0; depth < 100; depth += 1) filters = { NOT: filters }
  expect(() => compileFilter(filters)).toThrow('nested')
})
