/**
 * Which words, code symbols, names and dates does a query ask for, without a model? Which turns are worth a closer look
 * is the union of the arms: words, neighbours, time, recency, similarity and memories.
 */
import { placeIn } from '../domain/binary-search.ts'
import { DAY_MS, momentOfWall, type TimeZone, wallTime } from '../domain/clock.ts'
import { type PostingList, TURN_DELETED, type TurnView } from '../domain/contracts/text-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { type DateRange, findDates, speaksOfRecent } from '../language/dates.ts'
import { expandTerms } from '../language/programming-terms.ts'
import { querySymbols } from '../language/symbols/symbols.ts'
import { indexTerms, isGenericTerm, queryTerms, symbolTerm } from '../language/terms.ts'
import { type ScoreBoard, selectTop, type WeightedList } from './word-scores.ts'

/** The bounds of one recall. */
export interface Scope {
  readonly accepts: (ordinal: number) => boolean
  /** Counts the turns inside the bounds, matched or not. */
  readonly total: () => number
}

/** A question: what it asks for, its parts, and the turns among which it is answered. */
export interface Question {
  readonly request: RecallRequest
  readonly analysis: QueryAnalysis
  readonly scope: Scope
  /** The user's index at this moment. */
  readonly view: TurnView
}

/** Bounds of a request over a view; constant time unless the request narrows them. */
export function scopeOf(
  view: TurnView,
  request: Pick<RecallRequest, 'conversationId' | 'projectRoot' | 'since' | 'until'>,
): Scope {
  const { flags, conversation, createdAt } = view.columns
  const { conversationId, projectRoot, since, until } = request
  if (conversationId === null && projectRoot === null && since === null && until === null) {
    return { accepts: (ordinal) => (flags[ordinal]! & TURN_DELETED) === 0, total: () => view.live }
  }
  const from = since ?? -Infinity
  const to = until ?? Infinity
  const allowed = new Uint8Array(view.conversations.length)
  view.conversations.forEach((one, index) => {
    const named = conversationId === null || one.conversationId === conversationId
    if (named && (projectRoot === null || one.projectRoot === projectRoot)) allowed[index] = 1
  })
  const accepts = (ordinal: number): boolean =>
    allowed[conversation[ordinal]!] === 1 &&
    (flags[ordinal]! & TURN_DELETED) === 0 &&
    createdAt[ordinal]! >= from &&
    createdAt[ordinal]! <= to
  const total = (): number => {
    let count = 0
    for (let ordinal = 0; ordinal < view.size; ordinal++) if (accepts(ordinal)) count++
    return count
  }
  return { accepts, total }
}

/** People tell of a day in the days after it: the match halves every so often once the range is over. */
const TOLD_LATER_HALF_LIFE_MS = 3.5 * DAY_MS

/** 1 inside one of the ranges, less the longer after its end, 0 before it; the best over the ranges. */
export function dateMatch(createdAt: number, ranges: readonly DateRange[]): number {
  let best = 0
  for (const { from, to } of ranges) {
    if (createdAt < from) continue
    const match = createdAt <= to ? 1 : 0.5 ** ((createdAt - to) / TOLD_LATER_HALF_LIFE_MS)
    if (match > best) best = match
  }
  return best
}

export function isWithin(createdAt: number, ranges: readonly DateRange[]): boolean {
  return ranges.some(({ from, to }) => createdAt >= from && createdAt <= to)
}

/** Cosines with the query, the largest first: of turns by TurnColumns.row, or ordinal, and of memories by id. */
export type Similarity = ReadonlyMap<number | string, number>

/** The turns of these, nearest first. */
export function turnsOf(similarity: Similarity): readonly number[] {
  return [...similarity.keys()].filter((key) => typeof key === 'number')
}

/** Similarities by ordinal; turns outside the view are left out. */
export function similarityByOrdinal(similarity: Similarity, view: TurnView): Similarity {
  const found = new Map<number | string, number>()
  for (const [key, score] of similarity) {
    // Rows ascend with the ordinals: turns are numbered as they arrive.
    const at = typeof key === 'string' ? key : placeIn(view.columns.row, key, view.size)
    if (at !== -1) found.set(at, score)
  }
  return found
}

