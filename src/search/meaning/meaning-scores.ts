/** How alike in meaning are texts to a question, next to the user's other texts? */
import type { Memory } from '../../domain/memory.ts'
import { CODE_COUNT, lengthOf, loadWordVectors, SIGN_BYTES, signBits } from '../../language/word-vectors.ts'
import { kthLargest } from '../word-scores.ts'
import {
  codesAt,
  distancesAt,
  FRAME_TEXTS,
  HISTOGRAM,
  type MeaningStore,
  QUERY_CODES,
  QUERY_SIGNS,
  sharesAt,
  signsAt,
  WORK,
  WORK_TEXTS,
} from './meaning-store.ts'

/** The meanings for a ranking: turns by ordinals of a view, memories as they are. */
export interface MeaningScores {
  /** The nearest turns, nearest first. */
  readonly nearest: readonly number[]
  /** The nearest memories, nearest first. */
  readonly nearestMemories: readonly NearMemory[]
  /** The cosine of the nearest text of all; 0 when none is alike. */
  readonly closest: number
  /**
   * Writes the score of each of these turns into `scores`, by ordinal: 0 to 1, a quarter for one of average likeness.
   */
  score(ordinals: readonly number[], scores: Float32Array): Float32Array
  /** The scores of these memories. */
  scoresOf(memories: readonly Memory[]): ReadonlyMap<Memory, number>
}

/** A memory by its `MemoryColumns.row`. */
export interface NearMemory {
  readonly row: number
  readonly cosine: number
}

/** The turns that are compared with a question. */
export interface MeantTurns {
  readonly store: MeaningStore
  /** The ordinal in the view of a text in the store, -1 for none; `textOf` the other way round. */
  readonly ordinalOf: (text: number) => number
  readonly textOf: (ordinal: number) => number
}

/** The memories that are compared with a question. */
export interface MeantMemories {
  readonly store: MeaningStore
  /** By number in the store, `MemoryColumns.row`; -1 for a text that no memory has any more. */
  readonly rows: readonly number[]
  /** The number in the store of a memory as it is now; undefined when its codes are not made yet. */
  readonly textOf: (memory: Memory) => number | undefined
}

/** Standard deviations above the mean at which a text has the full score, and below at which it has none. */
const FULL = 6
const NONE = -2

/** A cosine as 0 to 1, by its deviations above the mean of the user's texts; an eighth where it is not known. */
function meaningScore(cosine: number, { mean, deviation }: Spread): number {
  if (Number.isNaN(cosine)) return (0 - NONE) / (FULL - NONE) / 2
  return Math.min(1, Math.max(0, ((cosine - mean) / deviation - NONE) / (FULL - NONE)))
}

/** Texts that are found by meaning alone: at the most, and as a share of all texts, but so many in any case. */
const NEAREST = 50
const NEAREST_SHARE = 0.1
const LEAST_NEAREST = 3
/** The least score of a text that stands out among the user's, and the least cosine of one that is alike at all. */
const LEAST_SCORE = 0.35
const LEAST_COSINE = 0.15

/** Whether a question is compared by meaning: one of a single word is asked for that word. */
export function isCompared(question: string): boolean {
  return /\s/.test(question.trim())
}

