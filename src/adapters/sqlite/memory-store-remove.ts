/**
 * Removes memories for good: record, index entry, history, and what other memories say about them; a few in one
 * transaction, others get their turn between two. Afterwards no byte of them is left in the file or its log.
 */
import { rmSync } from 'node:fs'
import { breathe } from '../../domain/pieces.ts'
import type { Connection } from './connection.ts'
import { removeJobsOfMemory } from './job-enqueue.ts'
import { reclaim } from './log/reclaim.ts'
import { removeEntry, writeIndexed } from './memory-fts.ts'
import { rowRange } from './memory-store-range.ts'
import { existingBackups } from './migrate.ts'
import { patiently } from './patient.ts'
import { text } from './rows.ts'
import { eraseVectors } from './vector-index/erase.ts'
import { wipeDue } from './wipe-due.ts'

const MEMORIES_A_PIECE = 20

/** What a suspicion says once the memory that it spoke of is gone. */
const GONE = 'a memory that it rested on was deleted'

/** Removes those of the ids that the user has; how many. */
export async function removeMemories(connection: Connection, userNo: number, ids: readonly string[]): Promise<number> {
  let removed = 0
  for (let from = 0; from < ids.length; from += MEMORIES_A_PIECE) {
    if (from > 0) await breathe()
    const piece = ids.slice(from, from + MEMORIES_A_PIECE)
    removed += await patiently(connection, () => writeIndexed(connection, () => removePiece(connection, userNo, piece)))
  }
  if (removed > 0) await erase(connection)
  return removed
}

/** Removes everything that the user has when it begins; how many. */
export async function removeAllMemories(connection: Connection, userNo: number): Promise<number> {
  let removed = 0
  for (;;) {
    const piece = await patiently(connection, () => writeIndexed(connection, () => removeFirst(connection, userNo)))
    if (piece === 0) break
    removed += piece
    await breathe()
  }
  // A document of the user may have been emptied just before.
  if (removed > 0 || wipeDue(connection) > 0) await erase(connection)
  return removed
}

function removeFirst(connection: Connection, userNo: number): number {
  const rows = connection.all(
    `SELECT id FROM memories WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${MEMORIES_A_PIECE}`,
    ...rowRange(userNo),
  )
  return removePiece(
    connection,
    userNo,
    rows.map((row) => text(row, 'id')),
  )
}

/** Leaves no byte of removed memories in the file, its log, or a copy of it from before an upgrade. */
export async function erase(connection: Connection): Promise<void> {
  for (const backup of existingBackups(connection.path)) rmSync(backup, { force: true })
  await reclaim(connection, { ofMemories: true })
}

/** Removes a few of them; how many. Call it inside `writeIndexed`, and see to the last traces afterwards. */
export function removePiece(connection: Connection, userNo: number, ids: readonly string[]): number {
  let removed = 0
  for (const id of ids) if (removeOne(connection, userNo, id)) removed += 1
  eraseVectors(connection, userNo, ids)
  return removed
}

function removeOne(connection: Connection, userNo: number, id: string): boolean {
  const record = connection.get(
    `SELECT CAST(row AS TEXT) AS row, text FROM memories WHERE user_no = ? AND id = ?`,
    userNo,
    id,
  )
  if (record === undefined) return false
  const row = BigInt(text(record, 'row'))
  connection.run('DELETE FROM memory_history WHERE memory_row = ?', row)
  connection.run('DELETE FROM memories WHERE row = ?', row)
  removeEntry(connection, row)
  removeJobsOfMemory(connection, userNo, id)
  connection.run('UPDATE memories SET superseded_by = NULL WHERE user_no = ? AND superseded_by = ?', userNo, id)
  connection.run(
    `UPDATE memories SET suspect_reason = ?1
     WHERE user_no = ?2 AND suspect_reason IS NOT NULL AND (instr(suspect_reason, ?3) OR instr(suspect_reason, ?4))`,
    GONE,
    userNo,
    id,
    text(record, 'text'),
  )
  return true
}
