/** Which texts hold the words of a query, how strongly (BM25), and which are the best of them? Scores lie on a board that queries reuse. */
import { placeIn } from '../domain/binary-search.ts'
import type { PostingList } from '../domain/contracts/text-index.ts'
import { isSymbolTerm } from '../language/terms.ts'

/** How soon further occurrences of a term stop counting. Chat turns are short, so soon. */
export const BM25_K1 = 1.2
/** How much a long turn is held back: 0 not at all, 1 in full proportion. */
export const BM25_B = 0.6

/** Weight of a term that `documentFrequency` of `documents` turns contain: ln(1 + (N − df + ½) / (df + ½)), above 0. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  const frequency = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** No turn gets more than this from a term of this idf. */
export function upperBound(idf: number): number {
  return idf * (BM25_K1 + 1)
}

/** Scores of one query over one view. Never held across an `await`: another recall may want it. */
export interface ScoreBoard {
  /** BM25 by ordinal; 0 where nothing matched. */
  scores: Float32Array
  /** Which of the first 32 terms a turn holds, one bit each. */
  masks: Uint32Array
  /** The first `count` are the ordinals with a score or a mark, unordered, without repeats. */
  touched: Uint32Array
  count: number
  /** The arms that brought a candidate, one bit each; code that sets entries sweeps them. */
  arms: Uint8Array
  /** The likeness in meaning of candidates and question; code that sets entries sweeps them. */
  meanings: Float32Array
}

const idle: ScoreBoard[] = []

/** A clean board for at least `size` ordinals; give it back with `releaseBoard`. */
export function acquireBoard(size: number): ScoreBoard {
  const board = idle.pop()
  if (board !== undefined && board.scores.length >= size) return board
  const capacity = Math.max(1024, Math.ceil(size * 1.25))
  return {
    scores: new Float32Array(capacity),
    masks: new Uint32Array(capacity),
    touched: new Uint32Array(capacity),
    count: 0,
    arms: new Uint8Array(capacity),
    meanings: new Float32Array(capacity),
  }
}

export function releaseBoard(board: ScoreBoard): void {
  const { scores, masks, touched, count } = board
  // Beyond an eighth of the array a straight fill is quicker than jumping about.
  if (count > scores.length >> 3) {
    scores.fill(0)
    masks.fill(0)
  } else {
    for (let i = 0; i < count; i++) {
      const ordinal = touched[i]!
      scores[ordinal] = 0
      masks[ordinal] = 0
    }
  }
  board.count = 0
  if (idle.length === 0) idle.push(board)
}

/** Scores by ordinal; the first `count` of `touched` are the ordinals that have one. */
interface Scored {
  readonly scores: Float32Array
  readonly touched: Uint32Array
  readonly count: number
}

/** The `k` best texts that `accepts` lets through, best first; of equal ones the later turn first. */
export function selectTop(
  { scores, touched, count }: Scored,
  k: number,
  accepts: (ordinal: number) => boolean,
): Uint32Array {
  const heap = new Uint32Array(Math.min(k, count))
  const room = heap.length
  let size = 0
  let floor = 0
  const worse = (a: number, b: number): boolean => {
    const difference = scores[a]! - scores[b]!
    return difference < 0 || (difference === 0 && a < b)
  }
  const sink = (from: number): void => {
    const value = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && worse(heap[child + 1]!, heap[child]!)) child++
      if (!worse(heap[child]!, value)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
  const order = (): void => {
    for (let root = (size >> 1) - 1; root >= 0; root--) sink(root)
  }
  const consider = (ordinal: number): void => {
    if (size < room) {
      if (!accepts(ordinal)) return
      heap[size++] = ordinal
      if (size < room) return
      order()
    } else {
      if (!worse(heap[0]!, ordinal) || !accepts(ordinal)) return
      heap[0] = ordinal
      sink(0)
    }
    floor = scores[heap[0]!]!
  }
  // The rarest term was added first. Of one term the ordinals ascend, and of equal scores the last wins: it is read from its end.
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && touched[to]! > touched[to - 1]!) to++
    for (let i = to - 1; i >= from; i--) if (scores[touched[i]!]! >= floor) consider(touched[i]!)
  }
  const found = heap.subarray(0, size)
  if (size < room) order()
  // The worst goes to the end, again and again.
  while (size > 1) {
    const worst = heap[0]!
    heap[0] = heap[--size]!
    heap[size] = worst
    sink(0)
  }
  return found
}

