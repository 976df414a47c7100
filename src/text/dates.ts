/**
 * Which stretches of time does this text speak of, seen from `now`? Own rules answer for Chinese and for the vague
 * ("last week", "in May"); chrono-node for the rest, loaded only when something is left that may be a date.
 * All days are days in UTC, weeks begin on Monday, and what has no year is the latest that has begun.
 */
import { calendarDay, type DateGrain, namedDay, namedMonth, type TimeSpan } from './calendar.ts'
import { CHINESE_DATE_RULES, type DateRule } from './date-rules-chinese.ts'
import { ENGLISH_DATE_RULES } from './date-rules-english.ts'

export type { DateGrain } from './calendar.ts'
export { speaksOfRecent } from './recency-words.ts'

/** A stretch of time named in a text: both ends included, milliseconds since the epoch. */
export interface DateRange {
  readonly from: number
  readonly to: number
  /** The words that named it. */
  readonly text: string
  readonly grain: DateGrain
}

interface Found extends TimeSpan {
  readonly start: number
  readonly end: number
}

/** Characters that are looked at; dates further on are not found. */
const LONGEST_TEXT = 20_000
/** Dates found in one text at most. */
const MOST_DATES = 50

const CHINESE_HINT =
  /[昨今明后前][天日晚夜早晨年]|[上下这本]个?(?:周|月|星期|礼拜)|去年|(?:周|星期|礼拜)[一二三四五六日天末\d]|[\d一二三四五六七八九十两半几多](?:个?月|天|年|周|号|个星期|个礼拜|个季度|日)|前(?:几|些|阵|段)|[春夏秋冬][天季]/
const ENGLISH_HINT =
  /\b(?:yesterday|today|tonight|tomorrow|morning|evening|afternoon|last|past|previous|ago|days|earlier|back|next|this|coming|weekend|week|month|year|fortnight|the other day|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december)\b/i
const NUMERIC_HINT = /\d{4}[-/.]\d{1,2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2}|\b(?:19|20)\d\d\b/
/** What is left for chrono-node: forms that no rule here knows. */
const CHRONO_HINT =
  /\b\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b|\bfortnight\b|\b(?:day|week|month|year)s? (?:from|later|hence)\b/i

/** A cheap look whether `findDates` may find anything; false means that it will not. */
export function mayMentionDate(text: string): boolean {
  return CHINESE_HINT.test(text) || ENGLISH_HINT.test(text) || NUMERIC_HINT.test(text)
}

/** The dates of a text in the order in which they stand there; `now` in milliseconds since the epoch. */
export async function findDates(text: string, now: number): Promise<readonly DateRange[]> {
  if (!mayMentionDate(text)) return []
  const bounded = text.slice(0, LONGEST_TEXT)
  const found: Found[] = []
  let left = bounded
  for (const rule of [...CHINESE_DATE_RULES, ...ENGLISH_DATE_RULES]) left = applyRule(rule, left, now, found)
  if (CHRONO_HINT.test(left)) found.push(...(await askChrono(left, now)))
  found.sort((a, b) => a.start - b.start)
  return joined(found, bounded, now)
    .slice(0, MOST_DATES)
    .map(({ from, to, grain, start, end }) => ({ from, to, grain, text: bounded.slice(start, end).trim() }))
}

/** Adds the matches of a rule and returns the text with them blanked, so that no later rule reads them again. */
function applyRule(rule: DateRule, text: string, now: number, found: Found[]): string {
  rule.pattern.lastIndex = 0
  let left = text
  for (const match of text.matchAll(rule.pattern)) {
    const span = rule.span(match, now)
    if (span === null || found.length >= MOST_DATES) continue
    const end = match.index + match[0].length
    found.push({ ...span, start: match.index, end })
    left = left.slice(0, match.index) + '\0'.repeat(match[0].length) + left.slice(end)
  }
  return left
}

async function askChrono(text: string, now: number): Promise<readonly Found[]> {
  const chrono = await import('chrono-node')
  const readable = text.replaceAll('\0', ' ')
  return chrono.en.parse(readable, { instant: new Date(now), timezone: 0 }).flatMap((result): Found[] => {
    const start = result.start
    const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
    if (year === null || month === null || day === null) return []
    if (!start.isCertain('day') && !start.isCertain('month') && !start.isCertain('weekday')) return []
    const span =
      start.isCertain('month') && !start.isCertain('day') ? namedMonth(year, month) : namedDay(year, month, day)
    return span === null ? [] : [{ ...span, start: result.index, end: result.index + result.text.length }]
  })
}

const RANGE_LINK = /^\s*(?:到|至|~|～|—|–|-|to|until|till|through|and)\s*(?:the\s*)?$/i
const OPEN_START = /(?:\bsince|\bafter|自从|自)\s*(?:the\s*)?$/i
const OPEN_START_AFTER = /^(?:以来|至今|之后|以后|起)/
const OPEN_END = /(?:\bbefore|\bprior to)\s*(?:the\s*)?$/i
const OPEN_END_AFTER = /^(?:之前|以前)/

/** "from May to July" is one range, "since last week" runs to now, "before 2023" has no beginning. */
function joined(found: readonly Found[], text: string, now: number): readonly Found[] {
  const result: Found[] = []
  for (const next of found) {
    const last = result.at(-1)
    if (last !== undefined && isRange(text, last, next)) {
      const [from, to] = orderedSpan(last, next)
      result[result.length - 1] = { from, to, grain: 'range', start: last.start, end: next.end }
    } else result.push(next)
  }
  return result.map((one) => opened(one, text, now))
}

function isRange(text: string, first: Found, second: Found): boolean {
  const between = text.slice(first.end, second.start)
  if (!RANGE_LINK.test(between)) return false
  return (
    !/and/i.test(between) ||
    /\bbetween\s*$/i.test(text.slice(Math.max(0, first.start - 10), first.start)) ||
    /^between/i.test(text.slice(first.start))
  )
}

/** "from November to February": the first month lies before the second, a year back if need be. */
function orderedSpan(first: TimeSpan, second: TimeSpan): readonly [number, number] {
  if (first.from <= second.to) return [first.from, second.to]
  const { year, month, day } = calendarDay(first.from)
  const back = first.grain === 'month' ? namedMonth(year - 1, month) : namedDay(year - 1, month, day)
  return back !== null && back.from <= second.to ? [back.from, second.to] : [second.from, first.to]
}

function opened(one: Found, text: string, now: number): Found {
  if (one.grain === 'range') return one
  const words = text.slice(one.start, one.end)
  const before = `${text.slice(Math.max(0, one.start - 16), one.start)}${/^(?:since|after|before)\b/i.exec(words)?.[0] ?? ''}`
  const after = text.slice(one.end, one.end + 4)
  if (OPEN_START.test(before) || OPEN_START_AFTER.test(after)) {
    const from = /after$/i.test(before.trimEnd()) || /^(?:之后|以后)/.test(after) ? one.to + 1 : one.from
    return from <= now ? { ...one, from, to: now, grain: 'range' } : one
  }
  if (OPEN_END.test(before) || OPEN_END_AFTER.test(after)) return { ...one, from: 0, to: one.from - 1, grain: 'range' }
  return one
}
