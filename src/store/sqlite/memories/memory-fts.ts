/**
 * Keeps every memory's entry in the full-text table of specification 000, which holds no texts, so a removal names the
 * entry's words. A missing or damaged table is built anew at the next write.
 */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import { breathe } from '../../../domain/pieces.ts'
import { ENGLISH_STOP_WORDS } from '../../../language/stop-words.ts'
import { isWholeTerm } from '../../../language/tokens.ts'
import { foldWord } from '../../../language/word-terms.ts'
import { analyzeMemory, type SearchedFields, searchedText } from '../../segments/memory-documents.ts'
import type { Connection } from '../file/connection.ts'
import { isIndexFailure } from '../file/errors.ts'
import { patiently } from '../file/patient.ts'
import { sql } from '../file/sql.ts'
import { MEMORY_COLUMNS, memoryOf, rowRange } from './memory-rows.ts'

const CREATE = `CREATE VIRTUAL TABLE memories_fts USING fts5(
  terms,
  content = '',
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'"
);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);`

const REBUILT_A_PIECE = 200
/** Tables that FTS5 keeps its index in. */
const PARTS = ['data', 'idx', 'docsize', 'config', 'content'] as const

const HAS_ENTRY = 'SELECT 1 FROM memories_fts_docsize WHERE id = ?'
const ADD = 'INSERT INTO memories_fts (rowid, terms) VALUES (?, ?)'
const REMOVE = `INSERT INTO memories_fts (memories_fts, rowid, terms) VALUES ('delete', ?, ?)`
const ORPHANS = `SELECT 1 FROM memories_fts_docsize d WHERE id BETWEEN ? AND ?
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.row = d.id) LIMIT 1`

/**
 * Changes the row's entry from the words `before` (null: none) to `after` (null: gone), inside `writeIndexed`. Entries
 * change at the transaction's end, as FTS5 flushes before each statement that may be undone.
 */
export function changeEntry(connection: Connection, row: bigint, before: string | null, after: string | null): void {
  connection.atEnd(() => {
    if (before !== null && connection.get(HAS_ENTRY, row) !== undefined) connection.run(REMOVE, row, before)
    if (after !== null) connection.run(ADD, row, after)
  })
}

/**
 * Runs `work` in a write transaction. If the full-text table proves damaged, even at the commit, it is built anew and
 * `work` runs again.
 */
export function writeIndexed<T>(connection: Connection, work: () => T): T {
  try {
    return connection.write(work)
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    connection.write(() => {
      emptyTable(connection)
      indexRows(connection, 0n, (1n << 63n) - 1n)
    })
    return connection.write(work)
  }
}

/** Builds the entries of one user anew from the records, a few hundred a transaction; how many. */
export async function rebuildEntries(connection: Connection, userNo: number, work: Work = {}): Promise<number> {
  const [first, last] = rowRange(userNo)
  // The words of an entry without a memory are unknown, so all entries are dropped.
  if (hasOrphans(connection, first, last)) await patiently(connection, () => dropEntries(connection))
  let indexed = 0
  for (let from = first; ; ) {
    const piece = await patiently(connection, () => connection.write(() => rebuildPiece(connection, from, last)))
    if (piece === null) return indexed
    indexed += piece.indexed
    from = piece.next
    await breathe(work.signal)
  }
}

function hasOrphans(connection: Connection, first: bigint, last: bigint): boolean {
  try {
    return connection.get(ORPHANS, first, last) !== undefined
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    return true
  }
}

/** Empties the table, of all users; until their entries are there again, LIKE answers. */
export function dropEntries(connection: Connection): void {
  connection.write(() => emptyTable(connection))
}

/** The entries from this row on, up to REBUILT_A_PIECE records; null when there are no more. */
function rebuildPiece(connection: Connection, from: bigint, last: bigint): { indexed: number; next: bigint } | null {
  const end = connection.get(sql`SELECT CAST(max(row) AS TEXT) AS last FROM
       (SELECT row FROM memories WHERE row BETWEEN ${from} AND ${last} ORDER BY row LIMIT ${REBUILT_A_PIECE})`)?.last
  if (typeof end !== 'string') return null
  return { indexed: indexRows(connection, from, BigInt(end)), next: BigInt(end) + 1n }
}

/** Puts an empty table in place of the old one; a table that cannot even be dropped is replaced by its successor. */
function emptyTable(connection: Connection): void {
  try {
    connection.exec('DROP TABLE IF EXISTS memories_fts')
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    // SQLite loads a table before it drops it, so it gets the parts it needs for that.
    for (const part of PARTS) connection.exec(`DROP TABLE IF EXISTS memories_fts_${part}`)
    connection.exec(`CREATE TABLE memories_fts_config (k PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO memories_fts_config VALUES ('version', 4);
      CREATE TABLE memories_fts_data (id INTEGER PRIMARY KEY, block BLOB);
      DROP TABLE IF EXISTS memories_fts; DROP TABLE IF EXISTS memories_fts_config; DROP TABLE IF EXISTS memories_fts_data`)
  }
  connection.exec(CREATE)
}

function indexRows(connection: Connection, first: bigint, last: bigint): number {
  let indexed = 0
  const rows = connection.all(
    sql`SELECT CAST(row AS TEXT) AS row FROM memories WHERE row BETWEEN ${first} AND ${last} ORDER BY row`,
  )
  for (const { row } of rows) {
    const key = BigInt(String(row))
    const record = connection.get(`SELECT ${MEMORY_COLUMNS} FROM memories m WHERE row = ?`, key)
    if (record === undefined) continue
    const words = wordsOf(memoryOf(record))
    if (connection.get(HAS_ENTRY, key) !== undefined) connection.run(REMOVE, key, words)
    connection.run(ADD, key, words)
    indexed += 1
  }
  return indexed
}

/** Repeats of a term that the table keeps; BM25 gains next to nothing from more. */
const MAX_REPEATS = 8
/** Whole words kept beside their stems. */
const MAX_WHOLE_WORDS = 4096

/** The entry of a memory: terms with one blank between two, repeats side by side. The same memory always has the same. */
export function wordsOf(memory: SearchedFields, { terms } = analyzeMemory(memory)): string {
  const words: string[] = []
  for (const [term, frequency] of terms)
    if (!isWholeTerm(term)) for (let repeat = Math.min(frequency, MAX_REPEATS); repeat > 0; repeat--) words.push(term)
  for (const word of wholeWords(searchedText(memory))) if (!terms.has(word)) words.push(word)
  return words.join(' ')
}

function wholeWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [run] of text.matchAll(/[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f]+/g)) {
    const word = foldWord(run)
    if (!ENGLISH_STOP_WORDS.has(word)) words.add(word)
    if (words.size >= MAX_WHOLE_WORDS) break
  }
  return words
}
