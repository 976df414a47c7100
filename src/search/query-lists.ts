/** Which posting lists does a query touch? Its words, their joins ("process payment" for processPayment), symbols, and translations. */
import type { PostingList, TurnView } from '../domain/contracts/turn-index.ts'
import { isGenericTerm } from '../language/generic-words.ts'
import { expandTerms } from '../language/programming-terms.ts'
import { queryTerms, symbolTerm } from '../language/tokens.ts'
import type { WeightedList } from './accumulate.ts'
import type { QueryAnalysis } from './query-analysis.ts'

/** The worth of a translated word against the word itself. */
export const EXPANSION_WEIGHT = 0.3

/**
 * The worth of filler (怎么, 现在, "problem") where no telling word of the query occurs in any turn. Then translations are
 * all there is, and count in full.
 */
const LONE_GENERIC_WEIGHT = 0.3
/** The worth of the words of a date, beside the times that they name: a text may say them itself. */
const DATE_WEIGHT = 0.6

/** The lists of a query with their weights. */
export async function queryLists(analysis: QueryAnalysis, view: TurnView): Promise<readonly WeightedList[]> {
  const inDates = new Set(analysis.dates.flatMap(({ text }) => queryTerms(text)))
  const own = [...analysis.terms, ...analysis.symbols.map(symbolTerm)]
  const expansions = expandTerms(analysis.query)
  const lists = await view.postings([...own, ...expansions])
  const isTelling = ({ term, documents }: PostingList): boolean =>
    documents.length > 0 && !inDates.has(term) && !isGenericTerm(term)
  const lone = !lists.slice(0, own.length).some(isTelling)
  return lists.map((list, index) => {
    if (index >= own.length) return { list, weight: lone ? 1 : EXPANSION_WEIGHT }
    if (inDates.has(list.term)) return { list, weight: DATE_WEIGHT }
    return { list, weight: lone && isGenericTerm(list.term) ? LONE_GENERIC_WEIGHT : 1 }
  })
}
