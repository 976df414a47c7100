/** Writes single memories: record, index entry and history together. */
import type { MemoryChange, MemoryPatch } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { writeEntry } from './memory-fts.ts'
import { memoryTerms } from './memory-fts-terms.ts'
import { INSERT_MEMORY, MEMORY_COLUMNS, memoryOf, memoryValues, UPDATE_MEMORY } from './memory-rows.ts'
import { forgetEdits, noteEdit } from './memory-store-history.ts'
import { newestPlace, rowRange } from './memory-store-range.ts'
import { text } from './rows.ts'

const SEARCHED_FIELDS: readonly (keyof MemoryPatch)[] = ['text', 'key', 'value', 'tags', 'who']

/** Inserts a memory with its entry, unless its id or externalId is there. Call it inside `writeIndexed`. */
export function insertOne(
  connection: Connection,
  userNo: number,
  memory: Memory,
): { memory: Memory; existed: boolean } {
  const known = connection.get(
    `SELECT ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ?1 AND id = ?2
     UNION ALL SELECT ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ?1 AND external_id = ?3
       AND coalesce(conversation_id, '') = coalesce(?4, '') LIMIT 1`,
    userNo,
    memory.id,
    memory.externalId,
    memory.conversationId,
  )
  if (known !== undefined) return { memory: memoryOf(known), existed: true }
  const row = rowRange(userNo)[0] + BigInt(newestPlace(connection, userNo)) + 1n
  const entry = memoryTerms(memory)
  connection.run(INSERT_MEMORY, ...memoryValues(memory), row, userNo, entry.count)
  writeEntry(connection, row, entry)
  return { memory, existed: false }
}

/** The memory and its row; null when there is none. */
export function readMemory(connection: Connection, userNo: number, id: string): { memory: Memory; row: bigint } | null {
  const found = connection.get(
    `SELECT CAST(row AS TEXT) AS row, ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ? AND id = ?`,
    userNo,
    id,
  )
  return found === undefined ? null : { memory: memoryOf(found), row: BigInt(text(found, 'row')) }
}

/**
 * Changes a memory and notes it; null when there is none. Without an `event` the history calls it SUPERSEDE when
 * something took its place; `unsaid` takes lines out of it instead. Call it inside `writeIndexed`.
 */
export function updateOne(
  connection: Connection,
  userNo: number,
  id: string,
  patch: MemoryPatch,
  at: number,
  event?: 'UPDATE' | 'SUPERSEDE',
  unsaid?: MemoryChange['unsaid'],
): Memory | null {
  const found = readMemory(connection, userNo, id)
  if (found === null) return null
  const { memory: before, row } = found
  const after: Memory = { ...before, ...patch, updatedAt: at }
  const entry = memoryTerms(after)
  connection.run(UPDATE_MEMORY, ...memoryValues(after), entry.count, row)
  if (SEARCHED_FIELDS.some((field) => field in patch)) writeEntry(connection, row, entry)
  if (unsaid !== undefined) {
    forgetEdits(connection, row, unsaid.since)
    if (after.text !== unsaid.text) noteEdit(connection, row, 'UPDATE', unsaid.text, at)
    return after
  }
  const superseded = after.supersededBy !== null && after.supersededBy !== before.supersededBy
  const previousText = after.text === before.text ? null : before.text
  noteEdit(connection, row, event ?? (superseded ? 'SUPERSEDE' : 'UPDATE'), previousText, at)
  return after
}
