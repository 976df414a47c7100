/** The first filling of a mirror in order of writing, tracked by one number; the newest go through the outbox. */
import type { FillingPiece, OutboxEntry, OutboxOutcome } from '../../../domain/contracts/vector-mirror.ts'
import type { Connection } from '../file/connection.ts'
import { number, text } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import { readSpace } from '../vector-index/spaces.ts'
import { mirroredOf, VECTOR_COLUMNS } from './mirrored-record.ts'

/** Number of newest vectors, as many as a search compares itself while the mirror may not show them yet. */
const NEWEST = 500

// The next vectors without a row: a change sent meanwhile has its row already. CROSS JOIN keeps the order of vectors,
// unsorted.
const NEXT = `SELECT ${VECTOR_COLUMNS}, v.user_no, u.user_id FROM vectors v CROSS JOIN users u ON u.user_no = v.user_no
  WHERE v.vector_no > ? AND v.vector_no <= ?
    AND NOT EXISTS (SELECT 1 FROM vector_rows r WHERE r.vector_no = v.vector_no)
  ORDER BY v.vector_no LIMIT ?`
const NOTE = `INSERT OR IGNORE INTO vector_outbox (user_no, id, noted_at)
  SELECT user_no, id, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM vectors
  WHERE vector_no > ? AND vector_no <= ?`
// Most vectors have had no row, and are still there: one statement says both.
const FIRST_ROW = `INSERT OR IGNORE INTO vector_rows (vector_no, row_id)
  SELECT vector_no, ?2 FROM vectors WHERE vector_no = ?1`
const LAST = `SELECT max(vector_no) AS n FROM
  (SELECT vector_no FROM vectors WHERE vector_no > ? AND vector_no <= ? ORDER BY vector_no LIMIT ?)`

/** The id that marks this file's rows in the mirror; undefined without a mirror. */
export function readStoreId(connection: Connection): string | undefined {
  return connection.one((row) => text(row, 'store_id'), 'SELECT store_id FROM vector_mirror') ?? undefined
}

/** true when this process has the right to apply changes. */
export function isOwner(connection: Connection, owner: string): boolean {
  return connection.get('SELECT 1 FROM vector_mirror WHERE owner = ?', owner) !== undefined
}

/** true when a filling has not come to its end. */
export function hasFilling(connection: Connection): boolean {
  const { stands, to } = readFilling(connection)
  return stands < to - NEWEST
}

/** See VectorOutbox.takeFilling. Call it in a read, or with `tried` in a write. */
export function takeFilling(connection: Connection, after: number | null, limit: number, tried: boolean): FillingPiece {
  const space = readSpace(connection)
  const storeId = readStoreId(connection)
  const { stands, to } = readFilling(connection)
  const from = after ?? stands
  const end = to - NEWEST
  if (storeId === undefined || space === undefined || from >= end) return { from, upTo: from, entries: [] }
  // Changes sent unseen may have been replaced or removed since.
  if (tried) connection.run('UPDATE vector_outbox SET begun = 1 WHERE begun = 0 AND applied_at IS NULL')
  // Vectors of an earlier model are sent to nobody.
  const rows = connection.all(NEXT, BigInt(Math.max(from, space.firstVector - 1)), BigInt(end), limit)
  const entries = rows.map((row): OutboxEntry => {
    const [userNo, userId, id] = [number(row, 'user_no'), text(row, 'user_id'), text(row, 'id')]
    const record = mirroredOf(connection, space, { userNo, userId, storeId }, row)
    return { changeNo: 0, userId, id, storeId, record, rowId: null, tried }
  })
  return { from, upTo: rows.length < limit ? end : number(rows.at(-1)!, 'vector_no'), entries }
}

/** true while the first filling has not come to its end. */
export function isFilling(connection: Connection): boolean {
  const { stands, to } = readFilling(connection)
  return stands < to
}

/** See VectorOutbox.filled. Call it in a write. */
export function noteFilled(
  connection: Connection,
  { upTo }: FillingPiece,
  outcomes: readonly OutboxOutcome[],
  owner: string,
): boolean {
  if (!isOwner(connection, owner)) return false
  for (const outcome of outcomes) noteRows(connection, outcome)
  connection.run('UPDATE vector_mirror SET fill_from = ?1 WHERE fill_from < ?1', upTo)
  return true
}

/** Notes the newest vectors of the filling as changes, at most `limit`; false when it has not come to them, or is done. */
export function noteEndOfFilling(connection: Connection, limit: number): boolean {
  const { stands, to } = readFilling(connection)
  if (stands >= to || stands < to - NEWEST) return false
  const last = connection.get(LAST, BigInt(stands), BigInt(to), limit)
  const upTo = last === undefined || last.n === null ? to : number(last, 'n')
  connection.run(NOTE, BigInt(stands), BigInt(upTo))
  connection.run('UPDATE vector_mirror SET fill_from = ?', upTo)
  return true
}

/** Notes which row a vector has now, and which have to go. Call it in a write. */
export function noteRows(connection: Connection, outcome: OutboxOutcome): void {
  const { entry, rowId, strays } = outcome
  const isFirstRow = rowId !== null && entry.record !== null && strays.length === 0
  if (isFirstRow && connection.run(FIRST_ROW, entry.record!.version, BigInt(rowId)).changes > 0) return
  noteOtherRows(connection, outcome)
}

function noteOtherRows(connection: Connection, { entry, rowId, strays }: OutboxOutcome): void {
  const userNo = connection.count('SELECT user_no FROM users WHERE user_id = ?', entry.userId)
  const goes = (row: string): void => {
    connection.run(
      sql`INSERT OR IGNORE INTO vector_gone (user_no, id, row_id) VALUES (${userNo}, ${entry.id}, ${BigInt(row)})`,
    )
  }
  for (const stray of strays) goes(stray)
  if (rowId === null || entry.record === null) return
  // The vector may have been replaced or removed while its row was on the way.
  const { version } = entry.record
  if (connection.get('SELECT 1 FROM vectors WHERE vector_no = ?', version) === undefined) goes(rowId)
  else {
    const before = connection.get('SELECT CAST(row_id AS TEXT) AS row_id FROM vector_rows WHERE vector_no = ?', version)
    if (before !== undefined) goes(text(before, 'row_id'))
    connection.run('INSERT OR REPLACE INTO vector_rows (vector_no, row_id) VALUES (?, ?)', version, BigInt(rowId))
  }
}

function readFilling(connection: Connection): { readonly stands: number; readonly to: number } {
  const row = connection.get('SELECT fill_from, fill_to FROM vector_mirror')
  return row === undefined ? { stands: 0, to: 0 } : { stands: number(row, 'fill_from'), to: number(row, 'fill_to') }
}
