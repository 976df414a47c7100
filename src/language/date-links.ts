/**
 * Which dates of a text belong together? "From May to July" is one range, "since last week" runs to now, one year holds
 * for both.
 */
import { DAY_MS } from '../domain/clock.ts'
import type { TimeSpan } from './calendar.ts'

/** A date with its place in the text: `start` inclusive, `end` exclusive. */
export interface FoundDate extends TimeSpan {
  readonly start: number
  readonly end: number
}

const RANGE_LINK = /^\s*(?:到|至|~|～|—|–|-|to|until|till|through|and)\s*(?:the\s*)?$/i
/** A rule for months keeps the word before them. */
const LEADING_LINK = /^(?:to|until|till|through)(?= )/i
const OPEN_START = /(?:\bsince|\bafter|自从|自)\s{0,40}(?:the\s{0,40})?$/i
const OPEN_START_AFTER = /^\s?(?:以来|至今|之后|以后|起|开始|到现在|到今天)/
const OPEN_END = /(?:\bbefore|\bprior to)\s{0,40}(?:the\s{0,40})?$/i
const OPEN_END_AFTER = /^\s?(?:之前|以前|前(?![端台景途往]))/
/** The words of a date that say its year, or count from now. */
const SAYS_YEAR =
  /\d{4}|[一二][零〇一二三四五六七八九]{3}年|[去今明前后]年|上一?年|本年|last|this|next|ago|上|这|本|下|昨|天|周|星期|礼拜/i
const SAYS_WHOLE_YEAR = /\d{4}|[一二][零〇一二三四五六七八九]{3}年|[去今明前后]年|上一?年|本年|(?:last|this|next) year/i

/** The dates, in the order in which they stand, joined and opened. */
export function joinDates(found: readonly FoundDate[], text: string, now: number): readonly FoundDate[] {
  const result: FoundDate[] = []
  for (const next of found) {
    const last = result.at(-1)
    if (last !== undefined && isRange(text, last, next)) {
      const [from, to] = orderedSpan(text, last, next)
      result[result.length - 1] = { from, to, grain: 'range', start: last.start, end: next.end }
    } else result.push(next)
  }
  return result.map((one) => opened(one, text, now))
}

function isRange(text: string, first: FoundDate, second: FoundDate): boolean {
  const between =
    text.slice(first.end, second.start) + (LEADING_LINK.exec(text.slice(second.start, second.end))?.[0] ?? '')
  if (!RANGE_LINK.test(between) || first.grain === 'range' || second.grain === 'range') return false
  return (
    !/and/i.test(between) ||
    /\bbetween\s{0,40}$/i.test(text.slice(Math.max(0, first.start - 10), first.start)) ||
    /^between/i.test(text.slice(first.start))
  )
}

function orderedSpan(text: string, first: FoundDate, second: FoundDate): readonly [number, number] {
  const [start, end] = withOneYear(text, first, second)
  if (start.from <= end.to) return [start.from, end.to]
  const back = earlier(text, first)
  return back !== null && back.from <= end.to ? [back.from, end.to] : [end.from, start.to]
}

/** Completes the end without a year, on the right side of the other: "May 3 to June 5, 2023" and 2023年11月到2月. */
function withOneYear(text: string, first: FoundDate, second: FoundDate): readonly [TimeSpan, TimeSpan] {
  const [firstWords, secondWords] = [text.slice(first.start, first.end), text.slice(second.start, second.end)]
  if (first.grain === 'year' || second.grain === 'year') return [first, second]
  if (SAYS_WHOLE_YEAR.test(firstWords) && !SAYS_YEAR.test(secondWords)) {
    const there = yearsAway(second, yearOf(first) - yearOf(second))
    return [first, there.to < first.from ? yearsAway(there, 1) : there]
  }
  if (SAYS_WHOLE_YEAR.test(secondWords) && !SAYS_YEAR.test(firstWords)) {
    const there = yearsAway(first, yearOf(second) - yearOf(first))
    return [there.from > second.to ? yearsAway(there, -1) : there, second]
  }
  return [first, second]
}

/** Moves the first before the second, a year or a week back: "From November to February", "Thursday to Tuesday". */
function earlier(text: string, first: FoundDate): TimeSpan | null {
  const words = text.slice(first.start, first.end)
  if (/day|[周期拜]/i.test(words)) {
    return { from: first.from - 7 * DAY_MS, to: first.to - 7 * DAY_MS, grain: first.grain }
  }
  return yearsAway(first, -1)
}

function yearOf(span: TimeSpan): number {
  return new Date(span.from).getUTCFullYear()
}

/**
 * The days of the span in another year; the end is moved as the instant after it, so that February keeps its last day.
 */
function yearsAway(span: TimeSpan, years: number): TimeSpan {
  return { from: movedYears(span.from, years), to: movedYears(span.to + 1, years) - 1, grain: span.grain }
}

function movedYears(time: number, years: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

function opened(one: FoundDate, text: string, now: number): FoundDate {
  if (one.grain === 'range') return one
  const words = text.slice(one.start, one.end)
  const before = `${text.slice(Math.max(0, one.start - 16), one.start)}${/^(?:since|after|before)\b/i.exec(words)?.[0] ?? ''}`
  const after = text.slice(one.end, one.end + 4)
  if (OPEN_START_AFTER.test(after) || OPEN_START.test(before)) {
    const from = /after$/i.test(before.trimEnd()) || /^\s?(?:之后|以后)/.test(after) ? one.to + 1 : one.from
    return from <= now ? { ...one, from, to: now, grain: 'range' } : one
  }
  if (OPEN_END.test(before) || OPEN_END_AFTER.test(after)) return { ...one, from: 0, to: one.from - 1, grain: 'range' }
  return one
}
