/**
 * Which memories are on this page, and how many are there in all? An index on the most selective filter is walked, so
 * that a far page needs no look at earlier records.
 */
import type { Page } from '../../domain/contracts/conversation-log.ts'
import type { MemoryFilter } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { type Condition, filterCondition } from './memory-store-filter.ts'
import type { Row } from './rows.ts'
import { isoTime, number } from './rows.ts'

/** See MemoryStore.list; `now` tells which memories have ended. */
export function listMemories(
  connection: Connection,
  userNo: number,
  filter: MemoryFilter,
  now: number,
  limit: number,
  offset: number,
): Page<Memory> {
  const condition = filterCondition(filter, now, userNo)
  const rows = connection.all(
    `SELECT ${MEMORY_COLUMNS} FROM (
       SELECT m.row FROM memories m ${narrowIndex(filter)} WHERE m.user_no = ? ${condition.sql}
       ORDER BY m.updated_at DESC, m.id LIMIT ? OFFSET ?
     ) page CROSS JOIN memories m ON m.row = page.row ORDER BY m.updated_at DESC, m.id`,
    userNo,
    ...condition.values,
    limit,
    offset,
  )
  return { items: rows.map(memoryOf), total: countMemories(connection, userNo, filter, condition, now) }
}

/** Fields that few memories of a user share, rarest first, with the index that finds those. */
const NARROW: readonly (readonly [keyof MemoryFilter, string])[] = [
  ['externalId', 'memories_external'],
  ['supersededBy', 'memories_superseded'],
  ['key', 'memories_key'],
  ['conversationId', 'memories_conversation'],
]

/**
 * The index on the narrowest filter. By itself SQLite would walk all memories in the requested order; sorting the few
 * that pass costs no more than counting them.
 */
function narrowIndex(filter: MemoryFilter): string {
  const found = NARROW.find(([field]) => filter[field] !== undefined)
  return found === undefined ? '' : `INDEXED BY ${found[1]}`
}

/** See MemoryStore.getMany. */
export function readMemories(
  connection: Connection,
  userNo: number,
  ids: readonly string[],
  filter: MemoryFilter,
  now: number,
): readonly Memory[] {
  const { sql, values } = filterCondition(filter, now, userNo)
  return connection.read(() =>
    ids.flatMap((id) => {
      const row = connection.get(
        `SELECT ${MEMORY_COLUMNS} FROM memories m WHERE m.user_no = ? AND m.id = ? ${sql}`,
        userNo,
        id,
        ...values,
      )
      return row === undefined ? [] : [memoryOf(row)]
    }),
  )
}

const PAST = '(valid_to IS NOT NULL OR superseded_by IS NOT NULL) AND (superseded_by IS NOT NULL OR valid_to <= ?2)'
const BURIED = 'buried_at IS NOT NULL AND ?2 IS NOT NULL'
const BURIED_HOLDING = 'buried_at IS NOT NULL AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > ?2)'

function countMemories(
  connection: Connection,
  userNo: number,
  filter: MemoryFilter,
  { sql, values }: Condition,
  now: number,
): number {
  const names = Object.keys(filter)
  if (names.some((name) => name !== 'includePast' && name !== 'includeBuried'))
    return count(
      connection.get(
        `SELECT count(*) AS n FROM memories m ${narrowIndex(filter)} WHERE m.user_no = ? ${sql}`,
        userNo,
        ...values,
      ),
    )
  const all = count(connection.get('SELECT memories AS n FROM memory_totals WHERE user_no = ?', userNo))
  const past = filter.includePast === true ? 0 : counted(PAST)
  // Memories both buried and past were already subtracted.
  const buried = filter.includeBuried === true ? 0 : counted(filter.includePast === true ? BURIED : BURIED_HOLDING)
  return all - past - buried

  function counted(sql: string): number {
    return count(
      connection.get(`SELECT count(*) AS n FROM memories WHERE user_no = ?1 AND ${sql}`, userNo, isoTime(now)),
    )
  }
}

function count(row: Row | undefined): number {
  return row === undefined ? 0 : number(row, 'n')
}
