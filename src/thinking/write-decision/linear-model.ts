/**
 * How likely is each answer about a message? A linear model whose weights are a string in `data/weights`, one
 * printable character a weight; it is decoded when first asked.
 */
import { CATEGORIES } from '../../domain/memory.ts'
import { readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { weightFile } from '../../language/word-lists.ts'
import { type Calibration, type Features, featuresOf, HASHED_FEATURES, MEANT_FEATURES } from './features.ts'

/** One kind: its reason, whether it is stored, whether it holds a lasting fact of the user's own. */
export interface Kind {
  readonly reason: DecisionReason
  readonly store: boolean
  readonly semantic: boolean
}

const refused = (reason: DecisionReason): Kind => ({ reason, store: false, semantic: false })
const passing = (reason: DecisionReason): Kind => ({ reason, store: true, semantic: false })
const lasting = (reason: DecisionReason): Kind => ({ reason, store: true, semantic: true })

/** The kinds in the order of the weights. */
export const KINDS: readonly Kind[] = [
  refused('chitchat'),
  refused('knowledge_question'),
  refused('fragment'),
  refused('code_paste'),
  refused('hypothetical'),
  refused('style_wish'),
  refused('state'),
  refused('about_other'),
  passing('style_wish'),
  passing('state'),
  passing('about_other'),
  passing('event'),
  passing('plan'),
  passing('problem_solution'),
  passing('explicit_remember'),
  lasting('explicit_remember'),
  lasting('identity'),
  lasting('preference'),
  lasting('habit'),
  lasting('config'),
  lasting('decision'),
]

/** 0 to 3: 004 where it speaks; decision 2 and identity 1 are ours. */
export const IMPORTANCE: Readonly<Record<DecisionReason, number>> = {
  explicit_remember: 3,
  config: 2,
  problem_solution: 2,
  decision: 2,
  preference: 1,
  habit: 1,
  style_wish: 1,
  identity: 1,
  event: 0,
  plan: 0,
  state: 0,
  about_other: 0,
  chitchat: 0,
  knowledge_question: 0,
  fragment: 0,
  code_paste: 0,
  hypothetical: 0,
  recalled: 0,
  forbidden: 0,
}

/** Answers of the model, side by side for each feature: store, semantic, the kinds, the categories. */
export const HEADS = 2 + KINDS.length + CATEGORIES.length
/** The first two answers, which see every hashed feature by itself. */
const PLAIN_HEADS = 2
/** The smaller number of places for the hashed features of the other answers; a power of two. */
const FOLDED = 1 << 13
const FOLDED_HEADS = HEADS - PLAIN_HEADS
const WIDE = MEANT_FEATURES * HEADS
const NARROW = WIDE + HASHED_FEATURES * PLAIN_HEADS
/** How many weights there are. */
export const ALL_WEIGHTS = NARROW + FOLDED * FOLDED_HEADS

/** The place of the weight of an answer for a hashed feature; answers of one kind stand side by side. */
export function hashedWeight(place: number, head: number): number {
  if (head < PLAIN_HEADS) return WIDE + place * PLAIN_HEADS + head
  return NARROW + (place & (FOLDED - 1)) * FOLDED_HEADS + head - PLAIN_HEADS
}

/** The answer that a weight is of. */
export function headOf(weight: number): number {
  if (weight < WIDE) return weight % HEADS
  if (weight < NARROW) return (weight - WIDE) % PLAIN_HEADS
  return PLAIN_HEADS + ((weight - NARROW) % FOLDED_HEADS)
}

/** Characters from here on stand for -31 to 31. */
export const FIRST_DIGIT = 48
export const LARGEST_DIGIT = 31

/**
 * The margin of log-odds of a lasting fact over those of being worth storing: things hardly worth storing are no
 * lasting facts.
 */
const LASTING_MARGIN = 0.3

/** The model's verdict on one text. */
export interface Judgement {
  /** Log-odds that it is worth storing, calibrated. */
  readonly store: number
  /** Log-odds that it states a lasting fact of the user's own, calibrated. */
  readonly semantic: number
  readonly kinds: Float64Array
  /** Probability of each of CATEGORIES. */
  readonly categories: Float64Array
}

/** The file that bench/training/write-decision.ts writes. */
export interface WriteDecisionWeights {
  /** The largest weight of each answer. */
  readonly scales: readonly number[]
  /** The calibration of the model's sums to log-odds that hold on unseen messages. */
  readonly calibration: Calibration
  /** One character a weight, feature by feature, the answers side by side. */
  readonly weights: string
}

const model = lazy(() => {
  const { weights, scales, calibration } = weightFile<WriteDecisionWeights>('write-decision')
  return { table: decodeWeights(weights, scales), calibration }
})

/** The verdict on a text, which the caller has cut to its read part; it is shared and must not be changed. */
export const writeJudgement = readOnce('judgement', (text): Judgement => {
  const { table, calibration } = model()
  return judgeWith(table, featuresOf(text), calibration)
})

const LASTING_WISH = KINDS.findIndex(({ reason, store }) => reason === 'style_wish' && store)

/** The probability above which a text is taken for a wish. */
export const LIKELY_WISH = 0.5

/** The probability that a text wishes something of the assistant's answers from now on. */
export function wishOf({ kinds }: Pick<Judgement, 'kinds'>): number {
  return kinds[LASTING_WISH]!
}

/** The verdict on features; with other weights, for training. */
export function judgeWith(
  table: Float32Array,
  { at, value, hashedFrom, chinese }: Features,
  calibration: Calibration = model().calibration,
): Judgement {
  const sums = new Float64Array(FOLDED_HEADS)
  let storing = 0
  let lasting = 0
  for (let position = 0; position < at.length; position++) {
    const place = at[position]!
    const meant = position < hashedFrom
    // As in `hashedWeight`.
    const row = meant ? place * HEADS : WIDE + place * PLAIN_HEADS
    const folded = meant ? row + PLAIN_HEADS : NARROW + (place & (FOLDED - 1)) * FOLDED_HEADS
    const weight = value[position]!
    storing += table[row]! * weight
    lasting += table[row + 1]! * weight
    for (let head = 0; head < FOLDED_HEADS; head++) sums[head]! += table[folded + head]! * weight
  }
  const kinds = softmax(sums.subarray(0, KINDS.length))
  let storingKinds = 0
  let lastingKinds = 0
  for (let kind = 0; kind < KINDS.length; kind++) {
    if (KINDS[kind]!.store) storingKinds += kinds[kind]!
    if (KINDS[kind]!.semantic) lastingKinds += kinds[kind]!
  }
  const language = chinese ? 1 : 0
  const store = calibration.store * (storing + logOdds(storingKinds)) + calibration.storeShift[language]
  const semantic = calibration.semantic * (lasting + logOdds(lastingKinds)) + calibration.semanticShift[language]
  return {
    store,
    semantic: Math.min(semantic, store - LASTING_MARGIN),
    kinds,
    categories: softmax(sums.subarray(KINDS.length)),
  }
}

/** The weight of the digit at a place: the square root of its share of `scale`, in LARGEST_DIGIT steps to each side of 0. */
export function weightOf(digits: string, at: number, scale: number): number {
  const code = digits.charCodeAt(at)
  const digit = ((code === 126 ? 92 : code) - FIRST_DIGIT - LARGEST_DIGIT) / LARGEST_DIGIT
  return Math.sign(digit) * digit * digit * scale
}

function decodeWeights(digits: string, scales: readonly number[]): Float32Array {
  const table = new Float32Array(ALL_WEIGHTS)
  for (let at = 0; at < table.length; at++) table[at] = weightOf(digits, at, scales[headOf(at)]!)
  return table
}

/** Shares of the whole; the sums are overwritten. */
function softmax(sums: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < sums.length; at++) if (sums[at]! > highest) highest = sums[at]!
  let total = 0
  for (let at = 0; at < sums.length; at++) {
    sums[at] = Math.exp(sums[at]! - highest)
    total += sums[at]!
  }
  for (let at = 0; at < sums.length; at++) sums[at]! /= total
  return sums
}

const SMALLEST_PROBABILITY = 1e-6

function logOdds(probability: number): number {
  const held = Math.min(1 - SMALLEST_PROBABILITY, Math.max(SMALLEST_PROBABILITY, probability))
  return Math.log(held / (1 - held))
}
