/**
 * What does a message show that a linear model can weigh? Meanings of its words, alone and in pairs within a clause, its
 * shape, and its letters and words. The same features at training and at work, in the same order.
 */
import { isQuestion } from '../../text/questions.ts'
import { CHINESE } from './lexicon-chinese.ts'
import { ENGLISH } from './lexicon-english.ts'
import { MEANINGS, type Meaning } from './meaning.ts'
import { ownWords } from './own-words.ts'
import { growTree, type PhraseNode, walkPhrases } from './phrase-tree.ts'
import { SHAPES, shapeOf } from './shape.ts'
import { cutWords, plain } from './words.ts'

const M = MEANINGS.length
const PAIR_COUNT = (M * (M - 1)) / 2
/** Where each group of features begins. */
const FIRST_CLAUSE = M
const LAST_CLAUSE = 2 * M
const OPENING = 3 * M
const PAIRS = 4 * M
const SHAPE = PAIRS + PAIR_COUNT
/** Features with a meaning of their own; behind them come the hashed letters and words. */
export const MEANT_FEATURES = SHAPE + SHAPES.length
/** Hashed letters and words fall into this many places; a power of two. */
export const HASHED_FEATURES = 1 << 13
export const ALL_FEATURES = MEANT_FEATURES + HASHED_FEATURES

const LONGEST_GRAM = 4
/** How much all letters together and all words together weigh against one meaning. */
const LETTERS_WEIGHT = 3
const WORDS_WEIGHT = 2

/** Numbers of features and their values, without repeats. */
export interface Features {
  readonly at: Int32Array
  readonly value: Float32Array
}

let tree: PhraseNode | null = null

/** The features of a text, which the caller has cut down to what is looked at. */
export function featuresOf(text: string): Features {
  tree ??= growTree([ENGLISH, CHINESE])
  const own = ownWords(text)
  const prepared = plain(own.text)
  const { words, clauses } = cutWords(prepared)
  const lastClause = clauses.at(-1) ?? 0
  const active = new Map<number, number>()
  const perClause: Set<number>[] = Array.from({ length: lastClause + 1 }, () => new Set<number>())
  walkPhrases(tree, words, (meaning, start) => {
    const clause = clauses[start]!
    perClause[clause]!.add(meaning)
    active.set(meaning, 1)
    if (clause === 0) active.set(FIRST_CLAUSE + meaning, 1)
    if (clause === lastClause) active.set(LAST_CLAUSE + meaning, 1)
    if (start === 0) active.set(OPENING + meaning, 1)
  })
  markShapedWords(words, clauses, perClause, active)
  for (const meanings of perClause) addPairs(meanings, active)
  for (const shape of shapeOf(text, prepared, words, perClause, isQuestion(own.text), own.pasted))
    active.set(SHAPE + shape, 1)
  addHashed(letterGrams(prepared), LETTERS_WEIGHT, active)
  addHashed(wordGrams(words), WORDS_WEIGHT, active)
  return pack(active)
}

const NUMBER = MEANINGS.indexOf('number')
const CLOCK = MEANINGS.indexOf('clock')
const SHAPED = MEANINGS.indexOf('shape' satisfies Meaning)

/** Figures, times of day, and words that look like model names, versions, paths or keys. */
function markShapedWords(
  words: readonly string[],
  clauses: readonly number[],
  perClause: readonly Set<number>[],
  active: Map<number, number>,
): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word.length === 1 && !/\d/.test(word)) continue
    let meaning = -1
    if (/^\d+(?:[.,]\d+)?(?:st|nd|rd|th)?$/.test(word)) meaning = NUMBER
    else if (/^\d{1,2}(?::\d\d)?(?:am|pm)$|^\d{1,2}:\d\d$/.test(word)) meaning = CLOCK
    else if (/\d/.test(word) && /[a-z]/.test(word)) meaning = SHAPED
    else if (/[/_@:=]/.test(word) || /^[a-z0-9]+(?:\.[a-z0-9]+)+$/.test(word)) meaning = SHAPED
    if (meaning < 0) continue
    perClause[clauses[at]!]!.add(meaning)
    active.set(meaning, 1)
  }
}

function addPairs(meanings: ReadonlySet<number>, active: Map<number, number>): void {
  const list = [...meanings].sort((a, b) => a - b)
  for (let high = 1; high < list.length; high++) {
    const row = PAIRS + (list[high]! * (list[high]! - 1)) / 2
    for (let low = 0; low < high; low++) active.set(row + list[low]!, 1)
  }
}

/** FNV-1a over the characters of a piece, folded into the hashed features. */
function place(text: string, from: number, to: number, salt: number): number {
  let hash = 0x811c9dc5 ^ salt
  for (let at = from; at < to; at++) {
    let code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) code = 48
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash & (HASHED_FEATURES - 1)
}

function letterGrams(prepared: string): Map<number, number> {
  const counts = new Map<number, number>()
  const text = ` ${prepared.replace(/\s+/g, ' ').trim()} `
  for (let from = 0; from < text.length; from++) {
    for (let length = 1; length <= LONGEST_GRAM && from + length <= text.length; length++) {
      const at = place(text, from, from + length, length)
      counts.set(at, (counts.get(at) ?? 0) + 1)
    }
  }
  return counts
}

function wordGrams(words: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (let at = 0; at < words.length; at++) {
    const one = words[at]!
    const first = place(one, 0, one.length, 17)
    counts.set(first, (counts.get(first) ?? 0) + 1)
    const two = `${words[at - 1] ?? ''} ${one}`
    const second = place(two, 0, two.length, 23)
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  return counts
}

/** Damped counts, scaled so that all of them together have the given length. */
function addHashed(counts: ReadonlyMap<number, number>, weight: number, active: Map<number, number>): void {
  let squares = 0
  for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2
  const scale = weight / Math.sqrt(squares || 1)
  for (const [at, count] of counts) {
    const index = MEANT_FEATURES + at
    active.set(index, (active.get(index) ?? 0) + (1 + Math.log(count)) * scale)
  }
}

function pack(active: ReadonlyMap<number, number>): Features {
  const at = new Int32Array(active.size)
  const value = new Float32Array(active.size)
  let position = 0
  for (const [feature, weight] of active) {
    at[position] = feature
    value[position++] = weight
  }
  return { at, value }
}
