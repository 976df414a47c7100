/**
 * How many of what, and which one of a row, does a text name: "two cats", "grade 5", 三班? Two statements that count the same
 * thing differently hardly both hold, though a number alone says little.
 */
import { ENGLISH_NUMBERS, SMALL_NUMBERS } from '../../text/english-numbers.ts'
import { stemOf } from '../facts/words.ts'

/** A number and what it counts or numbers. */
export interface Count {
  readonly number: string
  /** The stem of the noun, or the Chinese characters right behind the number. */
  readonly of: string
}

/** One to twelve in words: larger ones are written in figures. */
const ENGLISH_NUMBER = String.raw`\d{1,5}|${SMALL_NUMBERS.slice(1, 13).join('|')}`
const COUNTED = new RegExp(String.raw`(?<![\w.:-])(${ENGLISH_NUMBER}) ([a-z]{3,})\b`, 'gi')
const NUMBERED = new RegExp(String.raw`\b([a-z]{4,}) (?:is |number |no\.? )?(${ENGLISH_NUMBER})(?![\w:-]|\.\d)`, 'gi')
const CHINESE =
  /(?<![\d.:：第零〇一二两三四五六七八九十百千])(\d{1,5}|[一二两三四五六七八九十]{1,3}) ?(\p{Script=Han})/gu
/** Measures of time, of times, and what follows a number in any talk. */
const NO_THING =
  /^(?:day|week|month|year|hour|minute|second|time|o'clock|thing|people|person|more|less|other|of|and|the|that|who|from|with|about|after|before|until|around|every|than|only|just|over|under|last|next|first)/
const NO_CHINESE_THING = /[个次点下些直起样边般天年月日号时分秒周回遍会定切共旦向旁方面者百千万亿来多几期岁块元两半]/

/** The counts of a text. */
export function countsIn(text: string): readonly Count[] {
  const counts: Count[] = []
  for (const [, number, noun] of text.matchAll(COUNTED)) add(counts, number!, stemOf(noun!.toLowerCase()))
  for (const [, noun, number] of text.matchAll(NUMBERED)) add(counts, number!, stemOf(noun!.toLowerCase()))
  for (const [, number, thing] of text.matchAll(CHINESE))
    if (!NO_CHINESE_THING.test(thing!)) counts.push({ number: number!, of: thing! })
  return counts
}

function add(counts: Count[], written: string, of: string): void {
  if (NO_THING.test(of)) return
  counts.push({ number: String(ENGLISH_NUMBERS.get(written.toLowerCase()) ?? written), of })
}

/** Both count or number the same thing, and none of the newer numbers is one of the older. */
export function countedOtherwise(
  newer: { readonly counts: readonly Count[] },
  older: { readonly counts: readonly Count[] },
): boolean {
  return newer.counts.some(({ of }) => {
    const before = older.counts.filter((count) => count.of === of)
    return (
      before.length > 0 &&
      !newer.counts.some((one) => before.some((two) => two.of === one.of && two.number === one.number))
    )
  })
}

const BARE_NUMBER = /(?<![\w.])\d+(?:[.:]\d+)*(?!\w)/g
/** Numbers of one figure stand everywhere. */
const TELLING_FIGURES = 2

/** The newer one repeats a number of the older one and names another beside it: "8081, 8080 is the admin page". */
export function numberBeside(
  { text: newer }: { readonly text: string },
  { text: older }: { readonly text: string },
): boolean {
  const before = numbersIn(older)
  if (before.length === 0) return false
  const now = numbersIn(newer)
  return now.some((number) => before.includes(number)) && now.some((number) => !before.includes(number))
}

function numbersIn(text: string): readonly string[] {
  return (text.match(BARE_NUMBER) ?? []).filter((number) => number.length >= TELLING_FIGURES)
}
