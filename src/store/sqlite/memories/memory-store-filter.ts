/** A MemoryFilter as SQL over `memories m`, or as a test of one memory already read. */
import { isoTime } from '../../../domain/clock.ts'
import type { Page } from '../../../domain/contracts/conversation-log.ts'
import type {
  ComparedField,
  MemoryFilter,
  MemoryStore,
  StoredCondition,
} from '../../../domain/contracts/memory-store.ts'
import { holdsAt, holdsIn, type Memory } from '../../../domain/memory.ts'
import { type Connection, raw, type Sql, sql } from '../file/connection.ts'

import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'

/** Conditions that a column equals, and the columns. */
const EQUAL = {
  memoryType: 'memory_type',
  category: 'category',
  source: 'source',
  conversationId: 'conversation_id',
  externalId: 'external_id',
  supersededBy: 'superseded_by',
  key: 'key',
  who: 'who',
} as const satisfies Partial<Record<keyof MemoryFilter & keyof Memory, string>>
const EQUALS = Object.entries(EQUAL) as readonly (readonly [keyof typeof EQUAL, string])[]

/** The condition of a filter over the memories of a user; it begins with AND, or is empty. `now` tells the ended ones. */
export function filterCondition(filter: MemoryFilter, now: number, userNo: number): Sql {
  const { projectRoot, tag, asOf } = filter
  const parts = EQUALS.flatMap(([field, column]) => {
    const value = filter[field]
    return value === undefined ? [] : [sql`AND m.${raw(column)} = ${value}`]
  })
  if (projectRoot !== undefined) parts.push(sql`AND (m.project_root IS NULL OR m.project_root IN ('', ${projectRoot}))`)
  if (tag !== undefined) parts.push(sql`AND EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ${tag})`)
  // The few that are buried are read once, so that a page far down the list needs no look at the records before it.
  if (filter.includeBuried !== true)
    parts.push(sql`AND m.row NOT IN (SELECT b.row FROM memories b INDEXED BY memories_buried
      WHERE b.user_no = ${userNo} AND b.buried_at IS NOT NULL)`)
  const holdsAfter = (moment: string): Sql => sql`AND (m.valid_to IS NULL OR m.valid_to > ${moment})`
  if (asOf !== undefined) parts.push(sql`AND m.valid_from <= ${isoTime(asOf)}`, holdsAfter(isoTime(asOf)))
  else if (filter.includePast !== true) parts.push(raw('AND m.superseded_by IS NULL'), holdsAfter(isoTime(now)))
  return parts.reduce((all, part) => sql`${all} ${part}`, raw(''))
}

/** true when a memory meets the filter; `now` tells the ended ones. */
export function passes(memory: Memory, filter: MemoryFilter, now: number): boolean {
  const { asOf, includePast = false, tag, projectRoot } = filter
  if (filter.includeBuried !== true && (memory.buriedAt ?? null) !== null) return false
  for (const [field] of EQUALS) if (filter[field] !== undefined && memory[field] !== filter[field]) return false
  if (projectRoot !== undefined && !holdsIn(memory.projectRoot, projectRoot)) return false
  if (tag !== undefined && !memory.tags.includes(tag)) return false
  if (asOf !== undefined) return memory.validFrom <= asOf && (memory.validTo === null || memory.validTo > asOf)
  return includePast || holdsAt({ ...memory, buriedAt: null }, now)
}

const TIMES: Readonly<Partial<Record<ComparedField, string>>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  occurredAt: 'occurred_at',
  validTo: 'valid_to',
  buriedAt: 'buried_at',
  suspectSince: 'suspect_since',
}
const COLUMNS: Readonly<Partial<Record<ComparedField, string>>> = {
  ...EQUAL,
  ...TIMES,
  confidence: 'confidence',
  importance: 'importance',
  accessCount: 'access_count',
}

