/**
 * Which words of a query can bring a turn back by themselves? Its own words without filler and dates, and their
 * translations into the other language.
 */

import { isGenericTerm } from '../language/generic-words.ts'
import { expandTerms } from '../language/programming-terms.ts'
import { indexTerms, queryTerms } from '../language/tokens.ts'
import type { QueryAnalysis } from './query-analysis.ts'

/** The words of a query by their use. */
export interface ContentTerms {
  /** Words that make a hit. */
  readonly content: readonly string[]
  /** Words that make a hit for a lower score: translations of the content words. */
  readonly expansions: readonly string[]
  /** Two or more neighbouring words as one ("process payment" → processpayment): most likely a symbol. */
  readonly joined: readonly string[]
  /** Words that only strengthen a hit. */
  readonly filler: readonly string[]
}

/** A pair of Han characters with one of these is seldom a word: it bridges a word and a particle (的缓 in 的缓存). */
const PARTICLES = /^(?:[的了吗呢吧啊嘛呀哦着]\p{Script=Han}|\p{Script=Han}[的了吗呢吧啊嘛呀哦着])$/u
const HAN_RUN = /\p{Script=Han}{3,}/gu

/** Sorts the terms of a query; no term comes twice. */
export function contentTerms(analysis: QueryAnalysis): ContentTerms {
  const inDates = new Set(analysis.dates.flatMap(({ text }) => queryTerms(text)))
  const single = indexTerms(analysis.query)
  const isFiller = (term: string): boolean => isGenericTerm(term) || PARTICLES.test(term) || inDates.has(term)
  const telling = analysis.terms.filter((term) => !isFiller(term))
  const bridges = bridgingPairs(analysis.query, isFiller)
  const standing = telling.filter((term) => !bridges.has(term))
  // A query of one longer word (代码库) consists of such pairs alone: then they are all there is.
  const makers = new Set(standing.length > 0 ? standing : telling)
  return {
    content: analysis.terms.filter((term) => makers.has(term) && single.has(term)),
    joined: analysis.terms.filter((term) => makers.has(term) && !single.has(term)),
    filler: analysis.terms.filter((term) => !makers.has(term)),
    expansions: expandTerms(analysis.query).filter((term) => !isFiller(term) && !single.has(term)),
  }
}

/** Pairs that share a character with a filler word beside them: 存实 in 缓存实现 is no word. */
function bridgingPairs(query: string, isFiller: (term: string) => boolean): ReadonlySet<string> {
  const bridges = new Set<string>()
  for (const [run] of query.matchAll(HAN_RUN)) {
    const characters = [...run]
    const pairs = characters.slice(1).map((character, index) => characters[index]! + character)
    pairs.forEach((pair, index) => {
      const neighbours = [pairs[index - 1], pairs[index + 1]]
      if (neighbours.some((one) => one !== undefined && isFiller(one) && !PARTICLES.test(one))) bridges.add(pair)
    })
  }
  return bridges
}
