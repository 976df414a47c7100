/**
 * What is the standing of a sentence: present, beginning, ending, correcting, past, or no statement (question, wish,
 * hypothesis, hearsay)? Changes are judged by a small model, the rest by words alone.
 */
import { readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { weightFile } from '../../language/word-lists.ts'
import { featuresOf, HASHED_FEATURES, MEANT_FEATURES } from '../write-decision/features.ts'
import { weightOf } from '../write-decision/linear-model.ts'
import { asks, CUE_NAMES, type Cues, cuesOf, NOW } from './stance-cues.ts'

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

const model = lazy(() => {
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

/** The standing of a text's statement, by its words. */
export interface Stance {
  /** Whether something takes a place: now, switched, moved, the first day, 换成, 搬到, 入职. */
  readonly begins: boolean
  /** Whether the change is named as one, or with the replaced thing: switched, instead, 换成, 改用. */
  readonly replaces: boolean
  /** Whether something is over: quit, sold, no longer, 不再, 退了. */
  readonly ends: boolean
  /** A mistake is put right: actually, I meant, 说错了. */
  readonly corrects: boolean
  /** The mistake itself is named: misread, mixed up, 记错了; "actually" and 其实 alone name none. */
  readonly mistaken: boolean
  /** Whether it was so once: used to, years ago, 以前, 小时候. */
  readonly past: boolean
  /** Whether it comes on top: also, too, 也, 另外. */
  readonly adds: boolean
  /** Whether it is less than sure: I think, maybe, 好像. */
  readonly hedged: boolean
  /** A question, a wish, a plan, a hypothesis, hearsay: nothing that is so. */
  readonly unreal: boolean
  /** Log-odds that it tells of a change at all; 0 is as likely as not. */
  readonly change: number
}

/** Reads the standing of a text: all that its statements show. */
export const stanceOf = readOnce('stance', read)

function read(text: string): Stance {
  const sentences = splitSentences(spelledOut(text)).map(stanceOfSentence)
  const real = sentences.filter(({ unreal }) => !unreal)
  if (sentences.length === 1 || real.length === 0) return sentences[0] ?? stanceOfSentence(text)
  const some = (flag: keyof Stance): boolean => real.some((stance) => stance[flag])
  const newsBeside = real.some((stance) => !stance.past && (stance.begins || stance.ends || stance.corrects))
  return {
    replaces: some('replaces'),
    begins: some('begins'),
    ends: some('ends'),
    corrects: some('corrects'),
    mistaken: some('mistaken'),
    past: some('past') && !newsBeside,
    adds: some('adds'),
    hedged: some('hedged'),
    unreal: false,
    change: Math.max(...real.map(({ change }) => change)),
  }
}

/** The reason for what is told, at the end: its past and its ends are none of the statement's. */
const REASON = /(?:[，,]\s{0,9}(?:因为|由于)|[，,]?\s{1,9}because\s)[^，,。.;；]{1,200}[。.!！]?$/iu

function stanceOfSentence(sentence: string): Stance {
  const text = sentence.replace(REASON, '')
  const cues = cuesOf(text)
  const odds = stanceOddsOf(text, cues)
  const kinds = kindsOf(odds, cues)
  const replaces = kinds.has('replaces')
  return {
    replaces,
    begins: replaces || kinds.has('begins'),
    ends: kinds.has('ends'),
    corrects: cues.mistaken || kinds.has('corrects'),
    mistaken: cues.mistaken,
    past: (cues.past || odds.past > 0) && !NOW.test(text.replaceAll('’', "'")),
    adds: cues.adds,
    hedged: cues.hedged,
    unreal: cues.unreal || asks(text),
    change: odds.change,
  }
}

const KINDS = ['begins', 'replaces', 'ends', 'corrects'] as const

/** The kinds of change that a word names; where a change is likely, those that are, or the likeliest of them. */
function kindsOf(odds: Readonly<Record<StanceHead, number>>, cues: Cues): ReadonlySet<StanceHead> {
  const isLikely = odds.change > 0
  const said = KINDS.filter((kind) => cues[kind] || (isLikely && odds[kind] > 0))
  if (said.length > 0 || !isLikely) return new Set(said)
  return new Set([KINDS.reduce((best, kind) => (odds[kind] > odds[best] ? kind : best))])
}
