/** How alike in meaning are texts to a question, next to the user's other texts? */
import { cosineOf } from '../../language/word-codes.ts'
import { loadWordVectors } from '../../language/word-vectors.ts'
import type { MeaningStore } from './meaning-store.ts'
import { cosinesOf, nearest, type Spread, spreadOf } from './nearest.ts'

/** Meaning as the ranking needs it, by ordinals of a view of turns. */
export interface MeaningScores {
  /** The nearest texts, nearest first. */
  readonly nearest: readonly number[]
  /** By ordinal the score of each of these: 0 to 1, a quarter for what is as alike as any other text. */
  scores(ordinals: readonly number[]): ReadonlyMap<number, number>
  /** The score of a text that is not among the turns. */
  scoreOf(text: string): number
}

/** Standard deviations above the mean at which a text has the full score, and below at which it has none. */
const FULL = 6
const NONE = -2

/** 0 to 1 for a cosine, by how many deviations it lies above the mean of the user's texts. */
export function meaningScore(cosine: number, { mean, deviation }: Spread): number {
  if (Number.isNaN(cosine)) return (0 - NONE) / (FULL - NONE) / 2
  return Math.min(1, Math.max(0, ((cosine - mean) / deviation - NONE) / (FULL - NONE)))
}

/** Texts that are found by meaning alone, at the most, and the share of all texts that they are at the most. */
const NEAREST = 50
const NEAREST_SHARE = 0.1
/** They stand out among the user's texts, and are alike at all. */
const LEAST_SCORE = 0.35
const LEAST_COSINE = 0.15
/** A question of one word is asked for that word. */
const LEAST_WORDS = 2

/**
 * The scores for a question over one user's texts; null when nothing in it has a meaning, or nothing to compare with.
 *
 * @param ordinalOf the ordinal in the view of a text in the store, -1 for none; `textOf` the other way round
 */
export async function meaningScores(
  store: MeaningStore,
  question: string,
  ordinalOf: (text: number) => number,
  textOf: (ordinal: number) => number,
): Promise<MeaningScores | null> {
  if (store.count === 0 || question.trim().split(/\s+/).length < LEAST_WORDS) return null
  const vectors = await loadWordVectors()
  const codes = vectors.encode(question)
  const spread = codes === null ? undefined : spreadOf(store, codes)
  if (codes === null || spread === undefined) return null
  const most = Math.min(NEAREST, Math.ceil(store.count * NEAREST_SHARE))
  return {
    nearest: nearest(store, codes, most, (text) => ordinalOf(text) >= 0)
      .filter(({ cosine }) => cosine >= LEAST_COSINE && meaningScore(cosine, spread) >= LEAST_SCORE)
      .map(({ ordinal }) => ordinalOf(ordinal)),
    scores: (ordinals) => {
      const texts = ordinals.map(textOf)
      const cosines = cosinesOf(
        store,
        codes,
        texts.filter((text) => text >= 0),
      )
      const scores = new Map<number, number>()
      let at = 0
      texts.forEach((text, index) => {
        if (text >= 0) scores.set(ordinals[index]!, meaningScore(cosines[at++]!, spread))
      })
      return scores
    },
    scoreOf: (text) => {
      const own = vectors.encode(text)
      return own === null ? meaningScore(Number.NaN, spread) : meaningScore(cosineOf(own, codes), spread)
    },
  }
}
