/**
 * Which turns answer by specification 003, and which of them count as hits at all? Filler words never make a hit, and
 * when the query names symbols that the index knows, only turns that speak of those symbols are hits.
 */
import { type PostingList, TURN_HAS_SYMBOLS, type TurnView } from '../domain/contracts/text-index.ts'
import { expandTerms } from '../language/programming-terms.ts'
import { indexTerms, isSymbolTerm, symbolTerm, wordTerms } from '../language/terms.ts'
import {
  ARM_RECENCY,
  ARM_SYMBOL,
  ARM_TEXT,
  ARM_TIME,
  contentTerms,
  dateMatch,
  EXPANSION_WEIGHT,
  newestTurns,
  type Question,
  turnsOfDates,
} from './candidates.ts'
import {
  type ConversationFeatures,
  contextSimilarity,
  conversationFeatures,
  recencyScore,
  sumOf,
} from './ranking-formulas.ts'
import {
  accumulate,
  acquireBoard,
  coverageOf,
  matchedTerms,
  releaseBoard,
  type ScoreBoard,
  type ScoredList,
  scoredLists,
  selectTop,
  strengthenFound,
} from './word-scores.ts'

/** The match of a turn whose symbols hold the name itself, in any case. */
const EXACT_NAME = 1
/** The name stands in the turn in one piece, but is not one of its symbols. */
const SAME_WORD = 0.8
/** All parts of the name stand in a turn that mentions symbols. */
const SAME_PARTS = 0.5
/** This share of an exact match depends on how much the turn is about the symbol (symbol_index.relevance). */
const RELEVANCE_SHARE = 0.2

/** How well turns match the symbols of a query: ordinal → 0 to 1. Empty when the index knows none of them. */
type SymbolMatches = ReadonlyMap<number, number>

/** Plain words of a query that are looked up as symbols, at most. */
const MOST_WORDS = 32
/** A plain word is a symbol where at least this share of the turns that say it mention it as one. */
const SYMBOL_SHARE = 0.5

/** The words of a query that may name a symbol though nothing in their spelling tells. */
function plainNames(query: string, content: readonly string[]): readonly string[] {
  const words = new Set(query.match(/[A-Za-z_$][\w$]{1,99}/g))
  return [...words].slice(0, MOST_WORDS).filter((word) => wordTerms(word).some((term) => content.includes(term)))
}

/** Looks the symbols up; a turn's match is the mean over the symbols that the index knows. */
async function matchSymbols(symbols: readonly string[], view: TurnView, plain = false): Promise<SymbolMatches> {
  const known: ReadonlyMap<number, number>[] = []
  for (const symbol of new Set(symbols.map((name) => name.toLowerCase()))) {
    const written = symbols.find((name) => name.toLowerCase() === symbol)!
    const found = await matchSymbol(written, view, plain)
    if (found.size > 0) known.push(found)
  }
  const matches = new Map<number, number>()
  for (const found of known) {
    for (const [ordinal, match] of found) matches.set(ordinal, (matches.get(ordinal) ?? 0) + match / known.length)
  }
  return matches
}

async function matchSymbol(symbol: string, view: TurnView, plain: boolean): Promise<ReadonlyMap<number, number>> {
  const terms = [...indexTerms(symbol).keys()].filter((term) => !isSymbolTerm(term))
  // The longest of its terms is the name in one piece; the others are its parts.
  const whole = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '')
  const parts = terms.filter((term) => term !== whole)
  const lists = await view.postings([symbolTerm(symbol), whole, ...parts])
  const [exact, piece, ...rest] = lists as [PostingList, PostingList, ...PostingList[]]
  const matches = new Map<number, number>()
  if (plain && exact.documents.length < Math.max(1, piece.documents.length * SYMBOL_SHARE)) return matches
  if (plain || parts.length > 0) for (const ordinal of piece.documents) matches.set(ordinal, SAME_WORD)
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

export interface ConversationHit {
  readonly ordinal: number
  readonly relevance: number
  readonly features: ConversationFeatures
  /** Arms that brought it, as bits. */
  readonly arms: number
  /** Terms of the query found in it; empty unless an explanation is wanted. */
  readonly matched: readonly string[]
}

/** Hits looked at, at least; ten times the limit when that is more. */
const HITS = 500
/** A hit by words has at least this share of the best hit's score: one chance pair of characters is no hit. */
const WEAKEST_HIT = 0.2

