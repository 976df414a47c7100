/**
 * Which turns hold words of the query, and how strongly? Adds up BM25 over posting lists into one number for each turn.
 * Invariant: between two uses every number is 0; only what was touched is swept.
 */
import type { PostingList, TurnColumns } from '../contracts/turn-index.ts'
import { BM25_B, BM25_K1, inverseDocumentFrequency, upperBound } from './bm25.ts'

/** Scores of one query over one view. Valid until `releaseBoard`, and never across an `await`. */
export interface ScoreBoard {
  /** BM25 by ordinal; 0 where nothing matched. */
  scores: Float32Array
  /** The first `count` are the ordinals with a score, unordered, without repeats. */
  touched: Uint32Array
  count: number
}

/** A posting list and what a match in it is worth beside its idf. */
export interface WeightedList {
  readonly list: PostingList
  /** Factor on the idf: 1 for a word of the query, less for what was only inferred. */
  readonly weight: number
}

/** Lists longer than this may be left to turns that other words have already found. */
export const HOT_LIST = 16_384

const idle: ScoreBoard[] = []

/** A clean board of at least `size` ordinals; give it back with `releaseBoard`. */
export function acquireBoard(size: number): ScoreBoard {
  const board = idle.pop()
  if (board !== undefined && board.scores.length >= size) return board
  const capacity = Math.max(1024, Math.ceil(size * 1.25))
  return { scores: new Float32Array(capacity), touched: new Uint32Array(capacity), count: 0 }
}

/** Sweeps the board and keeps it for the next query. */
export function releaseBoard(board: ScoreBoard): void {
  const { scores, touched, count } = board
  for (let i = 0; i < count; i++) scores[touched[i]!] = 0
  board.count = 0
  if (idle.length === 0) idle.push(board)
}

/**
 * Adds the lists to the board, rarest first. With `keep` > 0 a hot list may only strengthen turns that were already
 * found, once the rest of the lists together cannot lift an unseen turn into the best `keep`.
 */
export function addLists(
  board: ScoreBoard,
  lists: readonly WeightedList[],
  columns: TurnColumns,
  live: number,
  averageLength: number,
  keep: number,
): void {
  const scored = lists
    .filter(({ list, weight }) => list.documents.length > 0 && weight > 0)
    .map(({ list, weight }) => ({ list, gain: weight * inverseDocumentFrequency(list.documents.length, live) }))
    .sort((a, b) => a.list.documents.length - b.list.documents.length)
  let rest = scored.reduce((sum, { gain }) => sum + upperBound(gain), 0)
  let foundOnly = false
  for (const { list, gain } of scored) {
    if (!foundOnly && keep > 0 && list.documents.length > HOT_LIST && board.count > keep) {
      foundOnly = kthBest(board, keep) > rest
    }
    if (foundOnly) strengthen(board, list, gain, columns.length, averageLength)
    else accumulate(board, list, gain, columns.length, averageLength)
    rest -= upperBound(gain)
  }
}

function accumulate(board: ScoreBoard, list: PostingList, gain: number, length: Uint16Array, average: number): void {
  const { documents, frequencies } = list
  const { scores, touched } = board
  const top = gain * (BM25_K1 + 1)
  const fixed = BM25_K1 * (1 - BM25_B)
  const slope = (BM25_K1 * BM25_B) / (average || 1)
  let count = board.count
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const frequency = frequencies[i]!
    const before = scores[document]!
    if (before === 0) touched[count++] = document
    scores[document] = before + (top * frequency) / (frequency + fixed + slope * length[document]!)
  }
  board.count = count
}

function strengthen(board: ScoreBoard, list: PostingList, gain: number, length: Uint16Array, average: number): void {
  const { documents, frequencies } = list
  const { scores } = board
  const top = gain * (BM25_K1 + 1)
  const fixed = BM25_K1 * (1 - BM25_B)
  const slope = (BM25_K1 * BM25_B) / (average || 1)
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const before = scores[document]!
    if (before === 0) continue
    const frequency = frequencies[i]!
    scores[document] = before + (top * frequency) / (frequency + fixed + slope * length[document]!)
  }
}

function kthBest(board: ScoreBoard, k: number): number {
  const best = selectTop(board, k, () => true)
  return best.length < k ? 0 : board.scores[best[k - 1]!]!
}

/** The `k` best turns that `accepts` lets through, best first; equal scores: the later turn first. */
export function selectTop(board: ScoreBoard, k: number, accepts: (ordinal: number) => boolean): Uint32Array {
  const { scores, touched, count } = board
  const heap = new Uint32Array(k)
  let size = 0
  const worse = (a: number, b: number): boolean => scores[a]! < scores[b]! || (scores[a]! === scores[b]! && a < b)
  const sink = (from: number): void => {
    let at = from
    const value = heap[at]!
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
  for (let i = 0; i < count; i++) {
    const ordinal = touched[i]!
    if (size === k && !worse(heap[0]!, ordinal)) continue
    if (!accepts(ordinal)) continue
    if (size < k) {
      heap[size++] = ordinal
      if (size === k) for (let root = (k >> 1) - 1; root >= 0; root--) sink(root)
      else continue
    } else {
      heap[0] = ordinal
      sink(0)
    }
  }
  return heap.subarray(0, size).sort((a, b) => (worse(a, b) ? 1 : -1))
}
