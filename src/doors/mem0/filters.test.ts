/** mem0's filters become the library's; the user is taken out. */
import { expect, test } from 'vitest'
import { compileFilter as checkFilter } from '../../usecases/matching/filter.ts'
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
    { 'metadata.a': 1 },
    { 'metadata.b': { in: [2] } },
  ])
})

test('what cannot be asked is an error that names its place', () => {
  expect(() => readFilters({ AND: [] })).toThrow('filters.AND')
  expect(() => readFilters({ OR: { a: 1 } })).toThrow('filters.OR')
  expect(() => readFilters({ OR: [{ keywords: 'x' }] })).toThrow('filters.OR[0].keywords')
  expect(() => readFilters('anna')).toThrow('filters')
  expect(() => readFilters({ created_at: 'garbage' })).toThrow(/^filters\.created_at: "garbage"/)
  expect(() => readFilters({ createdAt: { lt: 1700000000123 } })).toThrow(/^filters\.createdAt\.lt: /)
  expect(() => readFilters({ timestamp: { before: 1 } })).toThrow(/^filters\.timestamp\.before: is not an operator/)
  expect(() => readFilters({ metadata: { nest: { a: 1 } } })).toThrow(/^filters\.metadata\.nest\.a: /)
  expect(() => readFilters({ user_id: 'anna', 颜色: [{}] })).toThrow(/^filters\.颜色\[0\]: /)
  expect(() => readFilters({ OR: [{ a: 1 }, { run_id: { in: 'r1' } }] })).toThrow(/^filters\.OR\[1\]\.run_id\.in: /)
  let deep: object = { a: 1 }
  for (let level = 0; level < 40; level += 1) deep = { OR: [deep] }
  expect(() => readFilters(deep)).toThrow(/deep/)
})

test('what is nested as deep as is taken can be compiled with anything beside it', () => {
  let deep: object = { a: 1, b: 2 }
  for (let level = 0; level < 6; level += 1) deep = { OR: [{ c: 3, ...deep }] }
  const { conditions } = readFilters({ d: 4, ...deep })
  expect(() => checkFilter(joinConditions(conditions).filters)).not.toThrow()
  expect(() => readFilters({ OR: [deep] })).toThrow(/^filters\.OR.*nested more than 7 deep/)
})

test('no condition is no filter, one is itself, several hold together', () => {
  expect(joinConditions([])).toEqual({})
  expect(joinConditions([{ a: 1 }])).toEqual({ filters: { a: 1 } })
  expect(joinConditions([{ a: 1 }, { b: 2 }])).toEqual({ filters: { AND: [{ a: 1 }, { b: 2 }] } })
})
