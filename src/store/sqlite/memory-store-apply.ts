/**
 * Writes a plan made from a user's memories, if they are unchanged since. Of two processes with one plan at one time,
 * this compare-and-set makes one plan anew.
 */
import type { MemoryChanges } from '../../domain/contracts/memory-store.ts'
import { notFound } from '../../domain/errors.ts'
import type { Connection } from './connection.ts'
import { completeJob, holdsLease } from './job-lease.ts'
import { removePiece } from './memory-store-remove.ts'
import { insertOne, type MemoryPlaces, updateOne } from './memory-store-write.ts'
import { addLinesTo, passLinesOn } from './profile-table.ts'
import { number } from './rows.ts'
import { noteWipeDue } from './wipe-due.ts'

const INHERIT = 'UPDATE memories SET superseded_by = ? WHERE user_no = ? AND superseded_by = ?'

/** See MemoryStore.revision. */
export function readRevision(connection: Connection, userNo: number): number {
  const row = connection.get('SELECT revision FROM memory_totals WHERE user_no = ?', userNo)
  return row === undefined ? 0 : number(row, 'revision')
}

/** See MemoryStore.apply. Call it inside `writeIndexed`. */
export function applyChanges(
  to: MemoryPlaces,
  userNo: number,
  expectedRevision: number,
  { insert, update, remove, heir, lines = [], at, completes, lease, finishes }: MemoryChanges,
): boolean {
  const { connection } = to
  if (readRevision(connection, userNo) !== expectedRevision) return false
  if (lease !== undefined && !holdsLease(connection, lease)) return false
  if (completes !== undefined && !raiseThoughtTo(connection, userNo, completes)) return false
  if (heir !== undefined) for (const id of remove) connection.run(INHERIT, heir, userNo, id)
  if (heir !== undefined) passLinesOn(connection, userNo, remove, heir)
  if (remove.length > 0 && removePiece(to, userNo, remove) > 0) noteWipeDue(connection)
  for (const memory of insert) insertOne(to, userNo, memory)
  for (const { id, patch, event, unsaid } of update)
    if (updateOne(to, userNo, id, patch, at, event, { unsaid }) === null)
      throw notFound('memory', id, 'Read the memories again and plan anew.')
  if (lines.length > 0) addLinesTo(connection, userNo, lines, at)
  if (update.some(({ unsaid }) => unsaid !== undefined)) noteWipeDue(connection)
  if (lease !== undefined && finishes === true) completeJob(connection, lease, at)
  return true
}

/** Raises `thought_to` of a conversation; false when the user has no such conversation (any more). */
function raiseThoughtTo(
  connection: Connection,
  userNo: number,
  { conversationId, thoughtTo }: NonNullable<MemoryChanges['completes']>,
): boolean {
  const sql = `UPDATE conversations SET thought_to = min(last_turn, max(thought_to, ?))
    WHERE user_no = ? AND public_id = ?`
  return connection.run(sql, thoughtTo, userNo, conversationId).changes > 0
}
