/**
 * How well does an index entry answer the terms? BM25 with the constants of SQLite's own bm25()
 * (https://www.sqlite.org/fts5.html#the_bm25_function), but over the memories of one user, and with an idf that is
 * above 0 for a term in most of them (Lucene's form): the smallest collections still rank.
 */
import type { MemoryTerm } from '../../contracts/memory-store.ts'
import type { Entry } from './memory-fts-entries.ts'
import { fillFrequencies, type Places } from './memory-fts-place-lists.ts'
import { MAX_REPEATS } from './memory-fts-terms.ts'

const K1 = 1.2
const B = 0.75

/** What BM25 needs to know of all memories of a user. */
export interface Totals {
  readonly memories: number
  /** All their terms, repeats counted. */
  readonly terms: number
  /** Raised by one with every change to what the index holds of one of them. */
  readonly revision: number
  /** Raised by every change to any column of them. */
  readonly stamp: number
  /** Mean number of terms; above 0. */
  readonly averageLength: number
}

/** The score of an entry, 0 when it holds none of the terms, and which of the terms it holds, by index. */
export interface EntryScore {
  readonly score: number
  readonly matched: readonly number[]
}

/** ln(1 + (N − n + ½) / (n + ½)) for a term that n of N memories hold; above 0. */
export function inverseFrequency(holding: number, memories: number): number {
  const n = Math.min(holding, memories)
  return Math.log(1 + (memories - n + 0.5) / (n + 0.5))
}

/** The terms of a search with their weights, ready to be counted in many entries. */
export interface WeightedTerms {
  readonly terms: readonly MemoryTerm[]
  readonly weights: readonly number[]
  /** The first place of each exact term. */
  readonly exact: ReadonlyMap<string, number>
  readonly prefixes: readonly number[]
}

/** Prepares terms; `weights` are their idf, by index. */
export function weightedTerms(terms: readonly MemoryTerm[], weights: readonly number[]): WeightedTerms {
  const exact = new Map<string, number>()
  const prefixes: number[] = []
  for (const [index, { term, prefix }] of terms.entries()) {
    if (prefix) prefixes.push(index)
    else if (!exact.has(term)) exact.set(term, index)
  }
  return { terms, weights, exact, prefixes }
}

/** The score of an entry that was read as words. */
export function scoreEntry({ words, length }: Entry, question: WeightedTerms, totals: Totals): EntryScore {
  const frequencies = countTerms(words, question)
  return { score: scoreFrequencies(frequencies, length, question.weights, totals), matched: matchedIn(frequencies) }
}

/** What is known of the memories of a user without reading any: for each term of a search its places, by index. */
export interface KnownPlaces {
  readonly places: readonly Places[]
  /** Number of terms of each memory, by place. */
  readonly lengths: ArrayLike<number>
}

/** A memory whose entry was scored. */
export interface Scored extends EntryScore {
  readonly place: number
}

/** Scored memories, best first; of equal ones the newer. Of many few are asked for, so none has an object. */
export interface ScoredPlaces {
  readonly length: number
  placeAt(rank: number): number
  scoreAt(rank: number): number
  /** Which of the terms it holds, by index. */
  matchedAt(rank: number): readonly number[]
}

/** A list that is in order. */
export function scoredList(scored: readonly Scored[]): ScoredPlaces {
  return {
    length: scored.length,
    placeAt: (rank) => scored[rank]!.place,
    scoreAt: (rank) => scored[rank]!.score,
    matchedAt: (rank) => scored[rank]!.matched,
  }
}

/** The best first, of equal ones the newer. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || b.place - a.place
}

/** Terms whose presence fits into one number. */
const MOST_SHARED = 48

/** Scores of memories whose entries are not read; the same as `scoreEntry` gives. */
export class KnownScores implements ScoredPlaces {
  readonly length: number
  /** Ascending. */
  readonly #places: Int32Array
  readonly #scores: Float64Array
  /** Of each place, how often it holds each of the terms that any memory holds. */
  readonly #frequencies: Uint8Array
  /** Which terms these are, by index. */
  readonly #held: readonly number[]
  /** Lists of terms, by which of the above they hold, as bits. */
  readonly #matched = new Map<number, readonly number[]>()
  /** Which place has which rank. */
  readonly #order: readonly number[]

