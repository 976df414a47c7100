/** Days, weeks and months as milliseconds: UTC, weeks from Monday, both ends included. */
import { DAY_MS } from '../domain/clock.ts'

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
  const { year, month, day } = calendarDay(span.from)
  if (span.cycle === 'week') return dayFrom(span.from, 7)
  if (span.cycle === undefined) return span
  if (span.grain === 'month') return namedMonth(year + 1, month)
  if (span.cycle === 'year') return namedDay(year + 1, month, day) ?? span
  const later = calendarDay(monthFrom(span.from, 1).from)
  return namedDay(later.year, later.month, day) ?? span
}

/** The span from the start of the day `days` before now, to now. */
export function pastDays(now: number, days: number): TimeSpan {
  return { from: startOfDay(now) - days * DAY_MS, to: now, grain: 'range' }
}

/** Seasons of the northern half: spring 3, summer 6, autumn 9, winter 12 is their first month; the latest that has begun. */
export function latestSeason(now: number, firstMonth: number): TimeSpan {
  const start = latestMonth(now, firstMonth)
  const { year, month } = calendarDay(start.from)
  return { from: start.from, to: namedMonth(year, month + 2).to, grain: 'range' }
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
