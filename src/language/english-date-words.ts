/** Which words name months, days and numbers in an English date? Sources of patterns, and what a match of them means. */
import type { DateRule } from './date-rule.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** A pattern with one group: a month, whole or abbreviated. */
export const ENGLISH_MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** A pattern with one group: a weekday, whole or abbreviated. */
export const WEEKDAY =
  '(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)'
/** A pattern with one group: a whole weekday. */
export const FULL_WEEKDAY = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday)'

/** A rule between word boundaries, by default blind to case. */
export function englishRule(source: string, span: DateRule['span'], flags = 'gi'): DateRule {
  return { pattern: new RegExp(`(?<![\\w$])${source}\\b`, flags), script: 'latin', span }
}

/** 1 to 12. */
export function monthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
}

/** 0 (Sunday) to 6. */
export function dayNumber(word: string): number {
  return DAYS.indexOf(word.slice(0, 3).toLowerCase())
}

/** Months and days that are verbs or things when they are not capitalised: "may first check", "this sat well". */
export function isOrdinaryWord(word: string): boolean {
  return /^(?:may|march|mar|sat|sun|wed|dec|jun|sep)$/.test(word)
}

const TEENS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 }

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...TEENS.map((word, index) => [word, index + 1] as const),
  ...Object.entries(TENS).flatMap(([ten, value]) => [
    [ten, value] as const,
    ...TEENS.slice(0, 9).map((one, index) => [`${ten}-${one}`, value + index + 1] as const),
  ]),
  ['a', 1],
  ['an', 1],
  ['half a', 0.5],
  ['half', 0.5],
  ['couple', 2],
  ['dozen', 12],
  ['few', 3],
  ['several', 4],
])

/** A pattern with one group: a number in digits or words. */
export const ENGLISH_NUMBER = `(\\d{1,3}|${[...NUMBERS.keys()].sort((a, b) => b.length - a.length).join('|')})`

/** The number that a match of ENGLISH_NUMBER means. */
export function numberOf(word: string): number {
  return NUMBERS.get(word.toLowerCase()) ?? Number(word)
}
