/**
 * Do two lines that are alike letter by letter give different values: port 8080 and 8081, 深色 and 浅色, must and must not?
 * Then they are no duplicates (004 counts letters; readers of the notes count values).
 */

import { chineseNumber } from '../../language/chinese-numbers.ts'
import { ENGLISH_NUMBERS, SMALL_NUMBERS, TENS } from '../../language/english-numbers.ts'
import { contrasts, deniesOtherwise, ownSpans, type Span } from '../../thinking/similarity/contrast.ts'
import { textProfile } from '../../thinking/similarity/rules.ts'

const NUMBER_WORD = new RegExp(
  `\\b(?:${TENS.join('|')})(?:[- ](?:${SMALL_NUMBERS.slice(1, 10).join('|')}))?\\b|\\b(?:${SMALL_NUMBERS.join('|')})\\b`,
  'gi',
)
/** 十分 is "very" where no minutes follow. */
const HAN_NUMBER = /(?!十分(?!钟|之))[零〇一二两三四五六七八九十百半]+/g
const DIGITS = /\d+(?:[.:]\d{1,40})*/g

/** Pairs of opposite words, too common elsewhere to count as content. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bon\b/i, /\boff\b/i],
  [/\bin\b/i, /\bout\b/i],
  [/\bup\b/i, /\bdown\b/i],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\bwith\b/i, /\bwithout\b/i],
  [/\bmore\b/i, /\bless\b/i],
  [/\balways\b/i, /\bnever\b/i],
  [/(?<!不)(?:要|得|必须)/, /不用|不必|无需|无须|不要|别/],
]
/** A value is a word or two, or as many Han characters as a name has; longer differences are another way to say it. */
const LONGEST_VALUE = { words: 2, characters: 3 } as const

/** Whether `text` gives a value that `known` does not give: a number, a name, a word in the same place, or a denial. */
export function givesOtherValue(text: string, known: string): boolean {
  const [mine, theirs] = [inDigits(text), inDigits(known)]
  const numbers = new Set(theirs.match(DIGITS) ?? [])
  if ((mine.match(DIGITS) ?? []).some((number) => !numbers.has(number))) return true
  if (deniesOtherwise(mine, theirs) || areOpposite(mine, theirs) || namesOther(text, known)) return true
  const [a, b] = [textProfile(mine), textProfile(theirs)]
  return contrasts(
    ownSpans(mine, a.tokens, b.terms).filter(isValue),
    ownSpans(theirs, b.tokens, a.terms).filter(isValue),
  )
}

/** 腾讯云 and 阿里云: where the lines part stands another word of two or three characters, and nothing else differs. */
function namesOther(a: string, b: string): boolean {
  let from = 0
  while (from < a.length && a[from] === b[from]) from += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA -= 1
    endB -= 1
  }
  return HAN_NAME.test(a.slice(from, endA)) && HAN_NAME.test(b.slice(from, endB))
}

const HAN_NAME = /^\p{Script=Han}{2,3}$/u

function isValue({ text, named, numeric }: Span): boolean {
  if (named || numeric) return true
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > 0 ? han <= LONGEST_VALUE.characters : text.split(/\s+/).length <= LONGEST_VALUE.words
}

function areOpposite(a: string, b: string): boolean {
  return OPPOSITES.some(([one, other]) => {
    const [first, second] = [one.test(a) && !other.test(a), other.test(b) && !one.test(b)]
    const [third, fourth] = [other.test(a) && !one.test(a), one.test(b) && !other.test(b)]
    return (first && second) || (third && fourth)
  })
}

/** "six" and 六 are 6, so that another way to write a number is no other number. */
function inDigits(text: string): string {
  return text
    .replace(NUMBER_WORD, (word) => String(wordValue(word.toLowerCase())))
    .replace(HAN_NUMBER, (number) => (number === '一' ? number : String(chineseNumber(number))))
}

function wordValue(word: string): number {
  return word.split(/[- ]/).reduce((sum, part) => sum + (ENGLISH_NUMBERS.get(part) ?? 0), 0)
}
