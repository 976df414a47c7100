/**
 * Which features of a message can a linear model weigh? Meanings of words, alone and in pairs within a clause, shape,
 * letters and words, in one order at training and at work.
 */
import { readOnce } from '../../domain/read-once.ts'
import { isQuestion } from '../../language/questions.ts'
import { singleSpaced, spelledOut } from '../../language/spelling.ts'
import { type OwnWords, ownWords } from './own-words.ts'
import { cutWords, MEANINGS, normalizedText, walkMeanings } from './word-meanings.ts'

/** Hashed letters and words fall into this many places; a power of two. */
export const HASHED_FEATURES = 1 << 15

const LONGEST_GRAM = 4
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
const LETTER_SALT = 1
const WORD_SALT = 17
const WORD_PAIR_SALT = 23
const SPACE = 32

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

function mixAll(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

/** The damped counts for the usual counts of a message; longer texts have larger ones. */
const DAMPED = Float64Array.from({ length: 64 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)))

function damped(count: number): number {
  return count < DAMPED.length ? DAMPED[count]! : 1 + Math.log(count)
}

/** Places of pieces, in the order in which they were met, and how often each was. */
class Grams {
  /** How often each place was met by the text at hand, all zero between two texts; several times as fast as a map. */
  readonly #met = new Uint16Array(HASHED_FEATURES)
  #places = new Int32Array(1024)
  #damped = new Float64Array(1024)
  #count = 0

  /** How many places there are. */
  get count(): number {
    return this.#count
  }

  /** Takes the runs of letters of a prepared text. */
  readLetters(prepared: string): void {
    const text = ` ${singleSpaced(prepared).trim()} `
    this.#makeRoom(text.length * LONGEST_GRAM)
    for (let from = 0; from < text.length; from++) {
      let hash = FNV_START ^ LETTER_SALT
      const end = Math.min(text.length, from + LONGEST_GRAM)
      for (let at = from; at < end; at++) {
        hash = mix(hash, text.charCodeAt(at))
        this.#meet(fold(hash))
      }
    }
  }

  /** Takes words, and pairs of neighbours; the first word is paired with nothing. */
  readWords(words: readonly string[]): void {
    this.#makeRoom(words.length * 2)
    let before = FNV_START ^ WORD_PAIR_SALT
    for (const word of words) {
      this.#meet(fold(mixAll(FNV_START ^ WORD_SALT, word)))
      this.#meet(fold(mixAll(mix(before, SPACE), word)))
      before = mixAll(FNV_START ^ WORD_PAIR_SALT, word)
    }
  }

