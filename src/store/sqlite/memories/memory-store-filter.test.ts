import { expect, test, vi } from 'vitest'
import type { MemoryFilter } from '../../../domain/contracts/memory-store.ts'
import { Sql, sql } from '../file/connection.ts'
import { openDatabase } from '../file/open-database.ts'
import { listMemories } from './memory-store-filter.ts'

/** How SQLite finds what a page with this filter asks for: one line for each search of an index. */
function ways(filter: MemoryFilter): readonly string[] {
  const connection = openDatabase(':memory:', { create: true })
  const userNo = connection.users.ensure('anna')
  const asked = [vi.spyOn(connection, 'all'), vi.spyOn(connection, 'get')]
  listMemories(connection, userNo, { limit: 10, offset: 0, filter }, Date.now())
  const statements = asked.flatMap(({ mock }) => [...mock.calls])
  const lines = statements.flatMap(([query, ...values]) => {
    const asked = query instanceof Sql ? query : new Sql(query, values)
    return connection.all(sql`EXPLAIN QUERY PLAN ${asked}`).map(({ detail }) => String(detail))
  })
  connection.close()
  // Besides the look at the few that are buried.
  return lines.filter((line) => line.includes('INDEX memories_') && !line.includes('INDEX memories_buried'))
}

test.each([
  ['supersededBy', 'memories_superseded'],
  ['externalId', 'memories_external'],
  ['key', 'memories_key'],
  ['conversationId', 'memories_conversation'],
] as const)('a page of the memories of one %s looks at no other memory', (field, index) => {
  for (const filter of [
    { [field]: 'x' },
    { [field]: 'x', includePast: true },
    { [field]: 'x', category: 'fact' as const },
  ]) {
    const found = ways(filter)
    expect(found).toHaveLength(2)
    for (const line of found) expect(line).toContain(`${index} (user_no=? AND`)
  }
})

test('a page of all memories walks the index that has them in order', () => {
  expect(ways({ category: 'fact' }).join('\n')).toContain('COVERING INDEX memories_newest')
})