/** The condition in SQL, in brackets; it is 0 or 1, never NULL, so that its opposite is the opposite. */
function conditionSql(condition: StoredCondition): Sql {
  const joined = (parts: readonly StoredCondition[], word: string, none: string): Sql =>
    sql`(${parts.map(conditionSql).reduce((all, part) => sql`${all} ${raw(word)} ${part}`, raw(none))})`
  if ('all' in condition) return joined(condition.all, 'AND', '1')
  if ('any' in condition) return joined(condition.any, 'OR', '0')
  if ('not' in condition) return sql`(NOT ${conditionSql(condition.not)})`
  if ('metadata' in condition)
    return sql`(m.metadata IS NOT NULL AND instr(m.metadata, ${JSON.stringify(condition.metadata).slice(1, -1)}) > 0)`
  const { field, is, value } = condition
  // '' is from before there were projects.
  const column = raw(field === 'projectRoot' ? `nullif(m.project_root, '')` : `m.${COLUMNS[field]!}`)
  const bound = typeof value === 'number' && field in TIMES ? isoTime(value) : value
  return is === '=' ? sql`(${column} IS ${bound})` : sql`(coalesce(${column} ${raw(is)} ${bound}, 0))`
}

/** See MemoryStore.list; `now` tells which memories have ended. */
export function listMemories(
  connection: Connection,
  userNo: number,
  { limit, offset, filter = {}, where = null }: Parameters<MemoryStore['list']>[1],
  now: number,
): Page<Memory> {
  const held = filterCondition(filter, now, userNo)
  const condition = where === null ? held : sql`${held} AND ${conditionSql(where)}`
  const rows = connection.all(sql`SELECT ${raw(MEMORY_COLUMNS)} FROM (
      SELECT m.row FROM memories m ${narrowIndex(filter)} WHERE m.user_no = ${userNo} ${condition}
      ORDER BY m.updated_at DESC, m.row DESC LIMIT ${limit} OFFSET ${offset}
    ) page CROSS JOIN memories m ON m.row = page.row ORDER BY m.updated_at DESC, m.row DESC`)
  const total =
    where === null
      ? countMemories(connection, userNo, filter, condition, now)
      : countRows(connection, userNo, filter, condition)
  return { items: rows.map(memoryOf), total }
}

/** Fields that few memories of a user share, rarest first, with the index that finds those. */
const NARROW: readonly (readonly [keyof MemoryFilter, string])[] = [
  ['externalId', 'memories_external'],
  ['supersededBy', 'memories_superseded'],
  ['key', 'memories_key'],
  ['conversationId', 'memories_conversation'],
]

/** The index on the narrowest filter; by itself SQLite would walk all memories in the requested order. */
function narrowIndex(filter: MemoryFilter): Sql {
  const found = NARROW.find(([field]) => filter[field] !== undefined)
  return raw(found === undefined ? '' : `INDEXED BY ${found[1]}`)
}

export function readMemories(
  connection: Connection,
  userNo: number,
  ids: readonly string[],
  filter: MemoryFilter,
  now: number,
): readonly Memory[] {
  const condition = filterCondition(filter, now, userNo)
  return connection.read(() =>
    ids.flatMap((id) => {
      const row = connection.get(
        sql`SELECT ${raw(MEMORY_COLUMNS)} FROM memories m WHERE m.user_no = ${userNo} AND m.id = ${id} ${condition}`,
      )
      return row === undefined ? [] : [memoryOf(row)]
    }),
  )
}

function countRows(connection: Connection, userNo: number, filter: MemoryFilter, where: Sql): number {
  return connection.count(
    sql`SELECT count(*) FROM memories m ${narrowIndex(filter)} WHERE m.user_no = ${userNo} ${where}`,
  )
}

/** Memories that are both buried and past are counted as past. */
function countMemories(
  connection: Connection,
  userNo: number,
  filter: MemoryFilter,
  condition: Sql,
  now: number,
): number {
  const { includePast, includeBuried, ...others } = filter
  const count = (where: Sql): number => countRows(connection, userNo, filter, where)
  if (Object.keys(others).length > 0) return count(condition)
  const moment = isoTime(now)
  const past = sql`AND (m.valid_to IS NOT NULL OR m.superseded_by IS NOT NULL)
    AND (m.superseded_by IS NOT NULL OR m.valid_to <= ${moment})`
  const holding = sql`AND m.superseded_by IS NULL AND (m.valid_to IS NULL OR m.valid_to > ${moment})`
  const buried = sql`AND m.buried_at IS NOT NULL ${includePast === true ? raw('') : holding}`
  return (
    connection.count('SELECT memories FROM memory_totals WHERE user_no = ?', userNo) -
    (includePast === true ? 0 : count(past)) -
    (includeBuried === true ? 0 : count(buried))
  )
}
