/**
 * Which words of a query can bring a turn back by themselves? Its own words without the filler that people put around
 * them, without the words that name a date, and what its words are called in the other language.
 */
import { isGenericTerm } from '../text/generic-words.ts'
import { expandTerms } from '../text/programming-terms.ts'
import { indexTerms, queryTerms } from '../text/tokens.ts'
import type { QueryAnalysis } from './query-analysis.ts'

/** The words of a query by what they may do. */
export interface ContentTerms {
  /** Make a hit. */
  readonly content: readonly string[]
  /** Make a hit, for a lower score: the same in the other language. */
  readonly expansions: readonly string[]
  /** Two or more neighbouring words as one ("process payment" → processpayment): most likely a symbol. */
  readonly joined: readonly string[]
  /** Only strengthen a hit. */
  readonly filler: readonly string[]
}

/** A pair of Han characters with one of these is seldom a word: it bridges a word and a particle (的缓 in 的缓存). */
const PARTICLES = /^(?:[的了吗呢吧啊嘛呀哦着]\p{Script=Han}|\p{Script=Han}[的了吗呢吧啊嘛呀哦着])$/u

/** Sorts the terms of a query; no term comes twice. */
export function contentTerms(analysis: QueryAnalysis): ContentTerms {
  const inDates = new Set(analysis.dates.flatMap(({ text }) => queryTerms(text)))
  const single = indexTerms(analysis.query)
  const isFiller = (term: string): boolean => isGenericTerm(term) || PARTICLES.test(term) || inDates.has(term)
  const content: string[] = []
  const joined: string[] = []
  const filler: string[] = []
  for (const term of analysis.terms) {
    if (isFiller(term)) filler.push(term)
    else if (single.has(term)) content.push(term)
    else joined.push(term)
  }
  const expansions = expandTerms(analysis.query).filter((term) => !isFiller(term) && !analysis.terms.includes(term))
  return { content, expansions, joined, filler }
}
