/** Which posting lists does a query touch? Its words, its symbols, the joins that may exist, and translations. */
import type { PostingList, TurnView } from '../domain/contracts/turn-index.ts'
import { isGenericTerm } from '../language/generic-words.ts'
import { expandTerms } from '../language/programming-terms.ts'
import { queryTerms, symbolTerm } from '../language/tokens.ts'
import type { WeightedList } from './accumulate.ts'
import { joinedTerms, likelyJoins } from './joined-words.ts'
import type { QueryAnalysis } from './query-analysis.ts'

/** The worth of a translated word against the word itself. */
export const EXPANSION_WEIGHT = 0.3

/**
 * The worth of filler (怎么, 现在, "problem") where no telling word of the query occurs in any turn. Then translations are
 * all there is, and count in full.
 */
const LONE_GENERIC_WEIGHT = 0.3

/** The lists of a query with their weights. */
export async function queryLists(analysis: QueryAnalysis, view: TurnView): Promise<readonly WeightedList[]> {
  const joined = joinedTerms(analysis.query, analysis.terms)
  const longer = joined.filter(({ words }) => words > 2)
  const isLonger = new Set(longer.map(({ term }) => term))
  const inDates = new Set(analysis.dates.flatMap(({ text }) => queryTerms(text)))
  const terms = analysis.terms.filter((term) => !isLonger.has(term) && !inDates.has(term))
  const own = [...terms, ...analysis.symbols.map(symbolTerm)]
  const expansions = expandTerms(analysis.query)
  const lists = await view.postings([...own, ...expansions])
  const isTelling = ({ term, documents }: PostingList): boolean => documents.length > 0 && !isGenericTerm(term)
  const lone = !lists.slice(0, own.length).some(isTelling)
  const weighted: WeightedList[] = lists.map((list, index) => {
    if (index >= own.length) return { list, weight: lone ? 1 : EXPANSION_WEIGHT }
    return { list, weight: lone && isGenericTerm(list.term) ? LONE_GENERIC_WEIGHT : 1 }
  })
  const byTerm = new Map<string, PostingList>(lists.map((list) => [list.term, list]))
  const joins = likelyJoins(longer, byTerm, view.columns.flags)
  if (joins.length > 0) for (const list of await view.postings(joins)) weighted.push({ list, weight: 1 })
  return weighted
}
