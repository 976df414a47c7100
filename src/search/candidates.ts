/**
 * Which turns are worth a closer look? The union of the arms words, neighbours of the best, time, recency, similarity
 * and memories, all in scope, each turn once.
 */
import type { TurnView } from '../domain/contracts/text-index.ts'

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

/** Adds turns brought by one arm. */
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

/** Makes `arms` all 0 again. */
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
