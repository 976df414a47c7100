/**
 * Removes memories for good: record, index entry, history, mentions in other memories; a few a transaction, with turns
 * for others between. Afterwards no byte of them is left in the file or its log.
 */
import { rmSync } from 'node:fs'
import { breathe } from '../../../domain/pieces.ts'
import { analyzeMemory } from '../../segments/memory-documents.ts'
import { removeJobsOfMemory } from '../documents/job-queue.ts'
import type { Connection } from '../file/connection.ts'
import { existingBackups } from '../file/migrate.ts'
import { patiently } from '../file/patient.ts'
import { reclaim, wipeDue } from '../file/reclaim.ts'
import { text } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import { eraseVectors } from '../vector-index/erase.ts'
import { changeEntry, wordsOf, writeIndexed } from './memory-fts.ts'
import { rowRange } from './memory-rows.ts'
import { eraseTerms, type MemoryPlaces, readMemory } from './memory-store-write.ts'
import { dropLinesOf } from './profile-store.ts'

const MEMORIES_A_PIECE = 20

/** The index is named, as SQLite without statistics would read all of the user's memories. */
const UNSUPERSEDE = `UPDATE memories INDEXED BY memories_superseded SET superseded_by = NULL
  WHERE user_no = ? AND superseded_by = ?`

/** The suspicion's text once the memory it rested on is gone. */
const GONE = 'a memory that it rested on was deleted'

/** Removes those of the ids that the user has; how many. */
export async function removeMemories(from: MemoryPlaces, userNo: number, ids: readonly string[]): Promise<number> {
  const { connection } = from
  let removed = 0
  for (let first = 0; first < ids.length; first += MEMORIES_A_PIECE) {
    if (first > 0) await breathe()
    const piece = ids.slice(first, first + MEMORIES_A_PIECE)
    removed += await patiently(connection, () => writeIndexed(connection, () => removePiece(from, userNo, piece)))
  }
  if (removed > 0) await erase(connection)
  return removed
}

/** Removes everything that the user has when it begins; how many. */
export async function removeAllMemories(from: MemoryPlaces, userNo: number): Promise<number> {
  const { connection, index } = from
  let removed = 0
  for (;;) {
    const piece = await patiently(connection, () => writeIndexed(connection, () => removeFirst(from, userNo)))
    if (piece === 0) break
    removed += piece
    await breathe()
  }
  // The dropped index reads in what was written meanwhile from the records.
  if (removed > 0) await patiently(connection, () => index.drop(userNo))
  // A document of the user may have been emptied just before.
  if (removed > 0 || wipeDue(connection) > 0) await erase(connection)
  return removed
}

function removeFirst(from: MemoryPlaces, userNo: number): number {
  const rows = from.connection.all(
    `SELECT id FROM memories WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${MEMORIES_A_PIECE}`,
    ...rowRange(userNo),
  )
  return removePiece(
    from,
    userNo,
    rows.map((row) => text(row, 'id')),
    false,
  )
}

/** Leaves no byte of removed memories in the file, its log, or a copy of it from before an upgrade. */
export async function erase(connection: Connection): Promise<void> {
  for (const backup of existingBackups(connection.path)) rmSync(backup, { force: true })
  await reclaim(connection, { ofMemories: true })
}

/**
 * Removes a few memories and returns how many, inside `writeIndexed`; the last traces are to be erased afterwards. With
 * `fromLists` false the user's whole index goes later.
 */
export function removePiece(from: MemoryPlaces, userNo: number, ids: readonly string[], fromLists = true): number {
  let removed = 0
  const terms = new Set<string>()
  for (const id of ids) if (removeOne(from, userNo, id, terms)) removed += 1
  if (fromLists) eraseTerms(from, userNo, terms)
  eraseVectors(from.connection, userNo, ids)
  return removed
}

function removeOne({ connection, clock }: MemoryPlaces, userNo: number, id: string, terms: Set<string>): boolean {
  const found = readMemory(connection, userNo, id)
  if (found === null) return false
  const { memory, row } = found
  const analyzed = analyzeMemory(memory)
  connection.run('DELETE FROM memory_history WHERE memory_row = ?', row)
  connection.run('DELETE FROM memories WHERE row = ?', row)
  changeEntry(connection, row, wordsOf(memory, analyzed), null)
  for (const term of analyzed.terms.keys()) terms.add(term)
  removeJobsOfMemory(connection, userNo, id)
  dropLinesOf(connection, userNo, id, clock().getTime())
  connection.run(UNSUPERSEDE, userNo, id)
  connection.run(sql`UPDATE memories SET suspect_reason = ${GONE}
     WHERE user_no = ${userNo} AND suspect_reason IS NOT NULL AND (instr(suspect_reason, ${id}) OR
     instr(suspect_reason, ${memory.text}))`)
  return true
}
