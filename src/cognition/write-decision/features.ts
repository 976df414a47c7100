/**
 * What does a message show that a linear model can weigh? Meanings of its words, alone and in pairs within a clause, its
 * shape, and its letters and words. The same features at training and at work, in the same order.
 */

import { atOnce } from '../../domain/pieces.ts'
import { isQuestion } from '../../text/questions.ts'
import { CHINESE } from './lexicon-chinese.ts'
import { ENGLISH } from './lexicon-english.ts'
import { MEANINGS, type Meaning } from './meaning.ts'
import { type OwnWords, ownWords } from './own-words.ts'
import { growingTree, type PhraseNode, walkPhrases } from './phrase-tree.ts'
import { PREDICATES, predicatesOf } from './predicates.ts'
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
const PREDICATE = SHAPE + SHAPES.length
/** Features with a meaning of their own; behind them come the hashed letters and words. */
export const MEANT_FEATURES = PREDICATE + PREDICATES
/** Hashed letters and words fall into this many places; a power of two. */
export const HASHED_FEATURES = 1 << 15

const LONGEST_GRAM = 4
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

let tree: PhraseNode | null = null

/** Makes the lexicons ready, in pieces; the first text waits for what is not ready by then. */
export function* readyLexicons(): Generator<void, PhraseNode> {
  tree ??= yield* growingTree([ENGLISH, CHINESE])
  return tree
}

/** What was looked at last, since the write decision and the stance ask of the same sentences; forgotten all at once. */
const MOST_REMEMBERED = 64
const LONGEST_REMEMBERED = 300
const remembered = new Map<string, Features>()

/** The features of a text, which the caller has cut down to what is looked at; `own`, if its own words are known already. */
export function featuresOf(text: string, own?: OwnWords): Features {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const features = read(text, own ?? ownWords(text))
  if (text.length > LONGEST_REMEMBERED) return features
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(text, features)
  return features
}

function read(text: string, own: OwnWords): Features {
  const lexicons = tree ?? atOnce(readyLexicons())
  const prepared = plain(own.text)
  const { words, clauses } = cutWords(prepared)
  const lastClause = clauses.at(-1) ?? 0
  const active = new Active()
  const perClause: Set<number>[] = Array.from({ length: lastClause + 1 }, () => new Set<number>())
  const begins: (number[] | null)[] = words.map(() => null)
  walkPhrases(lexicons, words, (meaning, start) => {
    begins[start] ??= []
    begins[start].push(meaning)
    const clause = clauses[start]!
    perClause[clause]!.add(meaning)
    active.add(meaning)
    if (clause === 0) active.add(FIRST_CLAUSE + meaning)
    if (clause === lastClause) active.add(LAST_CLAUSE + meaning)
    if (start === 0) active.add(OPENING + meaning)
  })
  markShapedWords(words, clauses, perClause, active)
  predicatesOf(words, clauses, begins, perClause, (predicate) => active.add(PREDICATE + predicate))
  for (const meanings of perClause) addPairs(meanings, active)
  const shapes = shapeOf(text, prepared, words, perClause, isQuestion(own.text), own.pasted, own.unreal)
  for (const shape of shapes) active.add(SHAPE + shape)
  return pack(active.take(), letterGrams(prepared), wordGrams(words), shapes.includes(CHINESE_SHAPE))
}

const CHINESE_SHAPE = SHAPES.indexOf('chinese')
/** Which features the text at hand has, all zero between two texts. */
const marked = new Uint8Array(MEANT_FEATURES)

/** The features with a meaning that a text has, each once, in the order in which they were met. */
class Active {
  readonly #list: number[] = []

  add(feature: number): void {
    if (marked[feature] === 1) return
    marked[feature] = 1
    this.#list.push(feature)
  }

