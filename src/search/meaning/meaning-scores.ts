/** How alike in meaning are texts to a question, next to the user's other texts? */
import type { Memory } from '../../domain/memory.ts'
import { loadWordVectors } from '../../language/word-vectors.ts'
import type { MeaningStore } from './meaning-store.ts'
import { cosinesOf, nearest, type Spread, spreadOf } from './nearest.ts'

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
export function meaningScore(cosine: number, { mean, deviation }: Spread): number {
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
