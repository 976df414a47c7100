/** The conditions of a MemoryFilter as SQL over `memories m`; values are bound, never written into the text. */
import type { SQLInputValue } from 'node:sqlite'
import type { MemoryFilter } from '../../contracts/memory-store.ts'
import { isoTime } from './rows.ts'

/** A condition that begins with AND (or is empty), and its values in order. */
export interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The condition of a filter; `now` tells which memories have ended. */
export function filterCondition(filter: MemoryFilter, now: number): Condition {
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
  add('EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)', filter.tag)
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