  /** The features; the next text begins with none. */
  take(): readonly number[] {
    for (const feature of this.#list) marked[feature] = 0
    return this.#list
  }
}

const NUMBER = MEANINGS.indexOf('number')
const CLOCK = MEANINGS.indexOf('clock')
const SHAPED = MEANINGS.indexOf('shape' satisfies Meaning)

/** Figures, times of day, and words that look like model names, versions, paths or keys. */
function markShapedWords(
  words: readonly string[],
  clauses: readonly number[],
  perClause: readonly Set<number>[],
  active: Active,
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
    active.add(meaning)
  }
}

function addPairs(meanings: ReadonlySet<number>, active: Active): void {
  const list = [...meanings].sort((a, b) => a - b)
  for (let high = 1; high < list.length; high++) {
    const row = PAIRS + (list[high]! * (list[high]! - 1)) / 2
    for (let low = 0; low < high; low++) active.add(row + list[low]!)
  }
}

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
const LETTER_SALT = 1
const WORD_SALT = 17
const WORD_PAIR_SALT = 23

/** One more character of an FNV-1a hash; digits are all alike. */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ (code >= 48 && code <= 57 ? 48 : code), FNV_PRIME)
}

/** Spreads a hash (as MurmurHash3 ends) and folds it into the hashed features. */
function fold(hash: number): number {
  let spread = hash ^ (hash >>> 15)
  spread = Math.imul(spread, 0x2c1b3c6d)
  spread ^= spread >>> 13
  return spread & (HASHED_FEATURES - 1)
}

/** How often each place was met, all zero between two texts; a table is several times as fast as a map here. */
const met = new Uint16Array(HASHED_FEATURES)

/** Places of pieces and how often each was met. */
interface Counts {
  readonly places: readonly number[]
  readonly counts: readonly number[]
}

function meet(place: number, places: number[]): void {
  if (met[place] === 0) places.push(place)
  met[place]!++
}

function takeCounts(places: readonly number[]): Counts {
  const counts = places.map((place) => met[place]!)
  for (const place of places) met[place] = 0
  return { places, counts }
}

function letterGrams(prepared: string): Counts {
  const places: number[] = []
  const text = ` ${prepared.replace(/\s+/g, ' ').trim()} `
  for (let from = 0; from < text.length; from++) {
    let hash = FNV_START ^ LETTER_SALT
    const end = Math.min(text.length, from + LONGEST_GRAM)
    for (let at = from; at < end; at++) {
      hash = mix(hash, text.charCodeAt(at))
      meet(fold(hash), places)
    }
  }
  return takeCounts(places)
}

function wordGrams(words: readonly string[]): Counts {
  const places: number[] = []
  let previous = ''
  for (const word of words) {
    meet(placeOf(word, WORD_SALT), places)
    meet(placeOf(`${previous} ${word}`, WORD_PAIR_SALT), places)
    previous = word
  }
  return takeCounts(places)
}

function placeOf(text: string, salt: number): number {
  let hash = FNV_START ^ salt
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return fold(hash)
}

/** Damped counts, scaled so that all letters together and all words together have a fixed length. */
function pack(active: readonly number[], letters: Counts, words: Counts, chinese: boolean): Features {
  const size = active.length + letters.places.length + words.places.length
  const at = new Int32Array(size)
  const value = new Float32Array(size)
  let position = 0
  for (const feature of active) {
    at[position] = feature
    value[position++] = 1
  }
  const add = ({ places, counts }: Counts, length: number): void => {
    let squares = 0
    for (const count of counts) squares += damped(count) ** 2
    const scale = length / Math.sqrt(squares || 1)
    for (let one = 0; one < places.length; one++) {
      at[position] = places[one]!
      value[position++] = damped(counts[one]!) * scale
    }
  }
  add(letters, LETTERS_WEIGHT)
  add(words, WORDS_WEIGHT)
  return { at, value, hashedFrom: active.length, chinese }
}

/** Of the counts that a message has as a rule; longer texts have larger ones. */
const DAMPED = Float64Array.from({ length: 64 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)))

function damped(count: number): number {
  return DAMPED[count] ?? 1 + Math.log(count)
}
