/** Every memory's entry in the full-text table of 000; a missing or damaged table is built anew at the next write. */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type { MemoryFilter, MemoryMatch } from '../../../domain/contracts/memory-store.ts'
import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { foldWord } from '../../../language/terms.ts'
import { ENGLISH_STOP_WORDS } from '../../../language/word-lists.ts'
import { memoryTerms, type SearchedFields, searchedText } from '../../segments/memory-documents.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { isIndexFailure } from '../file/storage-errors.ts'
import { patiently, writePatiently } from '../file/wait-for-lock.ts'
import { MEMORY_COLUMNS, type MemoryRecords, memoryOf, rowRange, SEQUENCE_BITS } from './memory-rows.ts'
import { filterCondition, passes } from './memory-store-filter.ts'

/** Only which memory holds a term is kept: no places of terms, no texts. */
const CREATE = `CREATE VIRTUAL TABLE memory_words USING fts5(
  terms,
  content = '',
  detail = none,
  tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'"
);
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);`

const REBUILT_A_PIECE = 200
/** Tables that FTS5 keeps its index in. */
const PARTS = ['data', 'idx', 'docsize', 'config', 'content'] as const

/** The full-text table of programs before. */
const FORMER = 'memories_fts'

/** A row's number in the table, counted from the first user's first row: small numbers take fewer bytes a term. */
const entryOf = (row: bigint): bigint => row - (1n << SEQUENCE_BITS)

/** The numbers of a user's entries; BigInt, as in `rowRange`. */
export function entryRange(userNo: number): readonly [first: bigint, last: bigint] {
  const [first, last] = rowRange(userNo)
  return [entryOf(first), entryOf(last)]
}

const HAS_ENTRY = 'SELECT 1 FROM memory_words_docsize WHERE id = ?'
const ADD = 'INSERT INTO memory_words (rowid, terms) VALUES (?, ?)'
const REMOVE = `INSERT INTO memory_words (memory_words, rowid, terms) VALUES ('delete', ?, ?)`
const ORPHANS = `SELECT 1 FROM memory_words_docsize d WHERE id BETWEEN ? AND ?
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.row = d.id + (1 << ${SEQUENCE_BITS})) LIMIT 1`

/** Changes the row's entry at the transaction's end, as FTS5 flushes before each statement that may be undone. */
export function changeEntry(connection: Connection, row: bigint, before: string | null, after: string | null): void {
  connection.atEnd(() => {
    const entry = entryOf(row)
    if (before !== null && connection.get(HAS_ENTRY, entry) !== undefined) connection.run(REMOVE, entry, before)
    if (after !== null) connection.run(ADD, entry, after)
  })
}

/** A write transaction; where the full-text table proves damaged, it is built anew and `work` runs again. */
export function writeIndexed<T>(connection: Connection, work: () => T, isMissed = true): T {
  try {
    return connection.write(work, isMissed)
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    connection.write(() => {
      emptyTable(connection)
      indexRows(connection, 0n, (1n << 63n) - 1n, -1)
    })
    return connection.write(work)
  }
}