/**
 * The k-th largest of these values, which are put into another order; -Infinity when there are fewer. Quickselect
 * (Hoare 1961): it looks at each value about three times, where sorting compares each with a dozen others.
 */
export function kthLargest(values: Float32Array | Float64Array, k: number): number {
  if (k > values.length) return Number.NEGATIVE_INFINITY
  const wanted = k - 1
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = values[(low + high) >>> 1]!
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const value = values[left]!
      values[left++] = values[right]!
      values[right--] = value
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}

/** A posting list and the worth of a match in it, beside its idf. */
export interface WeightedList {
  readonly list: PostingList
  /** Factor on the idf: 1 for a word of the query, less for an inferred one. */
  readonly weight: number
}

/** A list that counts, with its gain (weight × idf). */
export interface ScoredList extends WeightedList {
  readonly gain: number
}

interface Collection {
  readonly live: number
  readonly averageLength: number
  readonly columns: { readonly length: Uint16Array }
}

/** Lists up to this length are always added in full. */
export const HOT_LIST = 16_384
/** Terms that get a bit in the masks. */
export const MASKED_TERMS = 32

/** Documents beside the turns that the same query looks through: how many there are, and how many hold a term. */
export interface OtherDocuments {
  readonly count: number
  holding(term: string): number
}

const NONE: OtherDocuments = { count: 0, holding: () => 0 }

/** The lists of terms that some turn or another document holds, rarest first, with their gains. */
export function scoredLists(
  lists: readonly WeightedList[],
  live: number,
  others: OtherDocuments = NONE,
): readonly ScoredList[] {
  return lists
    .map(({ list, weight }) => ({ list, weight, holding: list.documents.length + others.holding(list.term) }))
    .filter(({ holding, weight }) => holding > 0 && weight > 0)
    .sort((a, b) => a.holding - b.holding)
    .map(({ list, weight, holding }) => ({
      list,
      weight,
      gain: weight * inverseDocumentFrequency(holding, live + others.count),
    }))
}

/**
 * Adds the lists of `scoredLists` to the board; list i sets bit i of the masks. Hot lists only strengthen turns already
 * found, once all remaining lists cannot lift a new turn into the best `keep` that `accepts` lets through.
 */
export function accumulate(
  board: ScoreBoard,
  lists: readonly ScoredList[],
  collection: Collection,
  keep: number,
  accepts: (ordinal: number) => boolean = everything,
): void {
  let rest = lists.reduce((sum, { gain }) => sum + upperBound(gain), 0)
  let foundOnly = false
  lists.forEach(({ list, gain }, index) => {
    if (!foundOnly && list.documents.length > HOT_LIST) foundOnly = areAbove(board, rest, keep, accepts)
    add(board, list, gain, index, collection, foundOnly)
    rest -= upperBound(gain)
  })
}

/** Adds the lists of `scoredLists` to the board for these ordinals only: quicker for a few of many turns. */
export function accumulateAt(
  board: ScoreBoard,
  lists: readonly ScoredList[],
  collection: Collection,
  ordinals: Iterable<number>,
): void {
  const { scores, masks, touched } = board
  for (const ordinal of ordinals) {
    let score = 0
    lists.forEach(({ list, gain }, index) => {
      const place = placeIn(list.documents, ordinal)
      if (place < 0) return
      score += termScore(gain, list.frequencies[place]!, collection.columns.length[ordinal]!, collection.averageLength)
      if (index < MASKED_TERMS) masks[ordinal]! |= 1 << index
    })
    if (score === 0) continue
    scores[ordinal] = score
    touched[board.count++] = ordinal
  }
}

/** Adds further lists for turns already on the board only; list i sets bit `firstBit` + i of the masks. */
export function strengthenFound(
  board: ScoreBoard,
  lists: readonly ScoredList[],
  collection: Collection,
  firstBit: number,
): void {
  for (const [index, { list, gain }] of lists.entries()) add(board, list, gain, firstBit + index, collection, true)
}

