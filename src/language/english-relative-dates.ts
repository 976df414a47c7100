/** Which stretch of time is "two weeks ago", "last May", "next weekend"? Counted from `now`, in whole units of the calendar. */
import {
  calendarDay,
  dayFrom,
  lastWeekday,
  latestSeason,
  monthFrom,
  namedMonth,
  namedYear,
  nextWeekday,
  seasonOf,
  type TimeSpan,
  weekend,
  weekFrom,
} from './calendar.ts'
import { quarterFrom } from './calendar-parts.ts'
import { dayNumber, numberOf } from './english-date-words.ts'

/** Days of a unit, months and years by their mean. */
export function unitDays(unit: string): number {
  return { day: 1, week: 7, fortnight: 14, month: 30, quarter: 91, year: 365, decade: 3652 }[unit.toLowerCase()] ?? 1
}

/** `direction` 1 looks back, -1 ahead. */
export function ago(now: number, count: string, unit: string, direction: 1 | -1 = 1): TimeSpan | null {
  const number = numberOf(count) * direction
  const kind = unit.toLowerCase()
  if (/few|several/i.test(count)) {
    if (direction < 0) return null
    return { from: dayFrom(now, -7 * unitDays(kind)).from, to: dayFrom(now, -1).to, grain: 'range' }
  }
  if (kind === 'day') return dayFrom(now, -Math.round(number))
  if (kind === 'week') return weekFrom(now, -Math.round(number))
  if (kind === 'fortnight') return weekFrom(now, -Math.round(2 * number))
  if (kind === 'quarter') return quarterFrom(now, -number)
  if (kind === 'decade') return namedYear(calendarDay(now).year - 10 * number)
  if (kind === 'year' && Number.isInteger(number)) return namedYear(calendarDay(now).year - number)
  return monthsAgo(now, number * monthsOf(kind))
}

/** Months of a unit. */
export function monthsOf(unit: string): number {
  return { day: 1 / 30, week: 7 / 30, fortnight: 14 / 30, quarter: 3, year: 12, decade: 120 }[unit.toLowerCase()] ?? 1
}

/** Half a month is two weeks, a month and a half is six. */
export function monthsAgo(now: number, months: number): TimeSpan {
  return Number.isInteger(months) ? monthFrom(now, -months) : weekFrom(now, -Math.round((months * 30) / 7))
}

/** -1 for last, 0 for this, 1 for next. */
export function step(word: string): number {
  if (/last|previous|past/i.test(word)) return -1
  return /next|coming/i.test(word) ? 1 : 0
}

/** The week, month or year at a distance of `steps`. */
export function relativeUnit(now: number, steps: number, unit: string): TimeSpan {
  if (/week/i.test(unit)) return weekFrom(now, steps)
  return /month/i.test(unit) ? monthFrom(now, steps) : namedYear(calendarDay(now).year + steps)
}

/** "last weekend" on a Sunday is the one before; "the weekend" on a Wednesday is the one that has passed. */
export function relativeWeekend(now: number, word: string): TimeSpan {
  return weekend(now, step(word))
}

/** last, this or next Friday. */
export function relativeWeekday(now: number, word: string, weekday: string): TimeSpan {
  const day = dayNumber(weekday)
  if (/next|coming/i.test(word)) return nextWeekday(now, day)
  if (/^this$/i.test(word)) return dayFrom(weekFrom(now, 0).from, (day + 6) % 7)
  return lastWeekday(now, day)
}

/** The meaning of "last May": the latest May that is over. */
export function relativeMonth(now: number, word: string, month: number): TimeSpan {
  const { year, month: current } = calendarDay(now)
  if (/this/i.test(word)) return namedMonth(year, month)
  if (/next/i.test(word)) return namedMonth(month > current ? year : year + 1, month)
  return namedMonth(month < current ? year : year - 1, month)
}

/** last, this or next summer. */
export function relativeSeason(now: number, word: string, firstMonth: number): TimeSpan {
  const latest = latestSeason(now, firstMonth)
  const { year } = calendarDay(latest.from)
  if (/last/i.test(word)) return latest.to < now ? latest : seasonOf(year - 1, firstMonth)
  return /next/i.test(word) ? seasonOf(year + 1, firstMonth) : seasonOf(calendarDay(now).year, firstMonth)
}
