/** Rules that find dates; in Chinese ones `_` stands for spaces that may be there. */
import { calendarDay, type TimeSpan } from './calendar.ts'
import { yearNumber } from './number-words.ts'

/** A pattern (global) and what a match of it means; null when it is no date after all. */
export interface DateRule {
  readonly pattern: RegExp
  /** The script without which it finds nothing; none for dates in digits. */
  readonly script?: 'han' | 'latin'
  readonly span: (match: RegExpExecArray, now: number) => TimeSpan | null
}

/** A rule whose pattern allows up to two spaces wherever `_` stands: 2026 年 5 月 7 日. */
export function chineseRule(source: string, span: DateRule['span']): DateRule {
  return { pattern: new RegExp(source.replaceAll('_', '[ \\t\\u3000]{0,2}'), 'g'), script: 'han', span }
}

/** Sources of patterns: a month of the year, a day of the month, without the word behind them. */
export const CHINESE_MONTH = '\\d{1,2}|十[一二]?|[一二三四五六七八九元]'
export const CHINESE_DAY = '\\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]'

/** 以上年龄, 目前年轻人 and 过去年代 hold no year. */
export const CHINESE_RELATIVE_YEAR =
  '(?:大前年|(?<![目之以])前年|(?<!过)去年|(?<!以)上一?年|今年|本年|明年|(?<![之以])后年)(?![龄纪轻级限长代])'
export const CHINESE_YEAR = `${CHINESE_RELATIVE_YEAR}|(?<!\\d)\\d{4}_年(?!代)|[一二][零〇一二三四五六七八九]{3}_年(?!代)|(?<![\\d.])2\\d_年(?=_(?:\\d{1,2}_月(?!_前)|Q[1-4]))`

const YEAR_WORDS: Readonly<Record<string, number>> = {
  大前年: -3,
  前年: -2,
  去年: -1,
  上年: -1,
  上一年: -1,
  今年: 0,
  本年: 0,
  明年: 1,
  后年: 2,
}

/** The year that a match of CHINESE_YEAR means. */
export function yearFromWord(word: string, now: number): number {
  const offset = YEAR_WORDS[word]
  if (offset !== undefined) return calendarDay(now).year + offset
  const year = yearNumber(word.replace(/\s{0,40}年$/, ''))
  return year < 100 ? 2000 + year : year
}

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
