/**
 * Which turns are worth a closer look? The true union of the arms: words, neighbours of the best, time, recency.
 * Every candidate lies in the scope; none comes twice.
 */
import type { TurnView } from '../contracts/turn-index.ts'

/** Bits that say which arms brought a candidate. */
export const ARM_TEXT = 1
export const ARM_SYMBOL = 2
export const ARM_TIME = 4
export const ARM_RECENCY = 8
export const ARM_NEIGHBOUR = 16

const ARM_NAMES: readonly (readonly [number, string])[] = [
  [ARM_TEXT, 'full-text'],
  [ARM_SYMBOL, 'symbol'],
  [ARM_TIME, 'time'],
  [ARM_RECENCY, 'recency'],
  [ARM_NEIGHBOUR, 'neighbour'],
]

/** Names of the arms in a set of bits, as explanations spell them. */
export function armNames(bits: number): readonly string[] {
  return ARM_NAMES.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name)
}

/** How far the neighbourhood of a turn reaches, in turns. */
export const NEIGHBOUR_REACH = 2

/** Ordinals with the arms that brought them, in order of arrival. */
export type Candidates = Map<number, number>

/** Adds turns brought by one arm. */
export function addCandidates(
  candidates: Candidates,
  ordinals: Iterable<number>,
  arm: number,
  accepts: (ordinal: number) => boolean,
): void {
  for (const ordinal of ordinals) {
    const arms = candidates.get(ordinal)
    if (arms !== undefined) candidates.set(ordinal, arms | arm)
    else if (accepts(ordinal)) candidates.set(ordinal, arm)
  }
}

/** Adds the turns up to NEIGHBOUR_REACH before and after each of these, in their conversations. */
export function addNeighbours(
  candidates: Candidates,
  ordinals: Iterable<number>,
  view: TurnView,
  accepts: (ordinal: number) => boolean,
): void {
  const { previous, next } = view.columns
  for (const ordinal of ordinals) {
    for (const way of [previous, next]) {
      let at = ordinal
      for (let step = 0; step < NEIGHBOUR_REACH; step++) {
        at = way[at]!
        // The index may have grown since the view was taken.
        if (at < 0 || at >= view.size) break
        if (!candidates.has(at) && accepts(at)) candidates.set(at, ARM_NEIGHBOUR)
      }
    }
  }
}

/** The newest `limit` turns that are accepted, newest first, by walking back from the end of the index. */
export function newestTurns(size: number, limit: number, accepts: (ordinal: number) => boolean): readonly number[] {
  const found: number[] = []
  for (let ordinal = size - 1; ordinal >= 0 && found.length < limit; ordinal--) {
    if (accepts(ordinal)) found.push(ordinal)
  }
  return found
}