/** Builds the entries of one user anew from the records, a few hundred a transaction; how many. */
export async function rebuildEntries(connection: Connection, userNo: number, work: Work = {}): Promise<number> {
  const [first, last] = rowRange(userNo)
  // The words of an entry without a memory are unknown, so all entries are dropped.
  if (hasOrphans(connection, ...entryRange(userNo))) await patiently(connection, () => dropEntries(connection))
  let indexed = 0
  for (let from = first; ; ) {
    const piece = await writePatiently(connection, () => indexRows(connection, from, last, REBUILT_A_PIECE))
    if (piece.indexed === 0) return indexed
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

function emptyTable(connection: Connection): void {
  for (const table of [FORMER, 'memory_words']) dropTable(connection, table)
  connection.exec(CREATE)
}

/** A table that cannot even be dropped gets what SQLite needs to load it. */
function dropTable(connection: Connection, table: string): void {
  try {
    connection.exec(`DROP TABLE IF EXISTS ${table}`)
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    for (const part of PARTS) connection.exec(`DROP TABLE IF EXISTS ${table}_${part}`)
    connection.exec(`CREATE TABLE ${table}_config (k PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO ${table}_config VALUES ('version', 4);
      CREATE TABLE ${table}_data (id INTEGER PRIMARY KEY, block BLOB);
      DROP TABLE IF EXISTS ${table}; DROP TABLE IF EXISTS ${table}_config; DROP TABLE IF EXISTS ${table}_data`)
  }
}

/** Writes the entries of the next records, `most` of them, -1: all; how many, and the row from which to go on. */
function indexRows(connection: Connection, first: bigint, last: bigint, most: number) {
  let [indexed, next] = [0, first]
  const rows = connection.all(sql`SELECT CAST(row AS TEXT) AS row FROM memories
    WHERE row BETWEEN ${first} AND ${last} ORDER BY row LIMIT ${most}`)
  for (const { row } of rows) {
    const key = BigInt(String(row))
    const words = wordsOf(memoryOf(connection.get(`SELECT ${MEMORY_COLUMNS} FROM memories m WHERE row = ?`, key)!))
    const entry = entryOf(key)
    if (connection.get(HAS_ENTRY, entry) !== undefined) connection.run(REMOVE, entry, words)
    connection.run(ADD, entry, words)
    indexed += 1
    next = key + 1n
  }
  return { indexed, next }
}

/** Repeats of a term that the table keeps; BM25 gains next to nothing from more. */
const MOST_REPEATS = 8
/** Whole words kept beside their stems. */
const MOST_WHOLE_WORDS = 4096

/** The entry of a memory: terms with one blank between two, repeats side by side. It depends on the memory alone. */
export function wordsOf(memory: SearchedFields, terms = memoryTerms(memory)): string {
  const words: string[] = []
  for (const [term, frequency] of terms)
    for (let repeat = Math.min(frequency, MOST_REPEATS); repeat > 0; repeat--) words.push(term)
  for (const word of wholeWords(searchedText(memory))) if (!terms.has(word)) words.push(word)
  return words.join(' ')
}

function wholeWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  const seen = new Set<string>()
  for (const [run] of text.matchAll(/[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f]+/g)) {
    if (seen.has(run)) continue
    seen.add(run)
    const word = foldWord(run)
    if (!ENGLISH_STOP_WORDS.has(word)) words.add(word)
    if (words.size >= MOST_WHOLE_WORDS) break
  }
  return words
}

/** The newest memories of a term that are scored. */
const MOST_SCORED = 2000
/** Records read at once. */
const RECORDS_A_PIECE = 64
/** Records scored besides those asked for. */
const SCORED_BESIDES = 40
/** The constants of FTS5's bm25(). */
const K1 = 1.2
const B = 0.75

const HOLDING = `SELECT rowid - ?2 AS place FROM memory_words
  WHERE memory_words MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT ?4`
const TOTAL = 'SELECT memories AS n FROM memory_totals WHERE user_no = ?'

interface MatchQuestion {
  readonly userNo: number
  readonly terms: readonly string[]
  readonly filter: MemoryFilter
  /** Tells which ones have ended, in milliseconds since the epoch. */
  readonly now: number
  readonly limit: number
}

/**
 * Which memories match best by the full-text table of 000? FTS5 finds the holders of the rarest terms, bm25 over the
 * user's own memories orders them, and LIKE answers without it.
 */
export function matchWords(
  connection: Connection,
  records: MemoryRecords,
  { userNo, terms, filter, now, limit }: MatchQuestion,
): readonly MemoryMatch[] {
  if (terms.length === 0 || limit <= 0) return []
  const memories = connection.count(TOTAL, userNo)
  const holders = terms.map((term) => holding(connection, userNo, expression(term), MOST_SCORED))
  const weights = holders.map(({ length }) => {
    const n = Math.min(length, memories)
    return Math.log(1 + (memories - n + 0.5) / (n + 0.5))
  })
  const places = candidates(holders, weights)
  const found: Held[] = []
  for (let from = 0; from < places.length && found.length < limit + SCORED_BESIDES; from += RECORDS_A_PIECE) {
    const piece = places.slice(from, from + RECORDS_A_PIECE)
    for (const [index, memory] of records.at(userNo, piece).entries()) {
      if (memory === null || !passes(memory, filter, now)) continue
      const held = { memory, place: piece[index]!, ...countTerms(wordsOf(memory).split(' '), terms) }
      if (held.matched.length > 0) found.push(held)
    }
  }
  const averageLength = found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, found.length)
  const score = ({ matched, frequencies, length }: Held): number =>
    matched.reduce((sum, term) => {
      const frequency = frequencies[term]!
      return sum + (weights[term]! * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / averageLength))
    }, 0)
  return found
    .map((held) => ({ ...held, bm25: score(held) }))
    .sort((a, b) => b.bm25 - a.bm25 || b.place - a.place)
    .slice(0, limit)
    .map(({ memory, bm25, matched }) => ({ memory, bm25, matchedTerms: matched }))
}

