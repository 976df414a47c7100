/** Where may an answer come from (conversation, project, time), and which of its turns fit a named time or mean something alike? */

import { placeIn } from '../domain/ascending.ts'
import { DAY_MS } from '../domain/clock.ts'
import { TURN_DELETED, type TurnView } from '../domain/contracts/text-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import type { DateRange } from '../language/dates.ts'

/** The bounds of one recall. */
export interface Scope {
  /** Whether the turn may be part of the answer. */
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

/** true inside one of the ranges. */
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