/** Bits that say which arms brought a candidate. */
export const ARM_TEXT = 1
export const ARM_SYMBOL = 2
export const ARM_TIME = 4
export const ARM_RECENCY = 8
export const ARM_NEIGHBOUR = 16
export const ARM_SIMILARITY = 32
export const ARM_MEMORY = 64

const ARM_NAMES = ['full-text', 'symbol', 'time', 'recency', 'neighbour', 'similarity', 'memory']

/** Names of the arms in a set of bits, as explanations spell them. */
export function armNames(bits: number): readonly string[] {
  return ARM_NAMES.filter((_, arm) => (bits & (1 << arm)) !== 0)
}

/** How far the neighbourhood of a turn reaches, in turns. */
export const NEIGHBOUR_REACH = 2

/** Ordinals in order of arrival, and by ordinal the arms that brought them, 0 for those that are no candidates. */
export interface Candidates {
  readonly ordinals: number[]
  readonly arms: Uint8Array
}

export function addCandidates(
  { ordinals, arms }: Candidates,
  brought: ArrayLike<number>,
  arm: number,
  accepts: (ordinal: number) => boolean,
): void {
  for (let i = 0; i < brought.length; i++) {
    const ordinal = brought[i]!
    if (arms[ordinal] === 0) {
      if (!accepts(ordinal)) continue
      ordinals.push(ordinal)
    }
    arms[ordinal]! |= arm
  }
}

/** Adds the turns up to NEIGHBOUR_REACH before and after each of these, in their conversations. */
export function addNeighbours(
  candidates: Candidates,
  sources: ArrayLike<number>,
  view: TurnView,
  accepts: (ordinal: number) => boolean,
): void {
  const { previous, next } = view.columns
  for (let i = 0; i < sources.length; i++) {
    addOneWay(candidates, sources[i]!, previous, view.size, accepts)
    addOneWay(candidates, sources[i]!, next, view.size, accepts)
  }
}

function addOneWay(
  { ordinals, arms }: Candidates,
  from: number,
  way: Int32Array,
  size: number,
  accepts: (ordinal: number) => boolean,
): void {
  let at = from
  for (let step = 0; step < NEIGHBOUR_REACH; step++) {
    at = way[at]!
    // The index may have grown since the view was taken.
    if (at < 0 || at >= size) return
    if (arms[at] !== 0 || !accepts(at)) continue
    ordinals.push(at)
    arms[at] = ARM_NEIGHBOUR
  }
}

export function sweepCandidates({ ordinals, arms }: Candidates): void {
  for (const ordinal of ordinals) arms[ordinal] = 0
}

/** The newest `limit` turns that are accepted, newest first, by walking back from the end of the index. */
export function newestTurns(size: number, limit: number, accepts: (ordinal: number) => boolean): readonly number[] {
  const found: number[] = []
  for (let ordinal = size - 1; ordinal >= 0 && found.length < limit; ordinal--) {
    if (accepts(ordinal)) found.push(ordinal)
  }
  return found
}

/** Turns of the times that a question names: the best by words, or the newest where no word matched and `orNewest`. */
export function turnsOfDates(
  { analysis: { dates }, scope, view }: Omit<Question, 'request'>,
  board: ScoreBoard,
  keep: number,
  orNewest = true,
): ArrayLike<number> {
  const { createdAt } = view.columns
  const said = (ordinal: number): boolean => isWithin(createdAt[ordinal]!, dates) && scope.accepts(ordinal)
  const matched = selectTop(board, keep, said)
  return matched.length > 0 || !orNewest ? matched : newestTurns(view.size, keep, said)
}

export interface QueryAnalysis {
  readonly query: string
  /** Index terms of its words and of its joined neighbouring words, each once. */
  readonly terms: readonly string[]
  /** Code symbols it names, as written. */
  readonly symbols: readonly string[]
  /** The words in lower case, to look for names of speakers. */
  readonly words: readonly string[]
  /** Times that it names, those to come aside, as moments in which something was said. */
  readonly dates: readonly DateRange[]
  /** Times that it names, as days of which memories speak. */
  readonly days: readonly DateRange[]
  /** Whether it asks for the latest talk ("continue", 继续). */
  readonly asksRecent: boolean
}

