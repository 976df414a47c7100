/**
 * Would a careful person keep this text as it stands? A few numbers of it, its letters and its words are weighed, by a
 * logistic regression over memories of real chats that a person judged.
 */

import { late } from '../../domain/pieces.ts'
import { hasHan } from '../../language/character-class.ts'
import { indexTerms } from '../../language/tokens.ts'
import { weightFile } from '../../language/word-lists.ts'
import { type Features, featuresOf } from './features.ts'
import { HASHED_FEATURES } from './hashed-grams.ts'
import { type Judgement, weightOf } from './linear-model.ts'
import { refersBack } from './refers-back.ts'

/** The file that bench/training/standing.ts writes. */
export interface StandingWeights {
  /** The weight of each of `standingInputs`. */
  readonly inputs: readonly number[]
  /** The largest weight of a letter or word. */
  readonly scale: number
  /** One character for each hashed feature. */
  readonly weights: string
}

const NAME = /(?<=[\p{Ll},] )(?!I\b)\p{Lu}/gu
const MOST_NAMES = 3

const model = late(() => {
  const { inputs, scale, weights } = weightFile<StandingWeights>('standing')
  return { inputs, table: Float32Array.from({ length: HASHED_FEATURES }, (_, at) => weightOf(weights, at, scale)) }
})

/**
 * Its language, log-odds of being worth storing and of lasting, share of words not just heard, names, and whether it
 * points back.
 */
export function standingInputs(
  text: string,
  { chinese }: Features,
  { store, semantic }: Judgement,
  heard: string,
): readonly number[] {
  const known = heard.toLowerCase()
  const words = [...indexTerms(text).keys()].filter((term) => term.length > 1 || !hasHan(term))
  const news = words.filter((word) => !known.includes(word)).length
  const names = Math.min(MOST_NAMES, text.match(NAME)?.length ?? 0)
  const [storing, lasting] = [Math.min(8, Math.max(-3, store)), Math.min(2, Math.max(-3, semantic))]
  return [1, chinese ? 1 : 0, storing, lasting, Math.log1p(news), names, refersBack(text) ? 1 : 0]
}

/** The log-odds that it would be kept. */
export function standingOf(text: string, judgement: Judgement, heard: string): number {
  const { inputs, table } = model()
  const features = featuresOf(text)
  const numbers = standingInputs(text, features, judgement, heard)
  const sum = numbers.reduce((sum, input, at) => sum + input * inputs[at]!, 0)
  return sum + weighHashed(table, features)
}

/** The sum of the weights of a text's letters and words. */
export function weighHashed(table: Float32Array, { at, value, hashedFrom }: Features): number {
  let sum = 0
  for (let position = hashedFrom; position < at.length; position++) sum += table[at[position]!]! * value[position]!
  return sum
}