const everything = (): boolean => true

/** true when so many accepted documents score above this. */
function areAbove(
  { scores, touched, count }: ScoreBoard,
  score: number,
  wanted: number,
  accepts: (ordinal: number) => boolean,
): boolean {
  let above = 0
  for (let i = 0; i < count && above < wanted; i++) if (scores[touched[i]!]! > score && accepts(touched[i]!)) above += 1
  return above >= wanted
}

/** The BM25 share of one term with this gain, in a document of this length. */
export function termScore(gain: number, frequency: number, length: number, averageLength: number): number {
  const fixed = BM25_K1 * (1 - BM25_B)
  return (upperBound(gain) * frequency) / (frequency + fixed + ((BM25_K1 * BM25_B) / (averageLength || 1)) * length)
}

/** Adds one list; with `foundOnly` for turns already on the board. */
function add(
  board: ScoreBoard,
  { documents, frequencies }: PostingList,
  gain: number,
  index: number,
  collection: Collection,
  foundOnly: boolean,
): void {
  const { scores, masks, touched } = board
  const { length } = collection.columns
  const bit = index < MASKED_TERMS ? 1 << index : 0
  const top = upperBound(gain)
  const fixed = BM25_K1 * (1 - BM25_B)
  const slope = (BM25_K1 * BM25_B) / (collection.averageLength || 1)
  let count = board.count
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const frequency = frequencies[i]!
    const before = scores[document]!
    if (before === 0) {
      if (foundOnly) continue
      touched[count++] = document
    }
    scores[document] = before + (top * frequency) / (frequency + fixed + slope * length[document]!)
    masks[document]! |= bit
  }
  board.count = count
}

/** Share of the query, 0 to 1, that the terms in a mask make up. */
export type Coverage = (mask: number) => number

/** Measures masks whose bit i stands for list i. */
export function coverageOf(lists: readonly ScoredList[]): Coverage {
  const gains = lists.slice(0, MASKED_TERMS).map(({ gain }) => gain)
  const total = gains.reduce((sum, gain) => sum + gain, 0)
  if (total === 0) return () => 0
  // Sums for every value of each of the four bytes: four look-ups a mask instead of up to 32 additions.
  const sums = new Float32Array(4 * 256)
  for (let byte = 0; byte * 8 < gains.length; byte++) {
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value)
      sums[byte * 256 + value] = sums[byte * 256 + (value & (value - 1))]! + (gains[byte * 8 + lowest] ?? 0) / total
    }
  }
  return (mask) =>
    Math.min(
      1,
      sums[mask & 255]! +
        sums[256 + ((mask >>> 8) & 255)]! +
        sums[512 + ((mask >>> 16) & 255)]! +
        sums[768 + ((mask >>> 24) & 255)]!,
    )
}

/** The terms in a mask as a person would write them: symbols without their mark, no single Han characters. */
export function matchedTerms(mask: number, lists: readonly ScoredList[]): readonly string[] {
  const terms = lists
    .slice(0, MASKED_TERMS)
    .filter((_, index) => ((mask >>> index) & 1) === 1)
    .map(({ list: { term } }) => (isSymbolTerm(term) ? term.slice(1) : term))
  return [...new Set(terms)].filter((term) => !/^\p{Script=Han}$/u.test(term))
}

/** The gain of a telling word, beside the largest of the query. */
const TELLING_GAIN = 0.5

/**
 * Of texts, best first, each score beside the lowest of the best scores of its telling words; of one without any, beside
 * the best. `masks` are their words.
 */
export function sharesOf(
  ranked: readonly { readonly score: number }[],
  masks: readonly number[],
  lists: readonly ScoredList[],
): readonly number[] {
  const gains = lists.slice(0, MASKED_TERMS).map(({ gain }) => gain)
  const least = TELLING_GAIN * Math.max(0, ...gains)
  const tops: number[] = []
  return ranked.map(({ score }, at) => {
    let bar = ranked[0]!.score
    for (const [term, gain] of gains.entries()) {
      if (gain < least || (masks[at]! & (1 << term)) === 0) continue
      tops[term] ??= score
      bar = Math.min(bar, tops[term])
    }
    return score / bar
  })
}
