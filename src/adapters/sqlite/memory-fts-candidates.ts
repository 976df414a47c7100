/**
 * Which memories hold at least one of these terms? The lists of terms are read whole, rarest first, as long as they are
 * short enough together; a more frequent term only adds to the score of what the others found. So a search costs about
 * the same however many memories there are. Where rare terms find too few, the newest memories that hold two frequent
 * ones follow.
 */
import type { MemoryTerm } from '../../contracts/memory-store.ts'
import type { Connection } from './connection.ts'
import { keptCount, type ListSource, newestPlaces } from './memory-fts-lists.ts'
import { FREQUENCY_BITS, type Places, placeIn } from './memory-fts-place-lists.ts'
import { type Postings, postingsOf } from './memory-fts-postings.ts'
import { inverseFrequency, type KnownPlaces, type Totals } from './memory-fts-score.ts'
import { Tally } from './memory-fts-tally.ts'
import { newestPlace, rowRange } from './memory-store-range.ts'
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
  /** Where all that a score needs is in memory; null: entries have to be read. */
  readonly known: KnownPlaces | null
}

/** Entries that are scored at least: more when the sums behind the choice lack terms. */
const FEWEST = 40
const FEWEST_OF_INCOMPLETE = 96

/** How many of the best places are worth a score where this many are enough. */
export function placesFor(enough: number, complete: boolean): number {
  return Math.max(complete ? FEWEST : FEWEST_OF_INCOMPLETE, enough)
}

interface TermList {
  readonly index: number
  readonly query: string
  /** Places; null when there are too many to have been looked through yet. */
  places: ArrayLike<number> | null
  /** Places that are known without being read, however many; null where FTS5 has to be asked. */
  readonly known: Places | null
  /** How many memories hold the term; an estimate while `places` is null. */
  holding: number
}

interface FoundBefore {
  readonly terms: readonly MemoryTerm[]
  readonly userNo: number
  readonly revision: number
  readonly enough: number
  readonly found: FoundTerms
}

/** What was found last: a search may ask twice with the same list of terms, and another filter. */
const foundLast = new WeakMap<Connection, FoundBefore>()

/** Finds candidates, at least `enough` where that many match. */
export function findCandidates(
  connection: Connection,
  userNo: number,
  terms: readonly MemoryTerm[],
  totals: Totals,
  enough: number,
): FoundTerms {
  const { revision } = totals
  const last = foundLast.get(connection)
  const isSame = last?.terms === terms && last.userNo === userNo && last.revision === revision
  if (isSame && last.enough >= enough) return last.found
  const { found, fellBack } = findAnew({ connection, userNo, revision }, terms, totals, enough)
  // Whether frequent terms stand in for rare ones depends on how much is enough.
  if (!fellBack) foundLast.set(connection, { terms, userNo, revision, enough, found })
  return found
}

function findAnew(
  source: ListSource,
  terms: readonly MemoryTerm[],
  totals: Totals,
  enough: number,
): { found: FoundTerms; fellBack: boolean } {
  const postings = postingsOf(source, totals.terms)
  const lists = terms.map((term, index) => {
    const known = term.prefix || postings === null ? null : postings.placesOf(term.term)
    return known === null || postings === null
      ? firstLook(source, index, expression(term), totals)
      : knownList(postings, index, known, totals)
  })
  const frequent: TermList[] = []
  let read = 0
  for (const list of lists.toSorted((a, b) => a.holding - b.holding)) {
    if (list.places === null && read + list.holding <= READ_AT_MOST) {
      const places = list.known ?? newestPlaces(source, list.query, READ_AT_MOST + 1)
      if (places.length <= READ_AT_MOST) list.places = places
      list.holding = Math.max(Math.min(places.length, READ_AT_MOST + 1), list.places === null ? list.holding : 0)
    }
    if (list.places === null) frequent.push(list)
    else read += list.holding
  }
  const weights = lists.map(({ holding }) => inverseFrequency(holding, totals.memories))
  const chosen = lists.flatMap(({ index, places, known }) =>
    places === null ? [] : [{ places, shift: places === known ? FREQUENCY_BITS : 0, weight: weights[index]! }],
  )
  const fellBack = read < enough && frequent.length > 0
  for (const query of fellBack ? fallbacks(frequent.map(({ index }) => expression(terms[index]!))) : []) {
    if (read >= enough) break
    const places = newestPlaces(source, query, FALLBACK)
    read += places.length
    chosen.push({ places, shift: 0, weight: FALLBACK_WEIGHT })
  }
  const known = postings === null ? null : knownPlaces(lists, postings)
  const complete = frequent.length === 0
  return { found: { tally: new Tally(chosen, placesFor(enough, complete)), weights, complete, known }, fellBack }
}

function knownPlaces(lists: readonly TermList[], { lengths }: Postings): KnownPlaces | null {
  const places: Places[] = []
  for (const { known } of lists) {
    if (known === null) return null
    places.push(known)
  }
  return { places, lengths }
}

/** A term as a string of FTS5's query language: nothing in it is an operator. */
export function expression({ term, prefix }: MemoryTerm): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? '*' : ''}`
}

function firstLook(source: ListSource, index: number, query: string, { memories }: Totals): TermList {
  const places = newestPlaces(source, query, SHORT + 1)
  const list = { index, query, known: null }
  if (places.length <= SHORT) return { ...list, places, holding: places.length }
  const { connection, userNo } = source
  const [first, last] = rowRange(userNo)
  const holding = keptCount(source, query, () => {
    if (memories <= SAMPLE) return count(connection, query, first, last)
    const start = first + BigInt(Math.max(0, newestPlace(connection, userNo) - SAMPLE + 1))
    return estimate(count(connection, query, start, last), memories)
  })
  return { ...list, places: null, holding }
}

/** The same for a list that is in memory. */
function knownList({ newest }: Postings, index: number, known: Places, { memories }: Totals): TermList {
  const list = { index, query: '', known }
  if (known.length <= SHORT) return { ...list, places: known, holding: known.length }
  if (memories <= SAMPLE) return { ...list, places: null, holding: known.length }
  const oldest = Math.max(0, newest - SAMPLE + 1)
  let at = known.length
  while (at > 0 && placeIn(known[at - 1]!) >= oldest) at -= 1
  return { ...list, places: null, holding: estimate(known.length - at, memories) }
}

/** How many of all memories hold a term of which this many of the newest do; more than SHORT do. */
function estimate(held: number, memories: number): number {
  return Math.max(SHORT + 1, Math.round((held / SAMPLE) * memories))
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
