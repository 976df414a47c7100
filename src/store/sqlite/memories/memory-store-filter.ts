/**
 * Which memories does a MemoryFilter let through? It becomes SQL over `memories m` with bound values, or a test of one
 * memory already read.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { Page } from '../../../domain/contracts/conversation-log.ts'
import type { MemoryFilter } from '../../../domain/contracts/memory-store.ts'
import { holdsAt, type Memory } from '../../../domain/memory.ts'
import { holdsIn } from '../../../domain/project.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, number, type Row } from '../file/rows.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'

/** A condition that begins with AND (or is empty), and its values in order. */
export interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The condition of a filter over the memories of a user; `now` tells which ones have ended. */
export function filterCondition(filter: MemoryFilter, now: number, userNo: number): Condition {
  const sql: string[] = []
  const values: SQLInputValue[] = []
  const add = (condition: string, value: string | undefined): void => {
    if (value === undefined) return
    sql.push(`AND ${condition}`)
    values.push(value)
  }
  add('m.memory_type = ?', filter.memoryType)
  add('m.category = ?', filter.category)
  add('m.source = ?', filter.source)
  add('m.conversation_id = ?', filter.conversationId)
  add('m.external_id = ?', filter.externalId)
  add('m.superseded_by = ?', filter.supersededBy)
  add('m.key = ?', filter.key)
  add('m.who = ?', filter.who)
  add("(m.project_root IS NULL OR m.project_root IN ('', ?))", filter.projectRoot)
  add('EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)', filter.tag)
  if (filter.includeBuried !== true) {
    // The few that are buried are read once, so that a page far down the list needs no look at the records before it.
    sql.push(`AND m.row NOT IN (SELECT b.row FROM memories b INDEXED BY memories_buried
      WHERE b.user_no = ? AND b.buried_at IS NOT NULL)`)
    values.push(userNo)
  }
  if (filter.asOf !== undefined) {
    const moment = isoTime(filter.asOf)
    add('m.valid_from <= ?', moment)
    add('(m.valid_to IS NULL OR m.valid_to > ?)', moment)
  } else if (filter.includePast !== true) {
    sql.push('AND m.superseded_by IS NULL')
    add('(m.valid_to IS NULL OR m.valid_to > ?)', isoTime(now))
  }
  return { sql: sql.join(' '), values }
}

/** true when a memory meets the filter; `now` tells the ended ones. */
export function passes(memory: Memory, filter: MemoryFilter, now: number): boolean {
  const { asOf, includePast = false, tag } = filter
  if (filter.includeBuried !== true && (memory.buriedAt ?? null) !== null) return false
  if (filter.memoryType !== undefined && memory.memoryType !== filter.memoryType) return false
  if (filter.category !== undefined && memory.category !== filter.category) return false
  if (filter.source !== undefined && memory.source !== filter.source) return false
  if (filter.conversationId !== undefined && memory.conversationId !== filter.conversationId) return false
  if (filter.externalId !== undefined && memory.externalId !== filter.externalId) return false
  if (filter.supersededBy !== undefined && memory.supersededBy !== filter.supersededBy) return false
  if (filter.key !== undefined && memory.key !== filter.key) return false
  if (filter.who !== undefined && memory.who !== filter.who) return false
  if (filter.projectRoot !== undefined && !holdsIn(memory.projectRoot, filter.projectRoot)) return false
  if (tag !== undefined && !memory.tags.includes(tag)) return false
  if (asOf !== undefined) return memory.validFrom <= asOf && (memory.validTo === null || memory.validTo > asOf)
  return includePast || holdsAt({ ...memory, buriedAt: null }, now)
}

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
