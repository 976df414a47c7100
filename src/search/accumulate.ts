/**
 * Which turns hold the query's terms, and how strongly? BM25 is added up on a score board, rarest terms first; frequent
 * terms only strengthen turns already found, once they cannot change the best.
 */
import { placeIn } from '../domain/ascending.ts'
import type { PostingList } from '../domain/contracts/turn-index.ts'
import { BM25_B, BM25_K1, inverseDocumentFrequency, upperBound } from './bm25.ts'
import type { ScoreBoard } from './score-board.ts'

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

/** The facts about the view that the accumulation needs. */
export interface Collection {
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
    const bit = index < MASKED_TERMS ? 1 << index : 0
    if (foundOnly) strengthen(board, list, gain, bit, collection)
    else add(board, list, gain, bit, collection)
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
  lists.forEach(({ list, gain }, index) => {
    const bit = firstBit + index < MASKED_TERMS ? 1 << (firstBit + index) : 0
    strengthen(board, list, gain, bit, collection)
  })
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

function add(board: ScoreBoard, list: PostingList, gain: number, bit: number, collection: Collection): void {
  const { documents, frequencies } = list
  const { scores, masks, touched } = board
  const { length } = collection.columns
  const top = upperBound(gain)
  const fixed = BM25_K1 * (1 - BM25_B)
  const slope = (BM25_K1 * BM25_B) / (collection.averageLength || 1)
  let count = board.count
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const frequency = frequencies[i]!
    const before = scores[document]!
    if (before === 0) touched[count++] = document
    scores[document] = before + (top * frequency) / (frequency + fixed + slope * length[document]!)
    masks[document]! |= bit
  }
  board.count = count
}

function strengthen(board: ScoreBoard, list: PostingList, gain: number, bit: number, collection: Collection): void {
  const { documents, frequencies } = list
  const { scores, masks } = board
  const { length } = collection.columns
  const top = upperBound(gain)
  const fixed = BM25_K1 * (1 - BM25_B)
  const slope = (BM25_K1 * BM25_B) / (collection.averageLength || 1)
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const before = scores[document]!
    if (before === 0) continue
    const frequency = frequencies[i]!
    scores[document] = before + (top * frequency) / (frequency + fixed + slope * length[document]!)
    masks[document]! |= bit
  }
}
