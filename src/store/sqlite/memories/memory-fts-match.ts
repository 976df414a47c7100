/**
 * Which memories match best by the full-text table of specification 000? FTS5's bm25 picks from the rarer words and the
 * newest others, then is computed over the user's own memories, as FTS5 counts all users'. LIKE answers without it.
 */
import type { MemoryFilter, MemoryMatch, MemoryTerm } from '../../../domain/contracts/memory-store.ts'
import type { Memory } from '../../../domain/memory.ts'
import type { Connection } from '../file/connection.ts'
import { raw, sql } from '../file/sql.ts'
import { wordsOf } from './memory-fts.ts'
import type { MemoryRecords } from './memory-records.ts'
import { MEMORY_COLUMNS, memoryOf, rowRange } from './memory-rows.ts'
import { filterCondition, passes } from './memory-store-filter.ts'

/** Memories that are scored in one go. */
const MOST_SCORED = 2000
/** Records read at once. */
const RECORDS_A_PIECE = 64
/** Records scored besides those asked for. */
const SCORED_BESIDES = 40
/** The constants of FTS5's bm25(). */
const K1 = 1.2
const B = 0.75

const HOLDING = `SELECT count(*) AS n FROM
  (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${MOST_SCORED})`
const TOTAL = 'SELECT memories AS n FROM memory_totals WHERE user_no = ?'
const NEWEST = `SELECT min(rowid) - ?2 AS place FROM (SELECT rowid FROM memories_fts
  WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT ${MOST_SCORED})`
const SCORED = `SELECT rowid - ?2 AS place, -bm25(memories_fts) AS score FROM memories_fts
  WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 + ?4 AND ?3`

/** The user, and the filter of the memories. */
export interface MatchQuestion {
  readonly userNo: number
  readonly terms: readonly MemoryTerm[]
  readonly filter: MemoryFilter
  /** Tells which ones have ended, in milliseconds since the epoch. */
  readonly now: number
  readonly limit: number
}

/** Best matches first; ties by age, the newest first. */
export function matchWords(
  connection: Connection,
  records: MemoryRecords,
  { userNo, terms, filter, now, limit }: MatchQuestion,
): readonly MemoryMatch[] {
  if (terms.length === 0 || limit <= 0) return []
  const holders = holdersOf(connection, userNo, terms)
  const places = candidates(connection, userNo, terms.map(expression), holders)
  const found: Held[] = []
  for (let from = 0; from < places.length && found.length < limit + SCORED_BESIDES; from += RECORDS_A_PIECE) {
    const piece = places.slice(from, from + RECORDS_A_PIECE)
    for (const [index, memory] of records.at(userNo, piece).entries()) {
      if (memory === null || !passes(memory, filter, now)) continue
      const held = { memory, place: piece[index]!, ...countTerms(wordsOf(memory).split(' '), terms) }
      if (held.matched.length > 0) found.push(held)
    }
  }
  const memories = connection.count(TOTAL, userNo)
  const averageLength = found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, found.length)
  const score = ({ matched, frequencies, length }: Held): number =>
    matched.reduce((sum, term) => {
      const n = Math.min(holders[term]!, memories)
      const weight = Math.log(1 + (memories - n + 0.5) / (n + 0.5))
      const frequency = frequencies[term]!
      return sum + (weight * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / averageLength))
    }, 0)
  return found
    .map((held) => ({ memory: held.memory, bm25: score(held), matchedTerms: held.matched, place: held.place }))
    .sort((a, b) => b.bm25 - a.bm25 || b.place - a.place)
    .slice(0, limit)
    .map(({ memory, bm25, matchedTerms }) => ({ memory, bm25, matchedTerms }))
}

/** A memory that holds some of the terms. */
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
  terms: readonly MemoryTerm[],
): Pick<Held, 'length' | 'frequencies' | 'matched'> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const frequencies = terms.map(({ term, prefix }) =>
    prefix ? words.filter((word) => word.startsWith(term)).length : (counts.get(term) ?? 0),
  )
  return {
    length: words.length,
    frequencies,
    matched: frequencies.flatMap((frequency, index) => (frequency > 0 ? [index] : [])),
  }
}

/** The number of the user's memories with each term, counted up to a useful bound. */
function holdersOf(connection: Connection, userNo: number, terms: readonly MemoryTerm[]): readonly number[] {
  const range = rowRange(userNo)
  return terms.map((term) => connection.count(HOLDING, expression(term), ...range))
}

/** Places of memories that hold a term, best first as FTS5 sees it. */
function candidates(
  connection: Connection,
  userNo: number,
  asked: readonly string[],
  holders: readonly number[],
): readonly number[] {
  const [first, last] = rowRange(userNo)
  const scores = new Map<number, number>()
  const add = (some: readonly string[], from: number): void => {
    for (const [place, score] of connection.lists(SCORED, some.join(' OR '), first, last, BigInt(from)))
      scores.set(Number(place), Math.max(Number(score), scores.get(Number(place)) ?? 0))
  }
  const held = asked
    .map((term, index) => ({ term, holding: holders[index]! }))
    .filter(({ holding }) => holding > 0)
    .sort((a, b) => a.holding - b.holding)
  let left = MOST_SCORED
  const rare = held.filter(({ holding }) => {
    left -= holding
    return left >= 0
  })
  if (rare.length > 0)
    add(
      rare.map(({ term }) => term),
      0,
    )
  if (rare.length < held.length) {
    const all = held.map(({ term }) => term)
    add(all, connection.count(NEWEST, all.join(' OR '), first, last))
  }
  return [...scores].sort(([a, x], [b, y]) => y - x || b - a).map(([place]) => place)
}

/** A term in FTS5's query language: a string, with a star behind it for longer words. */
function expression({ term, prefix }: MemoryTerm): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`
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
    .map(({ term }) => sql`(${SEARCHED} LIKE ${likePattern(term)} ESCAPE '\\')`)
    .reduce((sum, hit) => sql`${sum} + ${hit}`)
  const rows = connection.all(sql`SELECT * FROM (SELECT ${hits} AS hits, ${raw(MEMORY_COLUMNS)} FROM memories m
      WHERE m.row BETWEEN ${first} AND ${last} ${filterCondition(filter, now, userNo)})
    WHERE hits > 0 ORDER BY hits DESC, updated_at DESC, id LIMIT ${limit}`)
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

function matchedBy(memory: Memory, terms: readonly MemoryTerm[]): readonly number[] {
  const searched = [
    memory.text,
    memory.key ?? '',
    JSON.stringify(memory.value),
    JSON.stringify(memory.tags),
    memory.who ?? '',
  ]
    .join('\n')
    .toLowerCase()
  return terms.flatMap(({ term }, index) => (searched.includes(wordStart(term).toLowerCase()) ? [index] : []))
}
