/**
 * Which turns are worth a closer look? The union of the arms words, neighbours of the best, time, recency, similarity
 * and memories, all in scope, each turn once.
 */

import { placeIn } from '../domain/ascending.ts'
import { DAY_MS } from '../domain/clock.ts'
import { TURN_DELETED, type TurnView } from '../domain/contracts/text-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import type { DateRange } from '../language/dates.ts'

/** The bounds of one recall. */
export interface Scope {
  readonly accepts: (ordinal: number) => boolean
  /** Counts the turns inside the bounds, matched or not. */
  readonly total: () => number
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

const ARM_NAMES: readonly (readonly [number, string])[] = [
  [ARM_TEXT, 'full-text'],
  [ARM_SYMBOL, 'symbol'],
  [ARM_TIME, 'time'],
  [ARM_RECENCY, 'recency'],
  [ARM_NEIGHBOUR, 'neighbour'],
  [ARM_SIMILARITY, 'similarity'],
  [ARM_MEMORY, 'memory'],
]

/** Names of the arms in a set of bits, as explanations spell them. */
export function armNames(bits: number): readonly string[] {
  return ARM_NAMES.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name)
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
