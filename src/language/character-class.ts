/** The kinds of characters for cutting a text into terms, filled in as characters are first seen. */

/** Spaces, punctuation, symbols, emoji, controls, lone surrogates. */
export const SEPARATOR = 0
/** ASCII letters and digits. */
export const ASCII_WORD = 1
/** Letters, digits and marks of scripts that put spaces between words. */
export const OTHER_WORD = 2
/** Han, kana, hangul, Thai and other characters of scripts that are cut into pairs. */
export const UNSPACED = 3
/** `_`, `-`, `.` and apostrophes: join the words on both sides when nothing stands between. */
export const JOINER = 4
/** First half of a pair; the pair is judged by `classOfPair`. */
export const HIGH_SURROGATE = 5

const UNKNOWN = 255
const classes = new Uint8Array(65_536).fill(UNKNOWN)

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u

/** The class of a code unit, 0 to 0xFFFF. */
export function classOf(code: number): number {
  const known = classes[code]!
  return known === UNKNOWN ? learn(code) : known
}

/** The class of a character outside the basic plane, given as two code units; a half without its other half separates. */
export function classOfPair(pair: string): number {
  if (pair.codePointAt(0)! <= 0xffff) return SEPARATOR
  if (UNSPACED_SCRIPT.test(pair) && WORD_CHARACTER.test(pair)) return UNSPACED
  return WORD_CHARACTER.test(pair) ? OTHER_WORD : SEPARATOR
}

function learn(code: number): number {
  const found = judge(code)
  classes[code] = found
  return found
}

function judge(code: number): number {
  const character = String.fromCharCode(code)
  if (code < 128) {
    if (/[A-Za-z0-9]/.test(character)) return ASCII_WORD
    return /[_\-.']/.test(character) ? JOINER : SEPARATOR
  }
  if (character === '’') return JOINER
  if (code >= 0xd800 && code <= 0xdbff) return HIGH_SURROGATE
  if (!WORD_CHARACTER.test(character)) return SEPARATOR
  return UNSPACED_SCRIPT.test(character) ? UNSPACED : OTHER_WORD
}

/** true for at most one character, of one or two code units: too little to carry a meaning. */
export function isOneCharacter(term: string): boolean {
  return term.length < 2 || (term.length === 2 && term.codePointAt(0)! > 0xffff)
}

let segmenter: Intl.Segmenter | undefined

/** The words of a text by the dictionary of Chinese words, which takes ten milliseconds to load. */
export function chineseWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const HAN = /\p{Script=Han}/u
/** Chinese characters; each carries as much as two letters. */
const EACH_HAN = new RegExp(HAN, 'gu')

/** true when a text has a Chinese character. */
export function hasHan(text: string): boolean {
  return HAN.test(text)
}

/** Characters that are read to tell a text's language. */
const LOOKED_AT = 2000

/** true when most of a text is in letters that the table knows; of a Chinese text it would know function names only. */
export function isLatin(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT)
  let latin = 0
  for (let at = 0; at < beginning.length; at += 1) {
    const lowercase = beginning.charCodeAt(at) | 0x20
    if (lowercase >= 0x61 && lowercase <= 0x7a) latin += 1
  }
  return latin >= 2 && (!hasHan(beginning) || latin > 2 * beginning.match(EACH_HAN)!.length)
}

/** The text in small letters, character for character; expressions read them twice as fast as letters of any case. */
export function inSmallLetters(text: string): string {
  return text.replaceAll('İ', 'ı').toLowerCase()
}

/**
 * Letters or a range of them for a class of characters, in both cases: where `i` changes inside an expression, V8 may
 * lose capitals once others have run. An escape stays as it is.
 */
export function bothCases(letters: string): string {
  return letters.startsWith('\\') ? letters : letters.toLowerCase() + letters.toUpperCase()
}
