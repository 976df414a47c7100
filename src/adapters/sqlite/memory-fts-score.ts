/**
 * How well does an index entry answer the terms? BM25 with the constants of SQLite's own bm25()
 * (https://www.sqlite.org/fts5.html#the_bm25_function), but over the memories of one user, and with an idf that is
 * above 0 for a term in most of them (Lucene's form): the smallest collections still rank.
 */
import type { MemoryTerm } from '../../contracts/memory-store.ts'
import { type Entry, type PackedEntries, packed } from './memory-fts-entries.ts'
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

/** Looks at packed entries by where they begin among the numbers. */
export interface PackedScorer {
  /** The score of an entry, 0 when it holds none of the terms. */
  scoreOf(begin: number): number
  /** Which of the terms it holds, by index. */
  matchedOf(begin: number): readonly number[]
}

/**
 * Scores packed entries, which know whole terms only: no term may be a prefix. The same scores as `scoreEntry`, without
 * an object for each. `held` says of each term, by index, whether any memory holds it.
 */
export function packedScorer(
  { numbers }: PackedEntries,
  { terms, weights }: WeightedTerms,
  held: readonly boolean[],
  totals: Totals,
): PackedScorer {
  // Ascending, as the terms of an entry are: both are walked through once.
  const asked = terms
    .flatMap(({ term }, index) => (held[index] === true ? [{ least: packed(term, 0), index }] : []))
    .sort((a, b) => a.least - b.least)
  const frequencies = new Uint8Array(terms.length)
  const count = (begin: number): void => {
    frequencies.fill(0)
    const end = begin + 2 + numbers[begin]!
    let at = begin + 2
    for (const { least, index } of asked) {
      while (at < end && numbers[at]! < least) at += 1
      // A term asked twice is found twice.
      if (at < end && numbers[at]! <= least + MAX_REPEATS) frequencies[index] = numbers[at]! - least
    }
  }
  return {
    scoreOf: (begin) => {
      count(begin)
      return scoreFrequencies(frequencies, numbers[begin + 1]!, weights, totals)
    },
    matchedOf: (begin) => {
      count(begin)
      return matchedIn(frequencies)
    },
  }
}

function scoreFrequencies(
  frequencies: ArrayLike<number>,
  length: number,
  weights: readonly number[],
  { averageLength }: Totals,
): number {
  const norm = K1 * (1 - B + (B * length) / averageLength)
  let score = 0
  for (let index = 0; index < frequencies.length; index += 1) {
    const frequency = Math.min(frequencies[index]!, MAX_REPEATS)
    if (frequency > 0) score += (weights[index]! * frequency * (K1 + 1)) / (frequency + norm)
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
