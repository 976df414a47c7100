/**
 * Which milliseconds are "the first quarter", "early May", "the end of the year"? Parts of a month or a year in UTC,
 * both ends included, cut alike in both languages.
 */
import { DAY_MS } from '../domain/clock.ts'
import { calendarDay, monthFrom, namedMonth, namedYear, type TimeSpan, weekFrom } from './calendar.ts'

/** A part of a month or a year. */
export type YearPart = 'early' | 'middle' | 'late'

/** First and last month of the parts of a year: 年初, mid-2025, by the end of the year. Ours: about what people mean. */
const MONTHS_OF_PART: Readonly<Record<YearPart, readonly [number, number]>> = {
  early: [1, 3],
  middle: [5, 8],
  late: [10, 12],
}
/** First day of the parts of a month, as 上旬, 中旬 and 下旬 are defined. */
const EARLY_ENDS = 10
const MIDDLE_ENDS = 20

/** Whole months of a year, from `first` to `last` (1 to 12). */
function monthsOfYear(year: number, first: number, last: number): TimeSpan {
  return { from: namedMonth(year, first).from, to: namedMonth(year, last).to, grain: 'part' }
}

/** A quarter, 1 to 4; numbers beyond run into other years. */
export function quarterOfYear(year: number, quarter: number): TimeSpan {
  return monthsOfYear(year, 3 * quarter - 2, 3 * quarter)
}

/** The quarter at a distance of `offset` quarters from that of `now`. */
export function quarterFrom(now: number, offset: number): TimeSpan {
  const { year, month } = calendarDay(now)
  return quarterOfYear(year, Math.ceil(month / 3) + offset)
}

/** A half of a year, 1 or 2. */
export function halfOfYear(year: number, half: number): TimeSpan {
  return monthsOfYear(year, 6 * half - 5, 6 * half)
}

/** The beginning, the middle or the end of a year. */
export function partOfYear(year: number, part: YearPart): TimeSpan {
  return monthsOfYear(year, ...MONTHS_OF_PART[part])
}

/** The first ten days of a month, the second ten, or the rest. */
export function partOfMonth(month: TimeSpan, part: YearPart): TimeSpan {
  const first = part === 'early' ? 0 : part === 'middle' ? EARLY_ENDS : MIDDLE_ENDS
  const from = month.from + first * DAY_MS
  if (part === 'late') return { from, to: month.to, grain: 'part' }
  return { from, to: month.from + (part === 'early' ? EARLY_ENDS : MIDDLE_ENDS) * DAY_MS - 1, grain: 'part' }
}

/** The latest yearly span that has begun; `spanOf` gives that of one year. */
export function latestOfYears(now: number, spanOf: (year: number) => TimeSpan): TimeSpan {
  const { year } = calendarDay(now)
  const here = spanOf(year)
  return here.from <= now ? here : spanOf(year - 1)
}

/** The latest such part of a month that has begun. */
export function latestPartOfMonth(now: number, part: YearPart): TimeSpan {
  const here = partOfMonth(monthFrom(now, 0), part)
  return here.from <= now ? here : partOfMonth(monthFrom(now, -1), part)
}

/** ISO 8601: week 1 is the one with the fourth of January; null for a week that the year does not have. */
export function isoWeek(year: number, week: number): TimeSpan | null {
  const span = weekFrom(namedYear(year).from + 3 * DAY_MS, week - 1)
  const thursday = span.from + 3 * DAY_MS
  return week >= 1 && calendarDay(thursday).year === year ? span : null
}