  /**
   * Writes places and damped counts from a position on, scaled to a common length, and empties itself for the next
   * text.
   */
  take(at: Int32Array, value: Float32Array, position: number, length: number): void {
    const places = this.#places
    let squares = 0
    for (let one = 0; one < this.#count; one++) {
      const place = places[one]!
      const weight = damped(this.#met[place]!)
      this.#met[place] = 0
      this.#damped[one] = weight
      squares += weight * weight
    }
    const scale = length / Math.sqrt(squares || 1)
    for (let one = 0; one < this.#count; one++) {
      at[position + one] = places[one]!
      value[position + one] = this.#damped[one]! * scale
    }
    this.#count = 0
  }

  #meet(place: number): void {
    if (this.#met[place] === 0) this.#places[this.#count++] = place
    this.#met[place]!++
  }

  #makeRoom(most: number): void {
    if (most <= this.#places.length) return
    this.#places = new Int32Array(most)
    this.#damped = new Float64Array(most)
  }
}

const numbersOf = (names: string): readonly number[] => names.split(' ').map((name) => MEANINGS.indexOf(name))
const SELF = numbersOf('self own we')
const KIN = numbersOf('kin acquaintance third pet')
const ASKS = numbersOf('ask particle')
const TASKS = numbersOf('task request pasting work')
const QUOTED = /["“”「『《‘]([^"“”」』》’]{2,200})["“”」』》’]/
const LONG_QUOTE = 25
const LONG_QUOTE_HAN = 10
const CODE_MARKS = /[{};]\s{0,40}$|=>|\(\)|==|<\/?\w{1,40}>|^\s{0,40}(?:at |import |def |function |select |\$ )/im

type ClauseMeanings = readonly ReadonlySet<number>[]

/** Whether a text has each shape; their order is the order of their weights. */
function shapesOf(
  text: string,
  prepared: string,
  words: readonly string[],
  clauses: ClauseMeanings,
  asks: boolean,
  pasted: number,
  unreal: number,
) {
  const { han, latin } = countScripts(prepared)
  const chinese = han > latin
  const size = chinese ? Math.ceil(words.length * 0.62) : words.length
  const { count, self, selfAside, selfBesideTask, task, kin, stated } = surveyClauses(clauses)
  const quote = QUOTED.exec(text)?.[1] ?? ''
  const isLongQuote = quote.length >= (/[\u3400-\u9fff]/.test(quote) ? LONG_QUOTE_HAN : LONG_QUOTE)
  const colon = text.search(/[:：]/)
  const emoji = /\p{Extended_Pictographic}/u.test(text)
  const letters = /[\p{L}\p{N}]/u.test(text)
  return {
    always: true,
    chinese,
    mixed: han > 0 && latin > 0,
    'one word': size <= 1,
    'up to 3 words': size > 1 && size <= 3,
    'up to 6 words': size > 3 && size <= 6,
    'up to 12 words': size > 6 && size <= 12,
    'up to 25 words': size > 12 && size <= 25,
    'up to 50 words': size > 25 && size <= 50,
    long: size > 50,
    'one clause': count <= 1,
    'two clauses': count === 2,
    'three or four clauses': count === 3 || count === 4,
    'many clauses': count > 4,
    'asks at the end': asks,
    'asks at the end, short': asks && size <= 12,
    'mark of a question inside': /[?？](?=.{0,200}\p{L})/su.test(text),
    'a statement before the question': asks && stated,
    'self in a clause that does not ask': selfAside,
    'self only in clauses that ask': self && !selfAside,
    'self and task in different clauses': task && selfBesideTask,
    'no self': !self,
    'no self, asks': !self && asks,
    'no self, no kin, asks': !self && !kin && asks,
    'no self, task': !self && task,
    'kin without self': kin && !self,
    'quoted, long': isLongQuote,
    'quoted, short': quote !== '' && !isLongQuote,
    'colon, then much': colon > 0 && text.length - colon > (chinese ? 12 : 40),
    'colon early': colon > 0 && colon < (chinese ? 12 : 40),
    'several lines': text.trim().includes('\n'),
    'block of code': text.includes('```'),
    'code marks': CODE_MARKS.test(text),
    'many figures': (text.match(/\d/g)?.length ?? 0) > 5,
    exclamation: /[!！]/.test(text),
    'several exclamations': /[!！].{0,200}[!！]/s.test(text),
    emoji,
    'emoji only': emoji && !letters,
    'no letters': !letters,
    ellipsis: /…|\.\.\./.test(text),
    'equals sign': /\S=\S/.test(text),
    'ends in a stop': /[.。]\s{0,40}$/.test(text),
    'foreign half': han > 2 && latin > 4,
    dialogue: /^.{1,8}[:：].*\n.{1,8}[:：]/s.test(text),
    'repeated letters': /(\p{L})\1\1/u.test(text),
    'pasted, a little': pasted > 0.05 && pasted <= 0.4,
    'pasted, half': pasted > 0.4 && pasted <= 0.8,
    'pasted, nearly all': pasted > 0.8,
    unreal: unreal > 0,
    'nothing but unreal': unreal > 0 && words.length < 4,
  }
}

/** The counts of self, kin, tasks and questions over all clauses. */
function surveyClauses(clauses: ClauseMeanings) {
  let count = 0
  let self = false
  let selfAside = false
  let selfBesideTask = false
  let task = false
  let kin = false
  let stated = false
  for (const meanings of clauses) {
    if (meanings.size === 0) continue
    count++
    const has = (one: number): boolean => meanings.has(one)
    const asks = ASKS.some(has)
    const tasks = TASKS.some(has)
    if (SELF.some(has)) {
      self = true
      if (!asks) selfAside = true
      if (!tasks) selfBesideTask = true
    }
    if (tasks) task = true
    if (KIN.some(has)) kin = true
    if (meanings.size > 1 && !asks) stated = true
  }
  return { count, self, selfAside, selfBesideTask, task, kin, stated }
}

/** How many Han characters, and how many runs of the letters a to z. */
function countScripts(prepared: string): { readonly han: number; readonly latin: number } {
  let han = 0
  let latin = 0
  let inside = false
  for (let at = 0; at < prepared.length; at++) {
    const code = prepared.charCodeAt(at)
    const letter = code >= 97 && code <= 122
    if (letter && !inside) latin++
    else if (code >= 0x3400 && code <= 0x9fff) han++
    inside = letter
  }
  return { han, latin }
}

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
  const prepared = normalizedText(withoutSmileys(spelledOut(own.text)))
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
