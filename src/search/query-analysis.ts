/**
 * Which words, code symbols, names and dates does this query ask for, and does it mean "lately"? All of it is found
 * without a model and without the index.
 */
import { type DateRange, findDates, speaksOfRecent } from '../language/dates.ts'
import { querySymbols } from '../language/symbols/symbols.ts'
import { queryTerms } from '../language/tokens.ts'

/** A query taken apart. */
export interface QueryAnalysis {
  readonly query: string
  /** Index terms of its words and of its joined neighbouring words, each once. */
  readonly terms: readonly string[]
  /** Code symbols it names, as written. */
  readonly symbols: readonly string[]
  /** The words in lower case, to look for names of speakers. */
  readonly words: readonly string[]
  /** Times that it names, those to come aside. */
  readonly dates: readonly DateRange[]
  /** Whether it asks for the latest talk ("continue", 继续). */
  readonly asksRecent: boolean
}

/** Most terms of one query that are looked up; a pasted page is searched by its first words. */
const MOST_TERMS = 256

/** Takes a query apart; its relative dates are counted from `now`, in milliseconds since the epoch. */
export async function analyzeQuery(query: string, now: number): Promise<QueryAnalysis> {
  // A day yet to come is none on which things were said: it is a word of the query.
  const dates = (await findDates(query, now)).filter(({ from }) => from <= now)
  return {
    query,
    terms: queryTerms(query).slice(0, MOST_TERMS),
    symbols: querySymbols(query),
    words: query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
    dates,
    asksRecent: speaksOfRecent(query),
  }
}
