/**
 * What do the parts of a written date mean? Days, weeks and months as milliseconds (UTC, weeks from Monday, both ends
 * included), number words, and the form of a rule that finds dates.
 */
import { DAY_MS } from '../domain/clock.ts'

const DIGITS = '零一二三四五六七八九'

/** "三", "十二", "二十三", "7", "两", "半", "元" (of 元月) → a number; 几 counts as three. */
export function chineseNumber(numeral: string): number {
  if (/^\d+(?:\.\d+)?$/.test(numeral)) return Number(numeral)
  if (numeral === '两') return 2
  if (numeral === '几') return 3
  if (numeral === '半') return 0.5
  if (numeral === '元') return 1
  for (const [mark, times] of LARGE) {
    const at = numeral.indexOf(mark)
    if (at < 0) continue
    const after = numeral.slice(at + 1)
    // 四千五 is 4,500, 四千零五 is 4,005.
    const small = /^[一二三四五六七八九]$/.test(after) ? (digit(after) * times) / 10 : rest(after.replace(/^零/, ''))
    return (at === 0 ? 1 : chineseNumber(numeral.slice(0, at))) * times + small
  }
  const ten = numeral.indexOf('十')
  if (ten < 0) return digit(numeral)
  const tens = ten === 0 ? 1 : digit(numeral[0]!)
  return tens * 10 + (ten === numeral.length - 1 ? 0 : digit(numeral[ten + 1]!))
}

const LARGE = [
  ['万', 10_000],
  ['千', 1000],
  ['百', 100],
] as const

function rest(text: string): number {
  return text === '' ? 0 : chineseNumber(text)
}

function digit(character: string): number {
  if (character === '两') return 2
  return Math.max(0, DIGITS.indexOf(character))
}

/** A year in digits or in Chinese characters: 2023, 二〇二三. */
export function yearNumber(numeral: string): number {
  return /^\d+$/.test(numeral) ? Number(numeral) : Number([...numeral].map(digit).join(''))
}

/** The words for 0 to 19, each at its number. */
const SMALL_NUMBERS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
/** The words for 20, 30, … 90. */
const TENS: readonly string[] = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** All of them with their numbers. */
export const ENGLISH_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...SMALL_NUMBERS.map((word, at): [string, number] => [word, at]),
  ...TENS.map((word, at): [string, number] => [word, 10 * (at + 2)]),
])

/** The precision of a date; a `part` is a quarter, a half or the beginning of something longer. */
export type DateGrain = 'day' | 'week' | 'month' | 'year' | 'part' | 'range'

/** A stretch of time, both ends included, in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
  readonly grain: DateGrain
  /** The cycle of a date named without its year, month or week: the latest one that has begun is meant. */
  readonly cycle?: 'year' | 'month' | 'week'
}

/** Year, month (1 to 12) and day (1 to 31) of a moment, and its weekday (0 Sunday to 6). */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
}

/** The calendar day of a moment. */
export function calendarDay(time: number): CalendarDay {
  const date = new Date(time)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  }
}

/** The day at a distance of `offset` days from `now`. */
export function dayFrom(now: number, offset: number): TimeSpan {
  const start = startOfDay(now) + offset * DAY_MS
  return { from: start, to: start + DAY_MS - 1, grain: 'day' }
}

/** The named day; null when there is no such day (31 February). */
export function namedDay(year: number, month: number, day: number): TimeSpan | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return null
  const start = utc(year, month, day)
  return new Date(start).getUTCMonth() + 1 === month ? { from: start, to: start + DAY_MS - 1, grain: 'day' } : null
}

/** The week (Monday to Sunday) at a distance of `offset` weeks from that of `now`. */
export function weekFrom(now: number, offset: number): TimeSpan {
  const monday = startOfDay(now) - ((calendarDay(now).weekday + 6) % 7) * DAY_MS + offset * 7 * DAY_MS
  return { from: monday, to: monday + 7 * DAY_MS - 1, grain: 'week' }
}