/** The scores for a question over one user's texts; null when nothing in it has a meaning, or nothing to compare with. */
export async function meaningScores(
  question: string,
  { store, ordinalOf, textOf }: MeantTurns,
  memories: MeantMemories | null,
): Promise<MeaningScores | null> {
  const compared = store.count > 0 || memories === null ? store : memories.store
  if (compared.count === 0 || !isCompared(question)) return null
  const vectors = await loadWordVectors()
  const codes = vectors.encode(question)
  const spread = codes === null ? undefined : spreadOf(compared, codes)
  if (codes === null || spread === undefined) return null
  const nearestOf = (texts: MeaningStore, accepts: (text: number) => boolean) =>
    nearest(texts, codes, mostNearest(texts.count), accepts).filter(
      ({ cosine }) => cosine >= LEAST_COSINE && meaningScore(cosine, spread) >= LEAST_SCORE,
    )
  const turns = nearestOf(store, (text) => ordinalOf(text) >= 0)
  const remembered = memories === null ? [] : nearestOf(memories.store, (text) => memories.rows[text]! >= 0)
  return {
    nearest: turns.map(({ ordinal }) => ordinalOf(ordinal)),
    nearestMemories: remembered.map(({ ordinal, cosine }) => ({ row: memories!.rows[ordinal]!, cosine })),
    closest: Math.max(0, turns[0]?.cosine ?? 0, remembered[0]?.cosine ?? 0),
    score: (ordinals, scores) => {
      const cosines = cosinesOf(store, codes, ordinals.map(textOf))
      for (let at = 0; at < ordinals.length; at += 1) scores[ordinals[at]!] = meaningScore(cosines[at]!, spread)
      return scores
    },
    scoresOf: (wanted) => {
      if (memories === null) return new Map()
      const known = wanted.flatMap((memory) => {
        const text = memories.textOf(memory)
        return text === undefined ? [] : [[memory, text] as const]
      })
      const texts = known.map(([, text]) => text)
      const cosines = cosinesOf(memories.store, codes, texts)
      return new Map(known.map(([memory], at) => [memory, meaningScore(cosines[at]!, spread)]))
    },
  }
}

function mostNearest(texts: number): number {
  return Math.min(NEAREST, Math.max(LEAST_NEAREST, Math.ceil(texts * NEAREST_SHARE)))
}

interface Near {
  readonly ordinal: number
  /** The cosine, from -1 to 1. */
  readonly cosine: number
}

interface Spread {
  readonly mean: number
  /** Standard deviation, above 0. */
  readonly deviation: number
}

/** The closest by signs whose cosines are computed; see the bench `meaning` for the share found. */
const LEAST_RESCORED = 250
const RESCORED_FOR_EACH = 5
/** A sample size at which the mean is right to 0.06 of the deviation, the deviation to 4 %. */
const SAMPLE = 256
/** The cosines of a question with other texts, on the development chats; the prior counts as so many texts. */
const PRIOR = { texts: 20, mean: 0.12, deviation: 0.095 }

/**
 * At most k accepted texts, the largest cosine first; ties go to the newer text.
 *
 * @param accepts asked only of texts close by signs
 */
export function nearest(
  store: MeaningStore,
  query: Int8Array,
  k: number,
  accepts: (ordinal: number) => boolean = () => true,
): readonly Near[] {
  if (k < 1 || store.count === 0) return []
  const wanted = Math.max(LEAST_RESCORED, k * RESCORED_FOR_EACH)
  const candidates = store.count <= wanted ? all(store, accepts) : closestBySigns(store, query, wanted, accepts)
  const cosines = cosinesOf(store, query, candidates)
  const least = kthLargest(
    cosines.filter((cosine) => !Number.isNaN(cosine)),
    k,
  )
  return candidates
    .flatMap((ordinal, at) => (cosines[at]! >= least ? [{ ordinal, cosine: cosines[at]! }] : []))
    .sort((a, b) => b.cosine - a.cosine || b.ordinal - a.ordinal)
    .slice(0, k)
}

function all(store: MeaningStore, accepts: (ordinal: number) => boolean): number[] {
  return Array.from({ length: store.count }, (_, ordinal) => ordinal).filter(accepts)
}

/** The accepted texts of which the fewest signs differ: about as many as wanted, or all where there are fewer. */
function closestBySigns(
  store: MeaningStore,
  query: Int8Array,
  wanted: number,
  accepts: (ordinal: number) => boolean,
): number[] {
  const histogram = signDistances(store, query)
  let [limit, within] = [-1, 0]
  for (let most = wanted; ; most *= 4) {
    while (limit < CODE_COUNT && within < most) within += histogram[++limit]!
    const candidates = collect(store, Math.min(limit, 255)).filter(accepts)
    if (candidates.length >= wanted || limit === CODE_COUNT) return candidates
  }
}

