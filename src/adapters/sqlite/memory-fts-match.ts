/**
 * Which memories match best? Candidates from the full-text index, then BM25 from their entries, then the records, until
 * as many as asked for pass the filter. When few pass, all matching memories are looked through.
 */
import type { MemoryFilter, MemoryMatch, MemoryTerm } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import { expression, findCandidates, placesFor } from './memory-fts-candidates.ts'
import { entryWords, readEntries } from './memory-fts-entries.ts'
import type { ListSource } from './memory-fts-lists.ts'
import {
  byScore,
  inverseFrequency,
  KnownScores,
  type Scored,
  type ScoredPlaces,
  scoredList,
  scoreEntry,
  type Totals,
  type WeightedTerms,
  weightedTerms,
} from './memory-fts-score.ts'
import type { Tally } from './memory-fts-tally.ts'
import { memoriesAt, type RecordSource } from './memory-records.ts'
import { type Condition, filterCondition, passes } from './memory-store-filter.ts'
import { rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'

const TOTALS = 'SELECT memories, terms, revision, indexed, writes FROM memory_totals WHERE user_no = ?'

/** Entries that are scored for each result asked for. */
const ENTRIES_A_RESULT = 2
/** Entries that are kept besides the best while all are looked through. */
const KEPT_BESIDES = 40
/** How many times more are looked at when the filter rejected too many. */
const WIDER = 4

/** Best matches first; ties by age, the newest first. */
export function matchEntries(
  connection: Connection,
  userNo: number,
  terms: readonly MemoryTerm[],
  filter: MemoryFilter,
  now: number,
  limit: number,
): readonly MemoryMatch[] {
  const totals = readTotals(connection, userNo)
  if (totals.memories === 0 || terms.length === 0 || limit <= 0) return []
  const enough = limit * ENTRIES_A_RESULT
  const source = { connection, userNo, revision: totals.revision, stamp: totals.stamp }
  const { tally, weights, complete, known } = findCandidates(connection, userNo, terms, totals, enough)
  const wanted = placesFor(enough, complete)
  const score = (places: readonly number[]): ScoredPlaces =>
    known === null
      ? scoreEntries(source, places, weightedTerms(terms, weights), totals)
      : new KnownScores(places, known, weights, totals)
  const passing = (memory: Memory): boolean => passes(memory, filter, now)
  const matches: MemoryMatch[] = []
  for (let from = 0, to = wanted; from < tally.size && matches.length < limit; from = to, to *= WIDER) {
    const scored = scoredOnce(tally, from, to, score)
    addMatches(source, scored, passing, limit, matches)
  }
  if (matches.length < limit && !complete) return sweep(source, terms, filterCondition(filter, now), totals, limit)
  return matches
}

/** The best of a tally between two ranks, scored. */
function scoredOnce(
  tally: Tally,
  from: number,
  to: number,
  score: (places: readonly number[]) => ScoredPlaces,
): ScoredPlaces {
  // All of them are the same few, however many are wanted.
  const end = Math.min(to, tally.size)
  if (lastScored?.tally === tally && lastScored.from === from && lastScored.end === end) return lastScored.scored
  const scored = score(placesBetween(tally, from, to))
  lastScored = { tally, from, end, scored }
  return scored
}

function placesBetween(tally: Tally, from: number, to: number): readonly number[] {
  if (from === 0) return tally.best(to)
  const before = new Set(tally.best(from))
  return tally.best(to).filter((place) => !before.has(place))
}

/** A search may ask twice, with another filter. */
let lastScored: { tally: Tally; from: number; end: number; scored: ScoredPlaces } | null = null

function readTotals(connection: Connection, userNo: number): Totals {
  const row = connection.get(TOTALS, userNo)
  if (row === undefined) return { memories: 0, terms: 0, revision: 0, stamp: 0, averageLength: 1 }
  const memories = number(row, 'memories')
  const terms = number(row, 'terms')
  return {
    memories,
    terms,
    revision: number(row, 'indexed'),
    // Both only grow.
    stamp: number(row, 'revision') + number(row, 'writes'),
    averageLength: Math.max(1, terms / Math.max(1, memories)),
  }
}

function scoreEntries(
  source: ListSource,
  places: readonly number[],
  terms: WeightedTerms,
  totals: Totals,
): ScoredPlaces {
  const scored: Scored[] = []
  for (const [place, entry] of readEntries(source, places)) scored.push({ place, ...scoreEntry(entry, terms, totals) })
  return scoredList(scored.sort(byScore))
}

/** Adds the records of these that pass, in order, up to the limit. */
function addMatches(
  source: RecordSource,
  scored: ScoredPlaces,
  passing: (memory: Memory) => boolean,
  limit: number,
  matches: MemoryMatch[],
): void {
  for (let from = 0; from < scored.length && matches.length < limit; ) {
    const places: number[] = []
    const to = Math.min(scored.length, from + limit - matches.length)
    for (let rank = from; rank < to; rank += 1) places.push(scored.placeAt(rank))
    const memories = memoriesAt(source, places)
    for (let rank = from; rank < to; rank += 1) {
      const memory = memories[rank - from]
      if (memory !== undefined && passing(memory))
        matches.push({ memory, bm25: scored.scoreAt(rank), matchedTerms: scored.matchedAt(rank) })
    }
    from = to
  }
}

/** Looks through all memories that match and pass the condition: for the rare case that the short way found too few. */
function sweep(
  source: RecordSource,
  terms: readonly MemoryTerm[],
  condition: Condition,
  totals: Totals,
  limit: number,
): readonly MemoryMatch[] {
  const { connection, userNo } = source
  const [first, last] = rowRange(userNo)
  const passing = `FROM memories_fts f CROSS JOIN memories m ON m.row = f.rowid
    WHERE memories_fts MATCH ? AND f.rowid BETWEEN ? AND ? ${condition.sql}`
  const weights = terms.map((term) => {
    const row = connection.get(
      'SELECT count(*) AS n FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ?',
      expression(term),
      first,
      last,
    )
    return inverseFrequency(row === undefined ? 0 : number(row, 'n'), totals.memories)
  })
  const weighted = weightedTerms(terms, weights)
  const best: Scored[] = []
  const rows = connection
    .statement(`SELECT f.rowid - ? AS place, f.terms, m.term_count ${passing}`)
    .iterate(first, terms.map(expression).join(' OR '), first, last, ...condition.values)
  for (const row of rows) {
    const entry = { words: entryWords(text(row, 'terms')), length: number(row, 'term_count') }
    best.push({ place: number(row, 'place'), ...scoreEntry(entry, weighted, totals) })
    if (best.length >= 4 * limit + KEPT_BESIDES) keepBest(best, limit)
  }
  keepBest(best, limit)
  const matches: MemoryMatch[] = []
  addMatches(source, scoredList(best), () => true, limit, matches)
  return matches
}

function keepBest(scored: Scored[], limit: number): void {
  scored.sort(byScore)
  if (scored.length > limit) scored.length = limit
}
