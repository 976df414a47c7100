/**
 * Are the words of a row those that were written? A check value in each row tells, and mends one flipped bit; a row without
 * one was written by another program.
 */
import { crc32 } from 'node:zlib'
import { BETWEEN, checkOf, isText, withBitBack } from '../../../domain/checksum.ts'
import type { Connection } from './connection.ts'
import { bytes as bytesOf, type Row, textOrNull } from './rows.ts'
import { attempt } from './storage-errors.ts'

interface CheckedTable {
  readonly key: readonly string[]
  /** The columns under the check, the first with the words that a person reads. */
  readonly words: readonly string[]
  /** A column that changes when the whole text is replaced; default: the first of `words`. */
  readonly anew?: string
  /** Names a row to a person. */
  readonly name: string
}

/** The tables of words, with the columns that may only change together with `words_check`. */
export const CHECKED: Readonly<Record<string, CheckedTable>> = {
  users: { key: ['user_no'], words: ['user_id'], name: `'user ' || user_no` },
  turns: {
    key: ['id'],
    words: ['content', 'role', 'created_at', 'speaker', 'external_id', 'metadata', 'conversation_id'],
    name: `'turn ' || turn_number || ' of conversation ' || conversation_id`,
  },
  memories: {
    key: ['row'],
    words: [
      ...['text', 'id', 'memory_type', 'category', 'key', 'value', 'tags', 'conversation_id', 'who', 'source'],
      ...['source_turn_ids', 'occurred_at', 'created_at', 'updated_at', 'valid_from', 'valid_to', 'superseded_by'],
      ...['suspect_reason', 'suspect_since', 'external_id', 'metadata', 'project_root', 'buried_at'],
    ],
    name: `'memory ' || id`,
  },
  memory_history: {
    key: ['line_no'],
    words: ['previous_text', 'event', 'created_at'],
    name: `'an earlier text of memory ' || (SELECT id FROM memories WHERE row = memory_row)`,
  },
  profiles: {
    key: ['user_no'],
    words: ['document', 'machine_lines', 'unwanted'],
    anew: 'edited_at',
    name: `'profile of user ' || user_no`,
  },
  session_summaries: {
    key: ['user_no', 'conversation_id'],
    words: ['title', 'snippet', 'conversation_id'],
    name: `'title of conversation ' || conversation_id`,
  },
  summaries: {
    key: ['id'],
    words: ['summary', 'key_symbols', 'key_decisions', 'conversation_id'],
    name: `'summary of turns ' || start_turn || ' to ' || end_turn || ' of conversation ' || conversation_id`,
  },
  conversations: {
    key: ['id'],
    words: ['summary', 'id', 'public_id', 'project_root', 'created_at'],
    name: `'conversation ' || public_id || ' or its summary'`,
  },
}

function asked(words: readonly string[], row = ''): string {
  return `check_of(${words.map((word) => row + word).join(', ')})`
}

/** Whether a row has its words, in SQL; one without a check value has. `row`: how the statement calls it. */
function isWhole(table: keyof typeof CHECKED, row = ''): string {
  return `coalesce(${row}words_check = ${asked(CHECKED[table]!.words, row)}, 1)`
}

/**
 * From here on this connection writes no words without their check value. Words that were damaged before stay so until
 * they are written anew.
 */
export function keepChecks(connection: Connection): void {
  for (const [table, { key, words, anew = words[0]! }] of Object.entries(CHECKED)) {
    const set = (value: string): string =>
      `UPDATE ${table} SET words_check = ${value} WHERE ${key.map((column) => `${column} = new.${column}`).join(' AND ')};`
    const made = asked(words, 'new.')
    // A turn comes with its check value: a trigger costs four times as much.
    if (table !== 'turns')
      connection.exec(`CREATE TEMP TRIGGER ${table}_written AFTER INSERT ON main.${table} BEGIN ${set(made)} END`)
    connection.exec(`CREATE TEMP TRIGGER ${table}_rewritten AFTER UPDATE OF ${words.join(', ')} ON main.${table} BEGIN
      ${set(`iif(${isWhole(table, 'old.')} OR new.${anew} IS NOT old.${anew}, ${made}, ~${made})`)} END`)
  }
}

/** The names of rows whose words are others than those that were written, or no text. */
export function damagedRows(connection: Connection): readonly string[] {
  return Object.entries(CHECKED).flatMap(([table, { name, words }]) =>
    connection
      .all(`SELECT ${name} AS name FROM ${table} WHERE NOT (${isWhole(table)} AND
        is_text(${words.map((word) => `CAST(${word} AS BLOB)`).join(', ')}))`)
      .map((row) => textOrNull(row, 'name') ?? table),
  )
}

/** Whether the check value of a row that was read is of its words. */
export function hasWords(table: keyof typeof CHECKED, row: Row): boolean {
  return checkOf(...CHECKED[table]!.words.map((word) => row[word])) === row.words_check
}

/** The row as it was written, where one bit has flipped in it since. `isDamaged`: more has changed, or it cannot be read. */
export function withWordsMended(
  source: Connection,
  table: string,
  row: Row,
): { readonly row: Row; readonly isDamaged: boolean } {
  const checked = CHECKED[table]
  const check = row.words_check
  if (checked === undefined || typeof check !== 'number') return { row, isDamaged: false }
  const { key, words } = checked
  const isWhole = hasWords(table, row)
  if (isWhole && !words.some((word) => String(row[word]).includes('\ufffd'))) return { row, isDamaged: false }
  // An index may still have the word that has changed here.
  const bytes = `SELECT ${words.map((word) => `CAST(${word} AS BLOB) AS ${word}`).join(', ')} FROM ${table} NOT INDEXED
    WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`
  const raw = attempt(() => source.get(bytes, ...key.map((column) => row[column] as string | number))) ?? undefined
  if (raw === undefined) return { row, isDamaged: true }
  const parts = words.map((word) => (raw[word] === null ? null : bytesOf(raw, word)))
  // An upgrade took the check value of what was no text as it is read.
  if (isWhole && isText(...parts)) return { row, isDamaged: false }
  if (isWhole) return { row: { ...row, words_check: ~check }, isDamaged: true }
  const joined = Buffer.concat(parts.flatMap((part, at) => [Buffer.from(at === 0 ? '' : BETWEEN), part ?? Buffer.of()]))
  const wrong = (crc32(joined) ^ check) >>> 0
  // One bit of the check value itself.
  if ((wrong & (wrong - 1)) === 0) return { row: { ...row, words_check: crc32(joined) | 0 }, isDamaged: false }
  const whole = withBitBack(joined, check)
  if (whole === null) return { row, isDamaged: true }
  const mended: [string, unknown][] = []
  let from = 0
  for (const [at, word] of words.entries()) {
    const length = parts[at]?.length
    mended.push([word, length === undefined ? null : whole.toString('utf8', from, from + length)])
    from += (length ?? 0) + BETWEEN.length
  }
  // A bit between the words has not flipped: there is none.
  const isMended = checkOf(...mended.map(([, word]) => word)) === check
  return { row: isMended ? { ...row, ...Object.fromEntries(mended) } : row, isDamaged: !isMended }
}