/** The month at a distance of `offset` months from that of `now`. */
export function monthFrom(now: number, offset: number): TimeSpan {
  const { year, month } = calendarDay(now)
  return namedMonth(year, month + offset)
}

/** A month; numbers beyond 1 to 12 run into other years. */
export function namedMonth(year: number, month: number): TimeSpan {
  return { from: utc(year, month, 1), to: utc(year, month + 1, 1) - 1, grain: 'month' }
}

/** A calendar year. */
export function namedYear(year: number): TimeSpan {
  return { from: utc(year, 1, 1), to: utc(year + 1, 1, 1) - 1, grain: 'year' }
}

/** The weekday (0 Sunday to 6) in the week at a distance of `weeks` from that of `now`. */
export function weekdayOfWeek(now: number, weekday: number, weeks: number): TimeSpan {
  return dayFrom(weekFrom(now, weeks).from, (weekday + 6) % 7)
}

/** Saturday and Sunday of the week at a distance of `weeks`. */
export function weekend(now: number, weeks: number): TimeSpan {
  return { from: weekdayOfWeek(now, 6, weeks).from, to: weekdayOfWeek(now, 0, weeks).to, grain: 'range' }
}

/** The last such weekday before today. */
export function lastWeekday(now: number, weekday: number): TimeSpan {
  const back = (calendarDay(now).weekday - weekday + 7) % 7
  return dayFrom(now, back === 0 ? -7 : -back)
}

/** The next such weekday after today. */
export function nextWeekday(now: number, weekday: number): TimeSpan {
  const ahead = (weekday - calendarDay(now).weekday + 7) % 7
  return dayFrom(now, ahead === 0 ? 7 : ahead)
}

/** The latest day of this month and number that is not in the future. */
export function latestDay(now: number, month: number, day: number): TimeSpan | null {
  const { year } = calendarDay(now)
  const here = namedDay(year, month, day)
  if (here !== null && here.from <= now) return { ...here, cycle: 'year' }
  for (let back = 1; back <= 8; back++) {
    const earlier = namedDay(year - back, month, day)
    if (earlier !== null) return { ...earlier, cycle: 'year' }
  }
  return null
}

/** The latest day of this number that is not in the future; null for a number that no month has. */
export function latestDayOfMonth(now: number, day: number): TimeSpan | null {
  for (let back = 0; back < 3; back++) {
    const { year, month } = calendarDay(monthFrom(now, -back).from)
    const span = namedDay(year, month, day)
    if (span !== null && span.from <= now) return { ...span, cycle: 'month' }
  }
  return null
}

/** A month without a year: the latest such month that has begun. */
export function latestMonth(now: number, month: number): TimeSpan {
  const { year, month: current } = calendarDay(now)
  return { ...namedMonth(month <= current ? year : year - 1, month), cycle: 'year' }
}

/** The latest such weekday, today included. */
export function latestWeekday(now: number, weekday: number): TimeSpan {
  const day = calendarDay(now).weekday === weekday ? dayFrom(now, 0) : lastWeekday(now, weekday)
  return { ...day, cycle: 'week' }
}

/** The next occurrence of a recurring span; the span itself for any other, or where there is none. */
export function nextOf(span: TimeSpan): TimeSpan {
  const { from, to, grain, cycle } = span
  if (cycle === undefined) return span
  if (cycle === 'week') return { from: from + 7 * DAY_MS, to: to + 7 * DAY_MS, grain }
  const months = cycle === 'year' ? 12 : 1
  if (grain !== 'day') return monthsAway(span, months)
  const { year, month } = calendarDay(monthFrom(from, months).from)
  return namedDay(year, month, calendarDay(from).day) ?? span
}

/** The span so many months later; the end is moved as the instant after it, so that February keeps its last day. */
export function monthsAway({ from, to, grain }: TimeSpan, months: number): TimeSpan {
  const moved = (time: number): number => new Date(time).setUTCMonth(new Date(time).getUTCMonth() + months)
  return { from: moved(from), to: moved(to + 1) - 1, grain }
}