/** Most terms of one query that are looked up; a pasted page is searched by its first words. */
const MOST_TERMS = 256

/** Days of a zone as the moments of which they consist. */
export function momentsOf(days: readonly DateRange[], zone: TimeZone): readonly DateRange[] {
  if (zone === null) return days
  return days.map((one) => ({ ...one, from: momentOfWall(one.from, zone), to: momentOfWall(one.to, zone) }))
}

/** Takes a query apart; its relative dates are counted from `now`, in milliseconds since the epoch. */
export async function analyzeQuery(query: string, now: number, zone: TimeZone = null): Promise<QueryAnalysis> {
  const today = wallTime(now, zone)
  const days = await findDates(query, today)
  // A day yet to come is none on which things were said: it is a word of the query.
  const dates = momentsOf(
    days.filter(({ from }) => from <= today),
    zone,
  )
  return {
    query,
    terms: queryTerms(query).slice(0, MOST_TERMS),
    symbols: querySymbols(query),
    words: query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
    dates,
    days,
    asksRecent: speaksOfRecent(query),
  }
}

/** The words of a query by their use. */
interface ContentTerms {
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

export function contentTerms(analysis: QueryAnalysis): ContentTerms {
  const inDates = dateTerms(analysis)
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

function dateTerms({ dates }: QueryAnalysis): ReadonlySet<string> {
  return new Set(dates.flatMap(({ text }) => queryTerms(text)))
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

/** The worth of a translated word against the word itself. */
export const EXPANSION_WEIGHT = 0.3

/**
 * The worth of filler (怎么, 现在, "problem") where no telling word of the query occurs in any turn. Then translations are
 * all there is, and count in full.
 */
const LONE_GENERIC_WEIGHT = 0.3
/** The worth of the words of a date, beside the times that they name: a text may say them itself. */
const DATE_WEIGHT = 0.6

export async function queryLists(analysis: QueryAnalysis, view: TurnView): Promise<readonly WeightedList[]> {
  const inDates = dateTerms(analysis)
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

/** Borders between questions of one message. */
const BORDER =
  /([?？;；\n]+|,\s{0,40}(?:and\s{1,40})?(?:also\s{1,40})?(?=wh|how)|\band\s{1,40}(?:also\s{1,40})?(?=(?:(?:at|by|for|from|in|on|since|to|until|with)\s{1,40})?(?:what|when|where|who|whom|whose|which|why|how)\b)|[，,。]\s*|还有|另外|以及)/iu
const ASKS = /\b(?:what|when|where|who|whom|whose|which|why|how)\b|什么|谁|哪|几|多少|怎么|怎样|为何|吗|呢/iu
/** A part has at least so many characters, or it belongs to the one before. */
const SHORTEST = 4
/** The most parts of a question; more parts are a list. */
const MOST_PARTS = 4
/** A longer message tells more than it asks. */
const LONGEST = 1000
/** A question before all else that a message says. */
const ASKS_FIRST = /^[^.!。！?？\n]{1,200}[?？]/u

export function asksFirst(message: string): boolean {
  return ASKS_FIRST.test(message)
}

/** The parts of a message that asks for several things; none of one that asks for one. Of a long one its first question. */
export function questionParts(message: string): readonly string[] {
  if (message.length > LONGEST) return ASKS_FIRST.exec(message)?.slice(0, 1) ?? []
  const parts: string[] = []
  let part = ''
  // Borders come along, so that joined pieces read as before.
  const pieces = message.split(BORDER)
  for (let at = 0; at < pieces.length; at += 2) {
    part += pieces[at]!
    if (ASKS.test(pieces[at]!) && part.trim().length >= SHORTEST) {
      parts.push(part.trim())
      part = ''
    } else part += pieces[at + 1] ?? ''
  }
  const rest = part.trim()
  if (rest !== '' && parts.length > 0) parts.push(`${parts.pop()} ${rest}`)
  return parts.length < 2 || parts.length > MOST_PARTS ? [] : parts
}
