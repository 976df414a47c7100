/**
 * Which memories hold at least one of these terms? The lists of terms are read whole, rarest first, as long as they are
 * short enough together; a more frequent term only adds to the score of what the others found. So a search costs about
 * the same however many memories there are. Where rare terms find too few, the newest memories that hold two frequent
 * ones follow.
 */
import type { MemoryTerm } from '../../contracts/memory-store.ts'
import type { Connection } from './connection.ts'
import { type ListSource, newestPlaces } from './memory-fts-lists.ts'
import { inverseFrequency, type Totals } from './memory-fts-score.ts'
import { Tally } from './memory-fts-tally.ts'
import { rowRange } from './memory-store-range.ts'
import { number } from './rows.ts'

/** Length up to which a list is read when its term is first looked at. */
const SHORT = 256
/** Places read for one search. */
const READ_AT_MOST = 8192
/** Newest memories among which the share of a frequent term is counted. */
const SAMPLE = 4096
/** Frequent terms that are combined in pairs, the rarest of them. */
const PAIRED = 4
/** Places read of frequent terms, where rare ones find too few; the weight only orders them among themselves. */
const FALLBACK = 1024
const FALLBACK_WEIGHT = 1e-9

const IN_RANGE = 'memories_fts MATCH ? AND rowid BETWEEN ? AND ?'
const COUNT = `SELECT count(*) AS n FROM memories_fts WHERE ${IN_RANGE}`

/** Memories that matched, before their entries are read. */
export interface FoundTerms {
  /** Places in the user's range, by the sum of the weights of the terms that are known to be there. */
  readonly tally: Tally
  /** The weight of each term, by index: its idf. */
  readonly weights: readonly number[]
  /** false when memories that hold only frequent terms may be missing. */
  readonly complete: boolean
}

interface TermList {
  readonly index: number
  readonly query: string
  /** Places, newest first; null when there are too many to have been read yet. */
  places: Int32Array | null
  /** How many memories hold the term; an estimate while `places` is null. */
  holding: number
}

/** Finds candidates, at least `enough` where that many match. */
export function findCandidates(
  connection: Connection,
  userNo: number,
  terms: readonly MemoryTerm[],
  totals: Totals,
  enough: number,
): FoundTerms {
  const source = { connection, userNo, revision: totals.revision }
  const lists = terms.map((term, index) => firstLook(source, index, expression(term), totals))
  const frequent: TermList[] = []
  let read = 0
  for (const list of lists.toSorted((a, b) => a.holding - b.holding)) {
    if (list.places === null && read + list.holding <= READ_AT_MOST) {
      const places = newestPlaces(source, list.query, READ_AT_MOST + 1)
      if (places.length <= READ_AT_MOST) list.places = places
      list.holding = Math.max(places.length, list.places === null ? list.holding : 0)
    }
    if (list.places === null) frequent.push(list)
    else read += list.holding
  }
  const weights = lists.map(({ holding }) => inverseFrequency(holding, totals.memories))
  const chosen = lists.flatMap(({ index, places }) => (places === null ? [] : [{ places, weight: weights[index]! }]))
  for (const query of read < enough ? fallbacks(frequent.map(({ query }) => query)) : []) {
    if (read >= enough) break
    const places = newestPlaces(source, query, FALLBACK)
    read += places.length
    chosen.push({ places, weight: FALLBACK_WEIGHT })
  }
  return { tally: new Tally(chosen), weights, complete: frequent.length === 0 }
}

/** A term as a string of FTS5's query language: nothing in it is an operator. */
export function expression({ term, prefix }: MemoryTerm): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? '*' : ''}`
}

function firstLook(source: ListSource, index: number, query: string, { memories }: Totals): TermList {
  const places = newestPlaces(source, query, SHORT + 1)
  if (places.length <= SHORT) return { index, query, places, holding: places.length }
  const { connection, userNo } = source
  const [first, last] = rowRange(userNo)
  if (memories <= SAMPLE) return { index, query, places: null, holding: count(connection, query, first, last) }
  const newest = connection.get('SELECT max(row) - ?1 AS place FROM memories WHERE row BETWEEN ?1 AND ?2', first, last)
  const start = first + BigInt(Math.max(0, number(newest!, 'place') - SAMPLE + 1))
  const share = count(connection, query, start, last) / SAMPLE
  return { index, query, places: null, holding: Math.max(places.length, Math.round(share * memories)) }
}

function count(connection: Connection, query: string, first: bigint, last: bigint): number {
  return number(connection.get(COUNT, query, first, last)!, 'n')
}

/** Pairs of the rarest terms first, then the rarest alone. */
function fallbacks(frequent: readonly string[]): readonly string[] {
  const paired = frequent.slice(0, PAIRED)
  const pairs = paired.flatMap((one, index) => paired.slice(index + 1).map((other) => `(${one} AND ${other})`))
  return [...(pairs.length === 0 ? [] : [pairs.join(' OR ')]), ...frequent]
}