/** The cosine of each of these texts with the query; NaN for a text without meaning, and for none (-1). */
export function cosinesOf(
  { arena, frames }: MeaningStore,
  query: Int8Array,
  ordinals: ArrayLike<number>,
): Float32Array {
  const { kernel } = arena
  const length = lengthOf(query)
  new Int16Array(kernel.buffer, QUERY_CODES, CODE_COUNT).set(query)
  const cosines = new Float32Array(ordinals.length)
  const addresses = new Uint32Array(kernel.buffer, WORK, WORK_TEXTS)
  const dots = new Int32Array(kernel.buffer, WORK, WORK_TEXTS)
  const shares = new Float32Array(kernel.buffer)
  for (let from = 0; from < ordinals.length; from += WORK_TEXTS) {
    const count = Math.min(WORK_TEXTS, ordinals.length - from)
    for (let at = 0; at < count; at += 1) {
      const ordinal = ordinals[from + at]!
      const frame = frames[(ordinal / FRAME_TEXTS) | 0]!
      addresses[at] = ordinal < 0 ? QUERY_CODES : codesAt(frame, ordinal % FRAME_TEXTS)
      cosines[from + at] = ordinal < 0 ? 0 : shares[sharesAt(frame) / 4 + (ordinal % FRAME_TEXTS)]!
    }
    kernel.dots(WORK, count, QUERY_CODES)
    for (let at = from; at < from + count; at += 1) {
      const share = cosines[at]!
      cosines[at] = share === 0 || length === 0 ? Number.NaN : (dots[at - from]! * share) / length
    }
  }
  return cosines
}

/**
 * The likeness of a user's texts to a query on the whole, from a sample; undefined when no text has a meaning. For few
 * texts the prior counts as well.
 */
export function spreadOf(store: MeaningStore, query: Int8Array): Spread | undefined {
  const step = Math.max(1, store.count / SAMPLE)
  const sample = Array.from({ length: Math.min(SAMPLE, store.count) }, (_, at) => Math.floor(at * step))
  const cosines = cosinesOf(store, query, sample).filter((cosine) => !Number.isNaN(cosine))
  if (cosines.length === 0) return undefined
  const count = cosines.length + PRIOR.texts
  const mean = cosines.reduce((sum, cosine) => sum + cosine, PRIOR.texts * PRIOR.mean) / count
  const variance =
    cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, PRIOR.texts * PRIOR.deviation ** 2) / count
  return { mean, deviation: Math.sqrt(variance) }
}

/** The newest frames of a long store that are searched, as a number of texts; older ones are found by words. */
const SEARCHED_FRAMES = 32_768 / FRAME_TEXTS

function firstFrame({ frames }: MeaningStore): number {
  return Math.max(0, frames.length - SEARCHED_FRAMES)
}

/** Writes how many signs of each text differ from the query's into the frames; returns how many texts differ in so many. */
function signDistances(store: MeaningStore, query: Int8Array): Uint32Array {
  const { kernel } = store.arena
  const histogram = new Uint32Array(kernel.buffer, HISTOGRAM, CODE_COUNT + 1)
  histogram.fill(0)
  new Uint8Array(kernel.buffer, QUERY_SIGNS, SIGN_BYTES).set(signBits(query))
  for (let at = firstFrame(store); at < store.frames.length; at += 1) {
    const frame = store.frames[at]!
    const count = Math.min(FRAME_TEXTS, store.count - at * FRAME_TEXTS)
    kernel.distances(signsAt(frame), Math.ceil(count / 4) * 4, QUERY_SIGNS, distancesAt(frame), HISTOGRAM)
  }
  return histogram
}

/** The ordinals of the texts of which at most so many signs differ. */
function collect(store: MeaningStore, limit: number): number[] {
  const { kernel } = store.arena
  const found: number[] = []
  const places = new Uint32Array(kernel.buffer, WORK, FRAME_TEXTS)
  for (let at = firstFrame(store); at < store.frames.length; at += 1) {
    const first = at * FRAME_TEXTS
    const count = kernel.collect(distancesAt(store.frames[at]!), FRAME_TEXTS, limit, first, WORK)
    for (let place = 0; place < count; place += 1) {
      const ordinal = places[place]!
      if (ordinal < store.count) found.push(ordinal)
    }
  }
  return found
}
