/**
 * Which memories hold at least one of these terms? The lists of rare terms are read whole, rarest first; a term that
 * stands in very many memories only adds to the score of what the others found. So a search costs the same however
 * many memories there are. Where rare terms find too few, the newest memories that hold two frequent ones follow.
 */
import type { MemoryTerm } from '../../contracts/memory-store.ts'
import type { Connection } from './connection.ts'
import { inverseFrequency, type Totals } from './memory-fts-score.ts'
import { Tally } from './memory-fts-tally.ts'
import { rowRange } from './memory-store-range.ts'
import { number } from './rows.ts'

/** A term whose whole list is read when it is first looked at. */
const SHORT = 256
/** A term in more memories than this is frequent. */
const RARE = 8192
/** Entries of lists read for one search. */
const READ_AT_MOST = 8192
/** Entries read of frequent terms, where rare ones find too few; their weight only orders them among themselves. */
const FALLBACK = 1024
const FALLBACK_WEIGHT = 1e-9
/** Newest rows in which the share of a frequent term is counted. */
const SAMPLE = 4096
/** Frequent terms that are combined in pairs, the rarest of them. */
const PAIRED = 4

const IN_RANGE = 'memories_fts MATCH ? AND rowid BETWEEN ? AND ?'
const COUNT = `SELECT count(*) AS n FROM (SELECT 1 FROM memories_fts WHERE ${IN_RANGE} LIMIT ${RARE + 1})`
const COUNT_ALL = `SELECT count(*) AS n FROM memories_fts WHERE ${IN_RANGE}`
const NEWEST = `SELECT rowid - ? AS place FROM memories_fts WHERE ${IN_RANGE} ORDER BY rowid DESC LIMIT ?`

/** Memories that matched, before their entries are read. */
export interface Candidates {
  /** Places in the user's range, by the sum of the weights of the terms that are known to be there. */
  readonly tally: Tally
  /** The weight of each term, by index: its idf. */
  readonly weights: readonly number[]
  /** false when memories that hold only frequent terms may be missing. */
  readonly complete: boolean
}

/** Finds candidates, at least `enough` where that many match. */
export function findCandidates(
  connection: Connection,
  userNo: number,
  terms: readonly MemoryTerm[],
  totals: Totals,
  enough: number,
): Candidates {
  const range = rowRange(userNo)
  const queries = terms.map(expression)
  const lists = queries.map((query) => readNewest(connection, range, query, SHORT + 1))
  const holding = lists.map((list, index) =>
    list.length <= SHORT ? list.length : countHolding(connection, range, queries[index]!, totals),
  )
  const weights = holding.map((count) => inverseFrequency(count, totals.memories))
  const chosen: { places: readonly number[]; weight: number }[] = []
  const frequent: string[] = []
  let read = 0
  for (const index of terms.map((_, index) => index).sort((a, b) => holding[a]! - holding[b]!)) {
    const count = holding[index]!
    const query = queries[index]!
    if (count > RARE || read + count > READ_AT_MOST) {
      frequent.push(query)
      continue
    }
    read += count
    const places = count <= SHORT ? lists[index]! : readNewest(connection, range, query, count)
    chosen.push({ places, weight: weights[index]! })
  }
  for (const query of read < enough ? fallbacks(frequent) : []) {
    if (read >= enough) break
    const places = readNewest(connection, range, query, FALLBACK)
    read += places.length
    chosen.push({ places, weight: FALLBACK_WEIGHT })
  }
  return { tally: new Tally(chosen), weights, complete: frequent.length === 0 }
}

/** A term as a string of FTS5's query language: nothing in it is an operator. */
export function expression({ term, prefix }: MemoryTerm): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? '*' : ''}`
}

function countHolding(
  connection: Connection,
  [first, last]: readonly [bigint, bigint],
  query: string,
  { memories }: Totals,
): number {
  const counted = number(connection.get(COUNT, query, first, last)!, 'n')
  if (counted <= RARE) return counted
  if (memories <= SAMPLE) return number(connection.get(COUNT_ALL, query, first, last)!, 'n')
  const newest = connection.get(
    'SELECT max(row) - ? AS place FROM memories WHERE row BETWEEN ? AND ?',
    first,
    first,
    last,
  )
  const start = first + BigInt(Math.max(0, number(newest!, 'place') - SAMPLE + 1))
  const sampled = number(connection.get(COUNT_ALL, query, start, last)!, 'n')
  return Math.max(counted, Math.round((sampled / SAMPLE) * memories))
}

/** Pairs of the rarest terms first, then the rarest alone. */
function fallbacks(frequent: readonly string[]): readonly string[] {
  const paired = frequent.slice(0, PAIRED)
  const pairs = paired.flatMap((one, index) => paired.slice(index + 1).map((other) => `(${one} AND ${other})`))
  return [...(pairs.length === 0 ? [] : [pairs.join(' OR ')]), ...frequent]
}

/** Places of the newest memories that match, at most `limit`. */
function readNewest(
  connection: Connection,
  [first, last]: readonly [bigint, bigint],
  query: string,
  limit: number,
): readonly number[] {
  const statement = connection.statement(NEWEST)
  // A list of one-column arrays is read three times as fast as one of objects.
  statement.setReturnArrays(true)
  const rows: readonly unknown[] = statement.all(first, query, first, last, limit)
  return rows.map((row) => (Array.isArray(row) ? Number(row[0]) : Number.NaN))
}