export async function rankConversation(question: Question): Promise<readonly ConversationHit[]> {
  const { request, analysis, view } = question
  const { content, joined, filler, ...terms } = contentTerms(analysis)
  const spelled = await matchSymbols(analysis.symbols, view)
  const symbols =
    spelled.size > 0 ? spelled : await matchSymbols(plainNames(analysis.query, [...content, ...joined]), view, true)
  // The parts of a name that nobody mentioned (process, payment) say nothing by themselves.
  const unknown = symbols.size > 0 ? [] : analysis.symbols
  const parts = new Set(unknown.flatMap((name) => [...indexTerms(name).keys(), ...expandTerms(name)]))
  const own = [...content, ...joined].filter((term) => !parts.has(term))
  const expansions = terms.expansions.filter((term) => !parts.has(term))
  const lists = await view.postings([...own, ...expansions, ...filler])
  const weighted = lists.map((list, index) => ({
    list,
    weight: index >= own.length && index < own.length + expansions.length ? EXPANSION_WEIGHT : 1,
  }))
  const finders = scoredLists(weighted.slice(0, own.length + expansions.length), view.live)
  const fillers = scoredLists(weighted.slice(own.length + expansions.length), view.live)
  const board = acquireBoard(view.size)
  try {
    accumulate(board, finders, view, Math.max(HITS, request.limit * 10))
    const found = findHits(question, board, symbols, own.length + expansions.length > 0)
    strengthenFound(board, fillers, view, finders.length)
    return score(found, question, board, symbols, [...finders, ...fillers])
  } finally {
    releaseBoard(board)
  }
}

function findHits(
  question: Question,
  board: ScoreBoard,
  symbols: SymbolMatches,
  hasContent: boolean,
): ReadonlyMap<number, number> {
  const { request, analysis, scope, view } = question
  const keep = Math.max(HITS, request.limit * 10)
  const hits = new Map<number, number>()
  if (symbols.size > 0) {
    for (const ordinal of symbols.keys()) {
      if (ordinal < view.size && scope.accepts(ordinal)) hits.set(ordinal, ARM_SYMBOL)
    }
    return hits
  }
  const top = selectTop(board, keep, scope.accepts)
  const weakest = top.length === 0 ? 0 : WEAKEST_HIT * board.scores[top[0]!]!
  for (const ordinal of top) if (board.scores[ordinal]! >= weakest) hits.set(ordinal, ARM_TEXT)
  // A word of the query, however common, makes a turn of a named time a hit.
  if (analysis.dates.length > 0)
    for (const ordinal of Array.from(turnsOfDates(question, board, keep, hits.size === 0)))
      hits.set(ordinal, (hits.get(ordinal) ?? 0) | ARM_TIME)
  else if (analysis.asksRecent && !hasContent) {
    for (const ordinal of newestTurns(view.size, request.limit, scope.accepts)) hits.set(ordinal, ARM_RECENCY)
  }
  return hits
}

function score(
  found: ReadonlyMap<number, number>,
  { request, analysis, view }: Question,
  board: ScoreBoard,
  symbols: SymbolMatches,
  lists: readonly ScoredList[],
): readonly ConversationHit[] {
  const { createdAt } = view.columns
  const coverage = coverageOf(lists)
  let best = 0
  for (const ordinal of found.keys()) best = Math.max(best, board.scores[ordinal]!)
  const hits: ConversationHit[] = []
  for (const [ordinal, arms] of found) {
    const time = createdAt[ordinal]!
    const features: ConversationFeatures = {
      symbolMatch: symbols.get(ordinal) ?? 0,
      recency: recencyScore(time, request.now),
      contextSimilarity: contextSimilarity(
        best === 0 ? 0 : board.scores[ordinal]! / best,
        coverage(board.masks[ordinal]!),
        analysis.dates.length === 0 ? null : dateMatch(time, analysis.dates),
      ),
    }
    hits.push({
      ordinal,
      relevance: sumOf(conversationFeatures(features)),
      features,
      arms: board.scores[ordinal]! > 0 ? arms | ARM_TEXT : arms,
      matched: request.explain ? matchedTerms(board.masks[ordinal]!, lists) : [],
    })
  }
  hits.sort((a, b) => b.relevance - a.relevance || b.ordinal - a.ordinal)
  return hits
}
