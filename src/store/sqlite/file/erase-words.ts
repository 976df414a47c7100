/**
 * Takes the last traces of removed memories out of the full-text index, as FTS5's secure-delete leaves page-start words
 * in `memories_fts_idx`. The lists are written anew, but only when a word of no memory stands there.
 */
import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from './connection.ts'
import { isIndexFailure } from './errors.ts'
import { bytes, text } from './rows.ts'
import { sql } from './sql.ts'

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