interface Held {
  readonly memory: Memory
  readonly place: number
  readonly length: number
  /** Frequencies by index of the term. */
  readonly frequencies: readonly number[]
  readonly matched: readonly number[]
}

function countTerms(
  words: readonly string[],
  terms: readonly string[],
): Pick<Held, 'length' | 'frequencies' | 'matched'> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const frequencies = terms.map((term) => counts.get(term) ?? 0)
  return {
    length: words.length,
    frequencies,
    matched: frequencies.flatMap((frequency, index) => (frequency > 0 ? [index] : [])),
  }
}

function holding(connection: Connection, userNo: number, asked: string, most: number): readonly number[] {
  return connection.lists(HOLDING, asked, ...entryRange(userNo), BigInt(most)).map(([place]) => Number(place))
}

/** Places of all holders of a term, those with the most weight first, the newest first of equal ones. */
function candidates(holders: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  const scores = new Map<number, number>()
  for (const [term, places] of holders.entries())
    for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weights[term]!)
  return [...scores].sort(([a, x], [b, y]) => y - x || b - a).map(([place]) => place)
}

function expression(term: string): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"`
}

/** The newest memories with a word's beginning that are read, characters of each, and words that come of them. */
const MOST_READ = 64
const MOST_CHARACTERS = 4000
const MOST_WORDS = 8

export function wordsBeginning(connection: Connection, records: MemoryRecords, userNo: number, beginning: string) {
  const places = holding(connection, userNo, `${expression(beginning)} *`, MOST_READ)
  const counts = new Map<string, number>()
  for (const memory of records.at(userNo, places)) {
    const text = memory === null ? '' : searchedText(memory).slice(0, MOST_CHARACTERS)
    for (const word of new Set((text.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldWord)))
      if (word.startsWith(beginning) && !ENGLISH_STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const best = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_WORDS)
  return best.map(([word]) => word)
}

/** Longest pattern in characters; SQLite takes 50,000 bytes. */
const LONGEST = 1000
/** Terms of one look: as many as SQLite surely takes in one expression. */
const MOST_TERMS = 200

const SEARCHED =
  raw(`(m.text || char(10) || coalesce(m.key, '') || char(10) || coalesce(m.value, '') || char(10) || m.tags
  || char(10) || coalesce(m.who, ''))`)

/** Most terms found first; ties by last change, the newest first. `bm25` is the number of terms found. */
export function matchByLike(
  connection: Connection,
  { userNo, terms, filter, now, limit }: MatchQuestion,
): readonly MemoryMatch[] {
  const looked = terms.slice(0, MOST_TERMS)
  if (looked.length === 0 || limit <= 0) return []
  const [first, last] = rowRange(userNo)
  const hits = looked
    .map((term) => sql`(${SEARCHED} LIKE ${likePattern(term)} ESCAPE '\\')`)
    .reduce((sum, hit) => sql`${sum} + ${hit}`)
  const rows =
    connection.all(sql`SELECT * FROM (SELECT ${hits} AS hits, m.row & 0xffffffff AS place, ${raw(MEMORY_COLUMNS)} FROM memories m
      WHERE m.row BETWEEN ${first} AND ${last} ${filterCondition(filter, now, userNo)})
    WHERE hits > 0 ORDER BY hits DESC, updated_at DESC, place DESC LIMIT ${limit}`)
  return rows.map((row) => {
    const memory = memoryOf(row)
    return { memory, bm25: Number(row.hits), matchedTerms: matchedBy(memory, looked) }
  })
}

/** The LIKE pattern of a term, to be used with ESCAPE '\'. */
function likePattern(term: string): string {
  const escaped = wordStart(term)
    .slice(0, LONGEST)
    .replaceAll(/[\\%_]/g, (character) => `\\${character}`)
  return `%${escaped}%`
}

/** The part of a stem that the word has as written: the stem "happi" stands for "happy". */
function wordStart(term: string): string {
  return /^[a-z]{3,}i$/.test(term) ? term.slice(0, -1) : term
}

function matchedBy(memory: Memory, terms: readonly string[]): readonly number[] {
  const searched = [
    memory.text,
    memory.key ?? '',
    JSON.stringify(memory.value),
    JSON.stringify(memory.tags),
    memory.who ?? '',
  ]
    .join('\n')
    .toLowerCase()
  return terms.flatMap((term, index) => (searched.includes(wordStart(term).toLowerCase()) ? [index] : []))
}
