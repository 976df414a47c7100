/**
 * Does this text of a model hold a number or a name that nobody said? Details may not be made up ("47 years", "Acme
 * Hosting"); days may be worked out, so they are left alone.
 */
import { hasHan } from '../../language/character-class.ts'
import { chineseNumber, ENGLISH_NUMBERS, yearNumber } from '../../language/number-words.ts'
import { wordList } from '../../language/word-lists.ts'

/** The numbers and the words in Latin letters that an exchange holds. */
export interface SaidDetails {
  readonly numbers: ReadonlySet<number>
  /** Lower-case. */
  readonly words: ReadonlySet<string>
  /** The first letters of each word, for "Norway" and "Norwegian". */
  readonly beginnings: ReadonlySet<string>
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** Days and years as models write them. */
const DATE = new RegExp(
  [
    '\\d{4}-\\d{2}(?:-\\d{2})?(?:T[\\d:.]+Z?)?',
    '(?:\\d{2,4} ?年 ?)?\\d{1,2} ?月(?: ?\\d{1,2} ?[日号])?|\\d{2,4} ?年',
    `\\b${MONTH}\\.? \\d{1,2}(?!\\d)(?:st|nd|rd|th)?(?:[-–]\\d{1,2})?(?:,? \\d{4})?`,
    `\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? \\d{4})?|\\b${MONTH},? \\d{4}`,
  ].join('|'),
  'gi',
)
const NUMBER = /\d+(?:[,.]\d{3}(?!\d))*(?:\.\d+)?/g
const HAN_NUMBER = /[零〇一二两三四五六七八九十百半]+/g
const LATIN_WORD = /[\p{Script=Latin}\p{M}][\p{Script=Latin}\p{M}\d'’]*/gu
/** The number of first letters that make two words one. */
const BEGINNING = 4
const WORDS: ReadonlyMap<string, number> = new Map([
  ...ENGLISH_NUMBERS,
  ...'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at): [string, number] => [word, at + 1]),
  ['once', 1],
  ['twice', 2],
  ['double', 2],
  ['couple', 2],
  ['pair', 2],
  ['half', 0.5],
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])
/** The words of a model for those who speak: no names. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'users', 'assistant', 'ai'])
const CAPITAL = /^\p{Lu}/u
/** The beginning of a line or sentence, where any word has a capital. */
const BEGINS = /(?:^|[.!?:;"“”‘(\n—–-])\s{0,40}['"“‘(]{0,40}$/u

/** The details of these texts; with the day on which they were said, the years too that are reckoned from it: "for 3 years". */
export function saidDetails(text: string, saidAt: number | null = null): SaidDetails {
  const words = new Set(latinWords(text).map(({ word }) => word))
  const numbers = new Set([...digits(text), ...spelled(text), ...inHan(text)])
  const year = saidAt === null ? null : new Date(saidAt).getUTCFullYear()
  const reckoned =
    year === null ? [] : [0, 1, 2, ...numbers].filter(Number.isInteger).flatMap((n) => [year - n, year + n])
  return {
    words,
    beginnings: new Set([...words].flatMap(beginningsOf)),
    numbers: new Set([...numbers, ...reckoned]),
  }
}

/** A double letter counts once: "Marakesh" was meant as Marrakesh. */
function beginningsOf(word: string): readonly string[] {
  return [word, word.replace(/(.)\1/gu, '$1')].map((letters) => letters.slice(0, BEGINNING))
}

/** true when the text holds a number or a name that is not among the details. */
export function holdsUnsaidDetail(text: string, said: SaidDetails): boolean {
  const undated = text.replace(DATE, ' ').replace(/(\d{1,2}):\d{2}/g, '$1')
  return digits(undated).some((number) => !isSaid(number, said)) || names(undated).some((name) => !isNamed(name, said))
}

/** The number one is no detail; 15 o'clock may have been said as 3. */
function isSaid(number: number, { numbers }: SaidDetails): boolean {
  return number <= 1 || numbers.has(number) || (number > 12 && number < 24 && numbers.has(number - 12))
}

function isNamed(name: string, { words, beginnings }: SaidDetails): boolean {
  return words.has(name) || (name.length >= BEGINNING && beginningsOf(name).some((letters) => beginnings.has(letters)))
}

/** Words with a capital inside a sentence; among Han every word in Latin letters. */
function names(text: string): readonly string[] {
  const isHan = hasHan(text)
  const words = latinWords(text)
  const long = words.filter(({ word }) => word.length >= BEGINNING)
  // A capital in A Title Written Like This tells no name.
  if (!isHan && long.length > 2 && long.every(({ written }) => CAPITAL.test(written))) return []
  return words
    .filter(({ written, at }) => isHan || (CAPITAL.test(written) && !BEGINS.test(text.slice(Math.max(0, at - 8), at))))
    .map(({ word }) => word)
    .filter((word) => word.length > 1 && !SPEAKERS.has(word) && !wordList('no-names').has(word))
}

function latinWords(text: string): readonly { readonly word: string; readonly written: string; readonly at: number }[] {
  return [...text.matchAll(LATIN_WORD)].map(({ 0: written, index }) => ({
    word: written.toLowerCase().replace(/['’](?:s|m|re|ve|ll|d)?$/, ''),
    written,
    at: index,
  }))
}

function digits(text: string): readonly number[] {
  return (text.match(NUMBER) ?? []).map((number) => Number(number.replaceAll(',', ''))).filter(Number.isFinite)
}

/** "twenty-five" is 20, 5 and 25. */
function spelled(text: string): readonly number[] {
  const found = latinWords(text).map(({ word }) => WORDS.get(word))
  return found.flatMap((number, at) => {
    const next = found[at + 1]
    if (number === undefined) return []
    if (next === undefined) return [number]
    return [number, number >= 20 && number < 100 && next < 10 ? number + next : number * next]
  })
}

function inHan(text: string): readonly number[] {
  return (text.match(HAN_NUMBER) ?? []).flatMap((number) => [
    chineseNumber(number),
    yearNumber(number),
    ...[...number].map(chineseNumber),
  ])
}
