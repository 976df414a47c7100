/**
 * Keeps the full-text entry of every memory. An index that is missing or damaged is built anew at the next write, so
 * that it never holds a removed memory and never lacks a stored one.
 */

import type { Work } from '../../contracts/conversation-log.ts'
import { MnemeError } from '../../domain/errors.ts'
import { breathe } from '../../domain/pieces.ts'
import type { Connection } from './connection.ts'
import { noteChange } from './memory-fts-changes.ts'
import { type IndexedTerms, memoryTerms } from './memory-fts-terms.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { rowRange } from './memory-store-range.ts'
import { patiently } from './patient.ts'

/** SQLITE_ERROR (no such table), SQLITE_CORRUPT and SQLITE_CONSTRAINT (of a damaged table's own making). */
const INDEX_FAILURES: readonly number[] = [1, 11, 19]

const CREATE = `CREATE VIRTUAL TABLE memories_fts USING fts5(
  terms,
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'"
);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);`

/** true when the full-text table, not the file or the disk, is to blame. */
export function isIndexFailure(error: unknown): boolean {
  if (error instanceof MnemeError) return isIndexFailure(error.cause)
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  return INDEX_FAILURES.includes(error.errcode & 0xff)
}

const REBUILT_A_PIECE = 200
/** Tables that FTS5 keeps its index in. */
const PARTS = ['data', 'idx', 'content', 'docsize', 'config'] as const

/** Writes or replaces the entry of the memory in this row. Call it inside a write, after the record is written. */
export function writeEntry(connection: Connection, row: bigint, entry: IndexedTerms): void {
  changeEntry(connection, row, entry, () =>
    connection.run('INSERT OR REPLACE INTO memories_fts (rowid, terms) VALUES (?, ?)', row, entry.terms),
  )
}

/** Removes the entry of this row. Call it inside a write, after the record is deleted. */
export function removeEntry(connection: Connection, row: bigint): void {
  changeEntry(connection, row, null, () => connection.run('DELETE FROM memories_fts WHERE rowid = ?', row))
}

/**
 * Entries are changed when all the rest of a transaction is done: SQLite has FTS5 write down what it has gathered before
 * every statement that may have to be taken back, so in between each entry would be written by itself.
 */
function changeEntry(connection: Connection, row: bigint, entry: IndexedTerms | null, change: () => unknown): void {
  const note = noteChange(connection, row, entry)
  connection.atEnd(() => orBuildAnew(connection, () => note(change)))
}

/**
 * Runs `work` in a write transaction; when the full-text table turns out to be damaged, even as late as at the commit,
 * it is built anew from the records and `work` is done again.
 */
export function writeIndexed<T>(connection: Connection, work: () => T): T {
  try {
    return connection.write(work)
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    connection.write(() => buildAnew(connection))
    return connection.write(work)
  }
}

/** Builds the entries of one user anew from the records, a few hundred a transaction; how many. */
export async function rebuildMemoryIndex(connection: Connection, userNo: number, work: Work = {}): Promise<number> {
  const [first, last] = rowRange(userNo)
  let indexed = 0
  for (let from = first; ; ) {
    const piece = await patiently(connection, () =>
      writeIndexed(connection, () => rebuildPiece(connection, userNo, from, last)),
    )
    if (piece === null) return indexed
    indexed += piece.indexed
    from = piece.next
    await breathe(work.signal)
  }
}

/** The entries from this row on, up to REBUILT_A_PIECE records; null when there are no more. */
function rebuildPiece(
  connection: Connection,
  userNo: number,
  from: bigint,
  last: bigint,
): { indexed: number; next: bigint } | null {
  const end = connection.get(
    `SELECT CAST(max(row) AS TEXT) AS last FROM
       (SELECT row FROM memories WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${REBUILT_A_PIECE})`,
    from,
    last,
  )?.last
  const to = typeof end === 'string' ? BigInt(end) : last
  orBuildAnew(connection, () => connection.run('DELETE FROM memories_fts WHERE rowid BETWEEN ? AND ?', from, to))
  // What was kept of the lists of terms is of another index now.
  connection.run('UPDATE memory_totals SET indexed = indexed + 1 WHERE user_no = ?', userNo)
  if (typeof end !== 'string') return null
  return { indexed: indexRows(connection, from, to), next: to + 1n }
}

function orBuildAnew(connection: Connection, work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    buildAnew(connection)
  }
}

function buildAnew(connection: Connection): void {
  createAnew(connection)
  indexRows(connection, 0n, (1n << 63n) - 1n)
}

/** An empty table in the place of whatever is there; one that cannot even be dropped gives way to its successor. */
function createAnew(connection: Connection): void {
  try {
    connection.exec('DROP TABLE IF EXISTS memories_fts')
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    // SQLite loads a table before it drops it: it gets what it needs for that.
    for (const part of PARTS) connection.exec(`DROP TABLE IF EXISTS memories_fts_${part}`)
    connection.exec(`CREATE TABLE memories_fts_config (k PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO memories_fts_config VALUES ('version', 4);
      CREATE TABLE memories_fts_data (id INTEGER PRIMARY KEY, block BLOB);
      DROP TABLE IF EXISTS memories_fts; DROP TABLE IF EXISTS memories_fts_config; DROP TABLE IF EXISTS memories_fts_data`)
  }
  connection.exec(CREATE)
  connection.run('UPDATE memory_totals SET indexed = indexed + 1')
}

function indexRows(connection: Connection, first: bigint, last: bigint): number {
  let indexed = 0
  const rows = connection.all(
    'SELECT CAST(row AS TEXT) AS row FROM memories WHERE row BETWEEN ? AND ? ORDER BY row',
    first,
    last,
  )
  for (const { row } of rows) {
    const key = BigInt(String(row))
    const record = connection.get(`SELECT ${MEMORY_COLUMNS} FROM memories m WHERE row = ?`, key)
    if (record === undefined) continue
    const entry = memoryTerms(memoryOf(record))
    connection.run('INSERT OR REPLACE INTO memories_fts (rowid, terms) VALUES (?, ?)', key, entry.terms)
    connection.run(
      'UPDATE memories SET term_count = ? WHERE row = ? AND term_count <> ?',
      entry.count,
      key,
      entry.count,
    )
    indexed += 1
  }
  return indexed
}
