/**
 * Keeps every memory's entry in the full-text table of specification 000, which holds no texts, so a removal names the
 * entry's words. A missing or damaged table is built anew at the next write.
 */
import type { Work } from '../../domain/contracts/conversation-log.ts'
import { MnemeError } from '../../domain/errors.ts'
import { breathe } from '../../domain/pieces.ts'
import { ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { isWholeTerm } from '../../language/tokens.ts'
import { foldWord } from '../../language/word-terms.ts'
import { analyzeMemory, type SearchedFields, searchedText } from '../segments/memory-documents.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf, rowRange } from './memory-rows.ts'
import { patiently } from './patient.ts'
import { bytes, text } from './rows.ts'
import { sql } from './sql.ts'

/** SQLITE_ERROR (no such table), SQLITE_CORRUPT and SQLITE_CONSTRAINT (of a damaged table's own making). */
const INDEX_FAILURES: readonly number[] = [1, 11, 19]

const CREATE = `CREATE VIRTUAL TABLE memories_fts USING fts5(
  terms,
  content = '',
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

/** Starts of pages looked at in one go. */
const STARTS_A_PIECE = 200
/** Pages of lists written in one transaction. */
const PAGES_A_PIECE = 16
/** A row of no user; an entry there makes a second segment, which FTS5 needs for a merge. */
const NOBODYS_ROW = 0n
const NOBODYS_WORD = '-'
/** FTS5 puts one byte before every term of an index. */
const MARK_BYTES = 1

/** The words of the index in order: https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module */
const WORDS = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.memories_words USING fts5vocab(main, memories_fts, instance)`

/** Makes sure that the index names no word that no memory has. */
export async function eraseGoneWords(connection: Connection, signal?: AbortSignal): Promise<void> {
  try {
    if (await namesGoneWord(connection, signal)) await writeAnew(connection, signal)
  } catch (error) {
    // A damaged index is built anew, without what was removed, at the next write.
    if (!isIndexFailure(error)) throw error
  }
}

async function namesGoneWord(connection: Connection, signal: AbortSignal | undefined): Promise<boolean> {
  connection.exec(WORDS)
  const starts = new Set<string>()
  for (const row of connection.all(`SELECT term FROM memories_fts_idx WHERE length(term) > ${MARK_BYTES}`)) {
    // The start of a page is cut to the fewest bytes that tell two pages apart. An incomplete last character is
    // dropped.
    const start = Buffer.from(bytes(row, 'term'))
      .subarray(MARK_BYTES)
      .toString('utf8')
      .replace(/\ufffd+$/u, '')
    if (start !== '') starts.add(start)
  }
  let looked = 0
  for (const start of starts) {
    if (!isLive(connection, start)) return true
    looked += 1
    if (looked % STARTS_A_PIECE === 0) await breathe(signal)
  }
  return false
}

/** true when the first word of the index from here on has this beginning. */
function isLive(connection: Connection, beginning: string): boolean {
  const row = connection.get('SELECT term FROM temp.memories_words WHERE term >= ? LIMIT 1', beginning)
  return row !== undefined && text(row, 'term').startsWith(beginning)
}

/** https://www.sqlite.org/fts5.html#the_merge_command: a negative number of pages starts, positive ones go on. */
async function writeAnew(connection: Connection, signal: AbortSignal | undefined): Promise<void> {
  connection.write(() => {
    // A process that was killed in here has left it.
    if (connection.get('SELECT 1 FROM memories_fts_docsize WHERE id = ?', NOBODYS_ROW) === undefined)
      connection.run('INSERT INTO memories_fts (rowid, terms) VALUES (?, ?)', NOBODYS_ROW, NOBODYS_WORD)
  })
  let pages = -PAGES_A_PIECE
  while (connection.write(() => merge(connection, pages))) {
    pages = PAGES_A_PIECE
    await breathe(signal)
  }
  connection.write(() =>
    connection.run(
      sql`INSERT INTO memories_fts (memories_fts, rowid, terms) VALUES ('delete', ${NOBODYS_ROW}, ${NOBODYS_WORD})`,
    ),
  )
}

/** false when there was nothing left to merge. */
function merge(connection: Connection, pages: number): boolean {
  const changes = (): number => connection.count('SELECT total_changes() AS n')
  const before = changes()
  connection.run(`INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', ?)`, BigInt(pages))
  return changes() - before >= 2
}
