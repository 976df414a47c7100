import { expect, test } from 'vitest'
import { rowsInSight } from '../parts/virtual-rows.tsx'
import { conditionsOf, filtersOf, standingOf } from './memory-list.ts'

const now = new Date('2026-11-24T00:00:00Z')

test('an address without filters asks for what holds, one with filters for no more than they say', () => {
  expect(conditionsOf(filtersOf({}), now)).toEqual({})
  expect(conditionsOf(filtersOf({ from: 'soon', at: '<b>' }), now)).toEqual({})
  expect(conditionsOf(filtersOf({ type: 'semantic', state: 'doubt', unknown: 'x' }), now)).toEqual({
    memory_type: 'semantic',
    filters: { AND: [{ suspect_since: { ne: null } }] },
  })
  expect(conditionsOf(filtersOf({ state: 'ended', conversation: 'c' }), now)).toMatchObject({
    conversation_id: 'c',
    include_past: true,
    filters: { AND: [{ OR: [{ superseded_by: { ne: null } }, { valid_to: { lte: '2026-11-24T00:00:00.000Z' } }] }] },
  })
  expect(conditionsOf(filtersOf({ state: 'buried', who: '安娜', source: 'inferred' }), now)).toEqual({
    who: '安娜',
    source: 'inferred',
    include_past: true,
    include_buried: true,
    filters: { AND: [{ buried_at: { ne: null } }] },
  })
  expect(conditionsOf(filtersOf({ from: '2026-05-01', state: 'unused' }), now).filters).toEqual({
    AND: [{ occurred_at: { gte: new Date('2026-05-01T00:00:00').toISOString() } }, { access_count: 0 }],
  })
})

test('a memory that was replaced, is over or in doubt says so; one that will end still holds', () => {
  const memory = { superseded_by: null, valid_to: null, suspect: null, buried_at: null }
  const at = now.getTime()
  expect(standingOf(memory, at)).toBe('holds')
  expect(standingOf({ ...memory, valid_to: '2027-01-01T00:00:00Z' }, at)).toBe('holds')
  expect(standingOf({ ...memory, valid_to: '2026-01-01T00:00:00Z' }, at)).toBe('over')
  expect(standingOf({ ...memory, suspect: { reason: '', since: '2026-01-01' } }, at)).toBe('doubt')
  // At an earlier moment it stands as it stood then.
  expect(standingOf({ ...memory, suspect: { reason: '', since: '2026-12-01' } }, at)).toBe('holds')
  expect(standingOf({ ...memory, buried_at: '2026-12-01' }, at)).toBe('holds')
  expect(standingOf({ ...memory, superseded_by: 'x', valid_to: '2026-12-01' }, at)).toBe('holds')
  expect(standingOf({ superseded_by: 'x', valid_to: '2026-01-01T00:00:00Z', suspect: null, buried_at: null }, at)).toBe(
    'replaced',
  )
})

test('of a hundred thousand rows those in sight are drawn, at the ends too', () => {
  expect(rowsInSight(0, 800, 76, 100_000)).toEqual([0, 17])
  const [from, to] = rowsInSight(99_990 * 76, 800, 76, 100_000)
  expect([from <= 99_990, to]).toEqual([true, 100_000])
  expect(rowsInSight(0, 800, 76, 3)).toEqual([0, 3])
})
