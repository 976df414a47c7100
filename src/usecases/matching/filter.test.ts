import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { MnemeError } from '../../domain/errors.ts'
import { silentLogger } from '../../domain/logger.ts'
import { openSqliteStore } from '../../store/sqlite/open-store.ts'
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
    metadata: { source: 'import', score: 3, who: 'Ann' },
    supersededBy: 'tea',
    suspect: { reason: 'it may have changed', since: Date.parse('2026-02-25T00:00:00Z') },
  }),
  memoryOf('cat', 'Has a grey cat', {
    source: 'inferred',
    confidence: 0.2,
    createdAt: Date.parse('2026-03-05T00:00:00Z'),
    validTo: Date.parse('2026-05-01T00:00:00Z'),
    buriedAt: Date.parse('2026-05-02T00:00:00Z'),
    accessCount: 2,
    metadata: { thing: 'Has a grey cat', merged: { ids: ['a"b'] } },
  }),
]

let store: Store
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:', create: true, clock: () => new Date(), logger: silentLogger })
  await store.memories.insert('anna', MEMORIES)
})
afterAll(() => store.close())

/** Ids of what passes, in the order above; what a store says of it lets the same pass, or more where it cannot say all. */
async function pass(filters: unknown): Promise<readonly string[]> {
  const { stored, accepts, where, isExact } = compileFilter(filters)
  const filter = { ...stored, includePast: true, includeBuried: true }
  const { items, total } = await store.memories.list('anna', { limit: 10, offset: 0, filter, where })
  expect(total).toBe(items.length)
  const passed = MEMORIES.filter(({ id }) => {
    const item = items.find((one) => one.id === id)
    return item !== undefined && (accepts === null || accepts(item))
  })
  if (isExact) expect(passed.length).toBe(total)
  if (accepts !== null) expect(passed).toEqual(MEMORIES.filter(accepts))
  return passed.map(({ id }) => id)
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
  [{ NOT: { suspectSince: null } }, ['run']],
  [{ suspectSince: { lt: '2026-03-01' } }, ['run']],
  [{ NOT: { validTo: { gt: '2026-04-01' } } }, ['tea', 'run']],
  [{ OR: [{ supersededBy: { ne: null } }, { validTo: { lte: '2026-06-01' } }] }, ['run', 'cat']],
  [{ buriedAt: null, accessCount: 0 }, ['tea', 'run']],
  [{ who: { gte: 'Li' } }, ['tea']],
  [{ category: { in: [] } }, []],
  [{ NOT: { 'metadata.source': 'App' } }, ['run', 'cat']],
  [{ OR: [{ supersededBy: 'tea' }, { 'metadata.merged.ids': 'a"b' }] }, ['run', 'cat']],
  [{ 'metadata.thing': 'Has a grey cat' }, ['cat']],
  [{ 'metadata.who': { nin: ['user', null] } }, ['run']],
])('the filter %j lets pass %j', async (filters, expected) => {
  expect(await pass(filters)).toEqual(expected)
})

test('what a store can compare by itself is left to it, and of what it cannot as much as it can', () => {
  for (const filters of [
    { accessCount: 0 },
    { NOT: { buriedAt: null } },
    { OR: [{ key: 'a' }, { confidence: { gt: 0 } }] },
  ])
    expect([filters, compileFilter(filters).isExact]).toEqual([filters, true])
  for (const filters of [{ tag: { in: ['a'] } }, { who: { gt: 'a' } }, { 'metadata.a': 'b' }])
    expect([filters, compileFilter(filters).isExact]).toEqual([filters, false])
  expect(compileFilter({ OR: [{ key: 'a' }, { 'metadata.a': 'b' }] }).where).not.toEqual({ all: [] })
})

test('plain equality is left to the store, the rest is not', () => {
  expect(compileFilter({ category: 'fact', key: 'tea' })).toEqual({
    stored: { category: 'fact', key: 'tea' },
    accepts: null,
    where: null,
    isExact: true,
  })
  expect(compileFilter({ category: 'fact', confidence: 1 }).accepts).not.toBeNull()
  expect(compileFilter(undefined)).toEqual({ stored: {}, accepts: null, where: null, isExact: true })
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