  constructor(places: readonly number[], known: KnownPlaces, weights: readonly number[], totals: Totals) {
    this.length = places.length
    this.#places = new Int32Array(places).sort()
    this.#held = known.places.flatMap((list, index) => (list.length === 0 ? [] : [index]))
    const { length: count } = this.#held
    this.#frequencies = new Uint8Array(places.length * count)
    for (let column = 0; column < count; column += 1)
      fillFrequencies(known.places[this.#held[column]!]!, this.#places, this.#frequencies, column, count)
    const scores = new Float64Array(places.length)
    const order: number[] = []
    for (let at = 0; at < places.length; at += 1) {
      const norm = normOf(known.lengths[this.#places[at]!] ?? 0, totals)
      let score = 0
      for (let column = 0; column < count; column += 1) {
        const frequency = this.#frequencies[at * count + column]!
        if (frequency > 0) score += scoreOf(frequency, weights[this.#held[column]!]!, norm)
      }
      scores[at] = score
      order.push(at)
    }
    this.#scores = scores
    // A whole number as the answer: a fraction would be an object each time.
    this.#order = order.sort((a, b) => (scores[b]! > scores[a]! ? 1 : scores[b]! < scores[a]! ? -1 : b - a))
  }

  placeAt(rank: number): number {
    return this.#places[this.#order[rank]!]!
  }

  scoreAt(rank: number): number {
    return this.#scores[this.#order[rank]!]!
  }

  matchedAt(rank: number): readonly number[] {
    const begin = this.#order[rank]! * this.#held.length
    // Many hold the same terms: they share a list.
    let pattern = 0
    for (let column = 0; column < this.#held.length; column += 1)
      if (this.#frequencies[begin + column]! > 0) pattern += 2 ** column
    const known = this.#held.length > MOST_SHARED ? undefined : this.#matched.get(pattern)
    if (known !== undefined) return known
    const matched = this.#held.filter((_, column) => this.#frequencies[begin + column]! > 0)
    this.#matched.set(pattern, matched)
    return matched
  }
}

function normOf(length: number, { averageLength }: Totals): number {
  return K1 * (1 - B + (B * length) / averageLength)
}

/** What a term adds that occurs so often. */
function scoreOf(frequency: number, weight: number, norm: number): number {
  return (weight * frequency * (K1 + 1)) / (frequency + norm)
}

function scoreFrequencies(
  frequencies: ArrayLike<number>,
  length: number,
  weights: readonly number[],
  totals: Totals,
): number {
  const norm = normOf(length, totals)
  let score = 0
  for (let index = 0; index < frequencies.length; index += 1) {
    const frequency = Math.min(frequencies[index]!, MAX_REPEATS)
    if (frequency > 0) score += scoreOf(frequency, weights[index]!, norm)
  }
  return score
}

function matchedIn(frequencies: ArrayLike<number>): readonly number[] {
  const matched: number[] = []
  for (let index = 0; index < frequencies.length; index += 1) if (frequencies[index]! > 0) matched.push(index)
  return matched
}

/** How often each term occurs among the words; a prefix counts every word that begins with it. */
function countTerms(words: readonly string[], { terms, exact, prefixes }: WeightedTerms): Uint32Array {
  const frequencies = new Uint32Array(terms.length)
  for (const word of words) {
    const index = exact.get(word)
    if (index !== undefined) frequencies[index]! += 1
  }
  for (const index of prefixes)
    frequencies[index] = words.reduce((sum, word) => sum + (word.startsWith(terms[index]!.term) ? 1 : 0), 0)
  // A term asked twice is found twice.
  for (const [index, { term, prefix }] of terms.entries())
    if (!prefix) frequencies[index] = frequencies[exact.get(term)!]!
  return frequencies
}