/** The span from the start of the day `days` before now, to now. */
export function pastDays(now: number, days: number): TimeSpan {
  return { from: startOfDay(now) - days * DAY_MS, to: now, grain: 'range' }
}

/** The span of `days` days from now on. */
export function comingDays(now: number, days: number): TimeSpan {
  return { from: now + 1, to: startOfDay(now) + (days + 1) * DAY_MS - 1, grain: 'range' }
}

/** Seasons of the northern half: spring 3, summer 6, autumn 9, winter 12 is their first month; the latest that has begun. */
export function latestSeason(now: number, firstMonth: number): TimeSpan {
  const start = latestMonth(now, firstMonth)
  const { year, month } = calendarDay(start.from)
  return { from: start.from, to: namedMonth(year, month + 2).to, grain: 'range', cycle: 'year' }
}

/** As `latestSeason`, for a given year. */
export function seasonOf(year: number, firstMonth: number): TimeSpan {
  return { from: namedMonth(year, firstMonth).from, to: namedMonth(year, firstMonth + 2).to, grain: 'range' }
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS
}

function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

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

const DAY_OF_MONTH = `(?:(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?|\\w{4,7}(?:-\\w{5,7})?(?:st|nd|rd|th)(?= of))(?: of)? ${ENGLISH_MONTH}|${ENGLISH_MONTH}\\.? (?:the )?(?:\\d{1,2}(?!\\d)|\\w{4,7}(?:-\\w{5,7})?(?:st|nd|rd|th)))\\b`
const CHINESE_DAY_OF_MONTH = `(?:${CHINESE_MONTH})\\s?月\\s?(?:${CHINESE_DAY})\\s?[日号]`
const CHINESE_WEEKDAY = '[这本下上]?(?:个)?(?:周|星期|礼拜)[一二三四五六日天]'
/** "Monday, 30 November", "3 December (Thursday)", 12月3号（周四）: the weekday, with what joins it to the date. */
export const WEEKDAY_BESIDE: readonly RegExp[] = [
  new RegExp(`\\b(?:(?:this|next|last|coming) )?${WEEKDAY}\\.?,? ?\\(?(?=${DAY_OF_MONTH})`, 'gi'),
  new RegExp(
    `(?<=\\b${DAY_OF_MONTH})(?: ?\\(${WEEKDAY}\\)|,? ${FULL_WEEKDAY}\\b(?! ?(?:to|until|through|and|[-–—])))`,
    'gi',
  ),
  new RegExp(`${CHINESE_WEEKDAY}[\\s，,（(]{0,2}(?=${CHINESE_DAY_OF_MONTH})`, 'g'),
  new RegExp(`(?<=${CHINESE_DAY_OF_MONTH})[\\s，,（(]{0,2}${CHINESE_WEEKDAY}(?!\\s?[到至和、~-])[)）]?`, 'g'),
]

const CHINESE_DAYS = '日一二三四五六'

/** The sign that stands for each character of a weekday beside a date: the control characters 1 to 7. */
export function signOf(weekday: string): string {
  const [english] = /mon|tue|wed|thu|fri|sat|sun/i.exec(weekday) ?? []
  const day = english === undefined ? [...CHINESE_DAYS].findIndex((one) => weekday.includes(one)) : dayNumber(english)
  return String.fromCharCode(1 + Math.max(0, day))
}

/** The weekday (0 Sunday to 6) whose sign stands there, or null. */
export function weekdayAt(text: string, index: number): number | null {
  const code = text.charCodeAt(index)
  return code >= 1 && code <= 7 ? code - 1 : null
}

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
const DECADES: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...TEENS.map((word, index) => [word, index + 1] as const),
  ...Object.entries(DECADES).flatMap(([ten, value]) => [
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
