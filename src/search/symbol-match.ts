/**
 * Which turns speak of the code symbols that a query names, and how surely? The exact name first; the same name inside
 * another (`orders.processPayment`, "process payment"); and, when nothing else is known, all of its parts together.
 */
import type { PostingList, TurnView } from '../domain/contracts/turn-index.ts'
import { TURN_HAS_SYMBOLS } from '../domain/contracts/turn-index.ts'
import { indexTerms, isSymbolTerm, symbolTerm } from '../language/tokens.ts'

/** The match of a turn whose symbols hold the name itself, in any case. */
const EXACT_NAME = 1
/** The name stands in the turn in one piece, but is not one of its symbols. */
const SAME_WORD = 0.8
/** All parts of the name stand in a turn that mentions symbols. */
const SAME_PARTS = 0.5
/** This share of an exact match depends on how much the turn is about the symbol (symbol_index.relevance). */
const RELEVANCE_SHARE = 0.2

/** How well turns match the symbols of a query: ordinal → 0 to 1. Empty when the index knows none of them. */
export type SymbolMatches = ReadonlyMap<number, number>

/** Looks the symbols up; a turn's match is the mean over the symbols that the index knows. */
export async function matchSymbols(symbols: readonly string[], view: TurnView): Promise<SymbolMatches> {
  const known: ReadonlyMap<number, number>[] = []
  for (const symbol of new Set(symbols.map((name) => name.toLowerCase()))) {
    const written = symbols.find((name) => name.toLowerCase() === symbol)!
    const found = await matchSymbol(written, view)
    if (found.size > 0) known.push(found)
  }
  const matches = new Map<number, number>()
  for (const found of known) {
    for (const [ordinal, match] of found) matches.set(ordinal, (matches.get(ordinal) ?? 0) + match / known.length)
  }
  return matches
}

async function matchSymbol(symbol: string, view: TurnView): Promise<ReadonlyMap<number, number>> {
  const terms = [...indexTerms(symbol).keys()].filter((term) => !isSymbolTerm(term))
  // The longest of its terms is the name in one piece; the others are its parts.
  const whole = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '')
  const parts = terms.filter((term) => term !== whole)
  const lists = await view.postings([symbolTerm(symbol), whole, ...parts])
  const [exact, piece, ...rest] = lists as [PostingList, PostingList, ...PostingList[]]
  const matches = new Map<number, number>()
  if (parts.length > 0) for (const ordinal of piece.documents) matches.set(ordinal, SAME_WORD)
  for (let i = 0; i < exact.documents.length; i++) {
    const relevance = exact.frequencies[i]! / 255
    matches.set(exact.documents[i]!, EXACT_NAME - RELEVANCE_SHARE * (1 - relevance))
  }
  if (matches.size === 0 && rest.length > 1) addParts(matches, rest, view)
  return matches
}

function addParts(matches: Map<number, number>, parts: readonly PostingList[], view: TurnView): void {
  const [rarest, ...others] = [...parts].sort((a, b) => a.documents.length - b.documents.length)
  const sets = others.map(({ documents }) => new Set(documents))
  for (const ordinal of rarest!.documents) {
    const mentions = (view.columns.flags[ordinal]! & TURN_HAS_SYMBOLS) !== 0
    if (mentions && sets.every((set) => set.has(ordinal))) matches.set(ordinal, SAME_PARTS)
  }
}
