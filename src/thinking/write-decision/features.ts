/**
 * Which features of a message can a linear model weigh? Meanings of words, alone and in pairs within a clause, shape,
 * letters and words, in one order at training and at work.
 */
import { readOnce } from '../../domain/read-once.ts'
import { isQuestion } from '../../language/questions.ts'
import { spelledOut } from '../../language/spelling.ts'
import { Grams } from './hashed-grams.ts'
import { MEANINGS, walkMeanings } from './lexicon.ts'
import { type OwnWords, ownWords } from './own-words.ts'
import { shapesOf } from './shape.ts'
import { cutWords, plain } from './words.ts'

const M = MEANINGS.length
const PAIR_COUNT = (M * (M - 1)) / 2
/** The beginning of each group of features. */
const FIRST_CLAUSE = M
const LAST_CLAUSE = 2 * M
const OPENING = 3 * M
const PAIRS = 4 * M
const SHAPE = PAIRS + PAIR_COUNT
/** Features with a meaning of their own; behind them come the hashed letters and words. */
export const MEANT_FEATURES = SHAPE + Object.keys(shapesOf('', '', [], [], false, 0, 0)).length
/** How much all letters together and all words together weigh against one meaning. */
const LETTERS_WEIGHT = 3
const WORDS_WEIGHT = 2

/** Numbers of features and their values; from `hashedFrom` on they are hashed ones, less MEANT_FEATURES. */
export interface Features {
  readonly at: Int32Array
  readonly value: Float32Array
  readonly hashedFrom: number
  /** More Han characters than Latin words. */
  readonly chinese: boolean
}

/** The most characters with kept features, at some forty bytes each: the message at hand and its comparisons. */
const MOST_CHARACTERS = 16_384

/** The features of a text, which the caller has cut to its read part. */
export const featuresOf = readOnce('features', (text): Features => read(text, ownWords(text)), MOST_CHARACTERS)

function read(text: string, own: OwnWords): Features {
  const prepared = plain(withoutSmileys(spelledOut(own.text)))
  const { words, clauses } = cutWords(prepared)
  const lastClause = clauses.at(-1) ?? 0
  const active = new Set<number>()
  const perClause = Array.from({ length: lastClause + 1 }, () => new Set<number>())
  walkMeanings(words, (meaning, start) => {
    const clause = clauses[start]!
    perClause[clause]!.add(meaning)
    active.add(meaning)
    if (clause === 0) active.add(FIRST_CLAUSE + meaning)
    if (clause === lastClause) active.add(LAST_CLAUSE + meaning)
    if (start === 0) active.add(OPENING + meaning)
  })
  markShapedWords(words, clauses, perClause, active)
  for (const meanings of perClause) addPairs(meanings, active)
  const shapes = shapesOf(text, prepared, words, perClause, isQuestion(own.text), own.pasted, own.unreal)
  for (const [shape, holds] of Object.values(shapes).entries()) if (holds) active.add(SHAPE + shape)
  letters.readLetters(prepared)
  grams.readWords(words)
  return pack([...active], shapes.chinese)
}

const NUMBER = MEANINGS.indexOf('number')
const CLOCK = MEANINGS.indexOf('clock')
const SHAPED = MEANINGS.indexOf('shape')

/** Figures, times of day, and words that look like model names, versions, paths or keys. */
function markShapedWords(
  words: readonly string[],
  clauses: readonly number[],
  perClause: readonly Set<number>[],
  active: Set<number>,
): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!isShaped(word)) continue
    let meaning = -1
    if (/^\d+(?:[.,]\d+)?(?:st|nd|rd|th)?$/.test(word)) meaning = NUMBER
    else if (/^\d{1,2}(?::\d\d)?(?:am|pm)$|^\d{1,2}:\d\d$/.test(word)) meaning = CLOCK
    else if (/\d/.test(word) && /[a-z]/.test(word)) meaning = SHAPED
    else if (/[/_@:=]/.test(word) || /^[a-z0-9]+(?:\.[a-z0-9]+)+$/.test(word)) meaning = SHAPED
    if (meaning < 0) continue
    perClause[clauses[at]!]!.add(meaning)
    active.add(meaning)
  }
}

/** Whether a word has a figure or one of ./:=@_ in it: all others are passed over without a closer look. */
function isShaped(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    if ((code >= 46 && code <= 58) || code === 61 || code === 64 || code === 95) return word.length > 1 || code < 58
  }
  return false
}

/** Pairs of different meanings of one clause. */
function addPairs(meanings: ReadonlySet<number>, active: Set<number>): void {
  for (const high of meanings)
    for (const low of meanings) if (low < high) active.add(PAIRS + (high * (high - 1)) / 2 + low)
}

const letters = new Grams()
const grams = new Grams()

/** All letters together and all words together have a fixed length. */
function pack(active: readonly number[], chinese: boolean): Features {
  const wordsFrom = active.length + letters.count
  const at = new Int32Array(wordsFrom + grams.count)
  const value = new Float32Array(at.length)
  for (let position = 0; position < active.length; position++) {
    at[position] = active[position]!
    value[position] = 1
  }
  letters.take(at, value, active.length, LETTERS_WEIGHT)
  grams.take(at, value, wordsFrom, WORDS_WEIGHT)
  return { at, value, hashedFrom: active.length, chinese }
}

/** Factors and summands that make log-odds of the sums; the shifts for Latin and for Chinese text. */
export interface Calibration {
  readonly store: number
  readonly semantic: number
  readonly storeShift: readonly [number, number]
  readonly semanticShift: readonly [number, number]
}

/** Pictures behind words colour what is told and do not unmake it; alone they are all that is said. */
function withoutSmileys(text: string): string {
  const words = text.replace(/\p{Extended_Pictographic}\p{M}*/gu, '')
  return /\p{L}/u.test(words) ? words : text
}
