/**
 * How likely does a sentence tell that a state begins, replaces, ends, is corrected or past? A linear model over the
 * write decision's features and `stance-cues.ts`; its weights are a string in `data/weights`, one printable
 * character each.
 */
import { late } from '../../domain/pieces.ts'
import { weightFile } from '../../language/word-lists.ts'
import { featuresOf, MEANT_FEATURES } from '../write-decision/features.ts'
import { HASHED_FEATURES } from '../write-decision/hashed-grams.ts'
import { weightOf } from '../write-decision/linear-model.ts'
import { CUE_NAMES, type Cues } from './stance-cues.ts'

/** The answers of the model, in the order of its weights; `change` is any of the first four. */
export const STANCE_HEADS = ['begins', 'replaces', 'ends', 'corrects', 'change', 'past'] as const
export type StanceHead = (typeof STANCE_HEADS)[number]

const HEADS = STANCE_HEADS.length
/** Hashed letters and words are folded into this many places; a power of two. */
const FOLDED = HASHED_FEATURES >> 1
const CUE = MEANT_FEATURES
const HASHED = CUE + CUE_NAMES.length
/** How many features there are. */
export const STANCE_FEATURES = HASHED + FOLDED
/** How much one word of a kind, one meaning, and a hashed piece weigh against each other. */
const CUE_VALUE = 2
const MEANT_VALUE = 0.3
const HASHED_FACTOR = 0.6

/** Numbers of features and their values. */
export interface StanceFeatures {
  readonly at: Int32Array
  readonly value: Float32Array
  readonly chinese: boolean
}

/** The features of one sentence whose cues are known. */
export function stanceFeaturesOf(sentence: string, cues: Cues): StanceFeatures {
  const { at: places, value: values, hashedFrom, chinese } = featuresOf(sentence)
  const said = CUE_NAMES.flatMap((name, index) => (cues[name] ? [CUE + index] : []))
  const at = new Int32Array(places.length + said.length)
  const value = new Float32Array(at.length)
  for (let position = 0; position < places.length; position++) {
    const meant = position < hashedFrom
    at[position] = meant ? places[position]! : HASHED + (places[position]! & (FOLDED - 1))
    value[position] = meant ? MEANT_VALUE : values[position]! * HASHED_FACTOR
  }
  for (const [index, cue] of said.entries()) {
    at[places.length + index] = cue
    value[places.length + index] = CUE_VALUE
  }
  return { at, value, chinese }
}

/** The file that bench/training/stance.ts writes. */
export interface StanceWeights {
  /** The largest weight of each answer. */
  readonly scales: readonly number[]
  /** The sum from which an answer is held to be so, for Latin and for Chinese text. */
  readonly thresholds: Readonly<Record<string, readonly [number, number]>>
  /** One character a weight, feature by feature, the answers side by side. */
  readonly weights: string
}

const model = late(() => {
  const { weights, scales, thresholds } = weightFile<StanceWeights>('stance')
  const table = Float32Array.from({ length: STANCE_FEATURES * HEADS }, (_, at) =>
    weightOf(weights, at, scales[at % HEADS]!),
  )
  return { table, thresholds }
})

/** Log-odds of each answer above the threshold that its language needs: above 0 it is so. */
export function stanceOddsOf(sentence: string, cues: Cues): Readonly<Record<StanceHead, number>> {
  const { table, thresholds } = model()
  const features = stanceFeaturesOf(sentence, cues)
  const sums = stanceSums(table, features)
  const language = features.chinese ? 1 : 0
  return Object.fromEntries(
    STANCE_HEADS.map((head, index) => [head, sums[index]! - thresholds[head]![language]]),
  ) as Record<StanceHead, number>
}

/** The sums of a table of weights, one an answer. */
export function stanceSums(table: Float32Array, { at, value }: StanceFeatures): Float64Array {
  const sums = new Float64Array(HEADS)
  for (let position = 0; position < at.length; position++) {
    const row = at[position]! * HEADS
    for (let head = 0; head < HEADS; head++) sums[head]! += table[row + head]! * value[position]!
  }
  return sums
}
