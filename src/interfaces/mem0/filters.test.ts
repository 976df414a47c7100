/** mem0's filters become the library's; the user is taken out. */
import { expect, test } from 'vitest'
import { joinConditions, readFilters, scopeConditions } from './filters.ts'

test('ids stand at the top or inside AND, in either spelling', () => {
  expect(readFilters({ userId: 'anna', run_id: 'r1' })).toEqual({
    scope: { user_id: 'anna', run_id: 'r1' },
    conditions: [],
  })
  expect(readFilters({ AND: [{ user_id: { eq: 'anna' } }, { AND: [{ agent_id: { in: ['bot'] } }] }] })).toEqual({
    scope: { user_id: 'anna', agent_id: 'bot' },
    conditions: [],
  })
  expect(scopeConditions({ user_id: 'anna', run_id: 'r1', agent_id: 'bot', app_id: 'shop' })).toEqual([
    { conversationId: 'r1' },
    { 'metadata.agent_id': 'bot' },
    { 'metadata.app_id': 'shop' },
  ])
})

test('an id without a value is none; any other null is asked for, and widens nothing', () => {
  expect(readFilters({ user_id: 'anna', agent_id: null, AND: [{ run_id: null }] })).toEqual({
    scope: { user_id: 'anna' },
    conditions: [],
  })
  expect(readFilters({ user_id: 'anna', colour: null }).conditions).toEqual([{ 'metadata.colour': null }])
  expect(() => readFilters({ user_id: 'anna', AND: null })).toThrow('filters.AND')
})

test('no filter reaches across users', () => {
  for (const filters of [
    { user_id: { in: ['anna', 'ben'] } },
    { user_id: { ne: 'anna' } },
    { OR: [{ user_id: 'anna' }, { user_id: 'ben' }] },
    { user_id: 'anna', NOT: [{ user_id: 'ben' }] },
    { user_id: 'anna', OR: [{ AND: [{ user_id: 'ben' }] }] },
  ])
    expect(() => readFilters(filters)).toThrow(/exactly one user/)
  expect(() => readFilters({ user_id: 'anna', AND: [{ user_id: 'ben' }] })).toThrow(/twice, differently/)
})

test('names that are no field mean metadata, as the caller wrote them', () => {
  expect(
    readFilters({ 所在地: '波尔图', camelCase: { gte: 2 }, tags: ['a', 'b'], created_at: { lt: '2026-01-01' } }),
  ).toEqual({
    scope: {},
    conditions: [
      { 'metadata.所在地': '波尔图' },
      { 'metadata.camelCase': { gte: 2 } },
      { 'metadata.tags': { in: ['a', 'b'] } },
      { createdAt: { lt: '2026-01-01' } },
    ],
  })
  expect(readFilters({ metadata: { a: 1, b: [2] } }).conditions).toEqual([
    { AND: [{ 'metadata.a': 1 }, { 'metadata.b': { in: [2] } }] },
  ])
  expect(readFilters({ categories: { in: ['fact', 'tea'] } }).conditions).toEqual([
    { OR: [{ category: 'fact' }, { tag: 'tea' }] },
  ])
})

test('what cannot be asked is an error that names its place', () => {
  expect(() => readFilters({ AND: [] })).toThrow('filters.AND')
  expect(() => readFilters({ OR: { a: 1 } })).toThrow('filters.OR')
  expect(() => readFilters({ OR: [{ keywords: 'x' }] })).toThrow('filters.OR[0].keywords')
  expect(() => readFilters('anna')).toThrow('filters')
  let deep: object = { a: 1 }
  for (let level = 0; level < 40; level += 1) deep = { OR: [deep] }
  expect(() => readFilters(deep)).toThrow(/deep/)
})

test('no condition is no filter, one is itself, several hold together', () => {
  expect(joinConditions([])).toBeUndefined()
  expect(joinConditions([{ a: 1 }])).toEqual({ a: 1 })
  expect(joinConditions([{ a: 1 }, { b: 2 }])).toEqual({ AND: [{ a: 1 }, { b: 2 }] })
})
