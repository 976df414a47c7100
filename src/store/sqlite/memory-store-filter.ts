/**
 * Which memories does a MemoryFilter let through? It becomes SQL over `memories m` with bound values, or a test of one
 * memory already read.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { MemoryFilter } from '../../domain/contracts/memory-store.ts'
import { holdsAt, type Memory } from '../../domain/memory.ts'
import { holdsIn } from '../../domain/project.ts'
import { isoTime } from './rows.ts'

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
