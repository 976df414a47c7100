/** Which stretches of time does this text speak of, seen from `now`? Own rules come first, then chrono-node. */
import { DAY_MS } from '../domain/clock.ts'
import { lazy } from '../domain/scheduling.ts'
import {
  calendarDay,
  type DateGrain,
  type DateRule,
  monthsAway,
  namedDay,
  namedMonth,
  nextOf,
  signOf,
  type TimeSpan,
  WEEKDAY_BESIDE,
  weekdayAt,
} from './calendar.ts'
import { hasHan } from './character-class.ts'
import { CHINESE_DATE_RULES } from './date-rules-chinese.ts'
import { ENGLISH_DATE_RULES } from './date-rules-english.ts'
import { HOLIDAY_DATE_RULES } from './date-rules-holidays.ts'
import { PART_DATE_RULES, SPAN_DATE_RULES } from './date-rules-parts.ts'
import { isDateOfVerb, tenseAt } from './tense.ts'

/** A stretch of time named in a text: both ends included, milliseconds since the epoch. */
export interface DateRange {
  readonly from: number
  readonly to: number
  /** The words that named it. */
  readonly text: string
  readonly grain: DateGrain
}

/** Characters that are looked at; dates further on are not found. */
const LONGEST_TEXT = 20_000
/** Dates found in one text at most. */
const MOST_DATES = 50

const RULES: readonly DateRule[] = [
  ...SPAN_DATE_RULES,
  ...PART_DATE_RULES,
  ...HOLIDAY_DATE_RULES,
  ...CHINESE_DATE_RULES,
  ...ENGLISH_DATE_RULES,
]
const CHINESE_RULES = RULES.filter((rule) => rule.script !== 'latin')
const OTHER_RULES = RULES.filter((rule) => rule.script !== 'han')
const LATIN = /[A-Za-z]|\d{4}/
const CHINESE_HINT =
  /[昨今明后前][天日晚夜早晨年儿]|[上下这本前][\s一个]{0,40}(?:周|月|星期|礼拜|年|半年|季)|去年|(?:周|星期|礼拜)\s{0,40}[一二三四五六日天末\d]|[\d一二三四五六七八九十两半几多个百来]\s{0,40}(?:个?半?月|天|年|周|号|星期|礼拜|季|日|小时|钟头|分钟)|前(?:几|些|阵|段)|[春夏秋冬][天季]|[年月][初中底末]|旬|年代|元旦|元月|[五六十]一|国庆|圣诞|平安夜|双十|双1|(?:情人|妇女|愚人|劳动|儿童|教师|万圣)节/
const ENGLISH_HINT =
  /\b(?:yesterday|today|tonight|tomorrow|morning|evening|afternoon|night|ago|days?|weekends?|weeks?|months?|quarters?|years?|decades?|fortnights?|hours?|minutes?|seconds?|spring|summer|autumn|fall|winter|the other day|on the \d\w{0,40}|Q[1-4]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december|christmas|halloween|valentine|boxing)\b/i
const NUMERIC_HINT =
  /\d{4}[-/.]\d{1,2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2}|(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)(?:19|20)\d{6}(?!\d)|\b(?:19|20)\d\ds|\d{4}-?W\d\d|\bH[12]\b/
/** Digits and marks of full width, each of which stands for one of ours. */
const FULL_WIDTH = /[０-９：／－．]/g
/** The forms left to chrono-node: no rule here knows them. */
const CHRONO_HINT =
  /\b\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b|\bfortnight\b|\b(?:day|week|month|year)s? (?:from (?:now|today|tomorrow)|later|hence)\b/i

/** A cheap test: false means that `findDates` would find nothing. */
export function mayMentionDate(text: string): boolean {
  const narrow = ofOneWidth(text)
  return CHINESE_HINT.test(narrow) || ENGLISH_HINT.test(narrow) || NUMERIC_HINT.test(narrow)
}

/** The text with digits of one width, as long as before, character for character. */
function ofOneWidth(text: string): string {
  return text.replace(FULL_WIDTH, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
}

/**
 * The dates of a text in the order in which they stand there; `now` in milliseconds since the epoch. Where no tense
 * tells, what is told (`isTold`) is as near as can be, and what is asked for is past.
 */
export async function findDates(text: string, now: number, isTold = false): Promise<readonly DateRange[]> {
  if (!mayMentionDate(text)) return []
  const bounded = text.slice(0, LONGEST_TEXT)
  const found: FoundDate[] = []
  let left = withoutWeekdays(ofOneWidth(bounded))
  const rules = hasHan(bounded) ? (LATIN.test(bounded) ? RULES : CHINESE_RULES) : OTHER_RULES
  for (const rule of rules) left = applyRule(rule, left, now, found, isTold)
  if (CHRONO_HINT.test(left)) found.push(...(await askChrono(left, now)))
  found.sort((a, b) => a.start - b.start)
  return joinDates(found, bounded, now)
    .slice(0, MOST_DATES)
    .map(({ from, to, grain, start, end }) => ({ from, to, grain, text: bounded.slice(start, end).trim() }))
}

/** Replaces the weekday beside a date, which adds no day, by the sign of that weekday, character for character. */
function withoutWeekdays(text: string): string {
  return WEEKDAY_BESIDE.reduce((left, beside) => left.replace(beside, (said) => signOf(said).repeat(said.length)), text)
}

/** The stretch with the weekday on either side of it. */
function withWeekday(text: string, start: number, end: number): readonly [start: number, end: number] {
  let [first, last] = [start, end]
  while (weekdayAt(text, first - 1) !== null) first -= 1
  while (weekdayAt(text, last) !== null) last += 1
  return [first, last]
}

/** Adds the matches of a rule and returns the text with them blanked, so that no later rule reads them again. */
function applyRule(rule: DateRule, text: string, now: number, found: FoundDate[], isTold: boolean): string {
  // Most rules find nothing, and to iterate over a pattern copies it.
  if (text.search(rule.pattern) < 0) return text
  let left = text
  for (const match of text.matchAll(rule.pattern)) {
    const span = rule.span(match, now)
    if (span === null || found.length >= MOST_DATES) continue
    const [start, end] = withWeekday(text, match.index, match.index + match[0].length)
    const meant = inTense(span, text, start, end, now, isTold)
    if (meant === null) continue
    found.push({ ...meant, start, end })
    left = left.slice(0, start) + '\0'.repeat(end - start) + left.slice(end)
  }
  return left
}

/** A day without its year is not meant so many times as far away, where no verb says so: six weeks against a year. */
const MUCH = 7

/** The occurrence of a recurring date that the clause means; null for the weekday of a told habit. */
function inTense(
  span: TimeSpan,
  text: string,
  start: number,
  end: number,
  now: number,
  isTold: boolean,
): TimeSpan | null {
  if (span.cycle === undefined || span.to >= now) return span
  const next = nextOf(span)
  const [back, ahead] = [now - span.to, next.from - now]
  // A weekday beside the date confirms the nearer occurrence; people often get one wrong.
  const weekday = weekdayAt(text, start) ?? weekdayAt(text, end - 1)
  const [near, far] = ahead < back ? [next, span] : [span, next]
  if (isOnWeekday(near, weekday) && !isOnWeekday(far, weekday)) return near
  const tense = tenseAt(text, start, end)
  if (!isTold && (tense === 'past' || tense === null)) return span
  if (tense !== 'past' && tense !== 'future') {
    if (isTold && span.cycle === 'week') return null
    // Most questions are about what is over: "is" and 有 are often their own verb.
    const factor = !isTold && span.cycle === 'year' ? MUCH : 1
    return ahead * factor < back ? next : span
  }
  if (span.cycle === 'year') {
    // "Booked a table for 3 May", "the talk on 3 May, I'm wondering": a verb beside another word tells less than weeks against a year.
    if (tense === 'past' && ahead * MUCH < back && !isDateOfVerb(text, start, end)) return next
    if (tense === 'future' && back * MUCH < ahead) return span
  }
  return tense === 'past' ? span : next
}

function isOnWeekday({ from }: TimeSpan, weekday: number | null): boolean {
  return calendarDay(from).weekday === weekday
}

const chronoNode = lazy(() => import('chrono-node'))

async function askChrono(text: string, now: number): Promise<readonly FoundDate[]> {
  const chrono = await chronoNode()
  const readable = text.replaceAll('\0', ' ')
  return chrono.en.parse(readable, { instant: new Date(now), timezone: 0 }).flatMap((result): FoundDate[] => {
    const start = result.start
    const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
    if (year === null || month === null || day === null) return []
    if (!start.isCertain('day') && !start.isCertain('month') && !start.isCertain('weekday')) return []
    const span =
      start.isCertain('month') && !start.isCertain('day') ? namedMonth(year, month) : namedDay(year, month, day)
    return span === null ? [] : [{ ...span, start: result.index, end: result.index + result.text.length }]
  })
}

/** A date with its place in the text: `start` inclusive, `end` exclusive. */
interface FoundDate extends TimeSpan {
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

/** "Moved from Monday to Friday", 从周一改到周五: only the day behind it holds. */
const MOVED_FROM = /\b(?:mov|push|postpon|delay|shift|chang|(?:re)?schedul)\w{0,4} (?:[^,]{0,40} )?from (?:the )?$/i
const MOVED_TO = /^\s?(?:挪|改|推迟|延期?|提前|调整?)[到至]\s?$/

/** The dates, in the order in which they stand, joined and opened. */
function joinDates(found: readonly FoundDate[], text: string, now: number): readonly FoundDate[] {
  const result: FoundDate[] = []
  for (const next of found) {
    const last = result.at(-1)
    if (last !== undefined && isMove(text, last, next)) result[result.length - 1] = next
    else if (last !== undefined && isRange(text, last, next)) {
      const [from, to] = orderedSpan(text, last, next)
      result[result.length - 1] = { from, to, grain: 'range', start: last.start, end: next.end }
    } else result.push(next)
  }
  return result.map((one) => opened(one, text, now))
}

function isMove(text: string, first: FoundDate, second: FoundDate): boolean {
  const between = text.slice(first.end, second.start)
  if (MOVED_TO.test(between)) return true
  return /^ to (?:the )?$/i.test(between) && MOVED_FROM.test(text.slice(Math.max(0, first.start - 80), first.start))
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
    const there = monthsAway(second, 12 * (yearOf(first) - yearOf(second)))
    return [first, there.to < first.from ? monthsAway(there, 12) : there]
  }
  if (SAYS_WHOLE_YEAR.test(secondWords) && !SAYS_YEAR.test(firstWords)) {
    const there = monthsAway(first, 12 * (yearOf(second) - yearOf(first)))
    return [there.from > second.to ? monthsAway(there, -12) : there, second]
  }
  return [first, second]
}

/** Moves the first before the second, a year or a week back: "From November to February", "Thursday to Tuesday". */
function earlier(text: string, first: FoundDate): TimeSpan | null {
  const words = text.slice(first.start, first.end)
  if (first.cycle !== 'year' && /day|[周期拜]/i.test(words)) {
    return { from: first.from - 7 * DAY_MS, to: first.to - 7 * DAY_MS, grain: first.grain }
  }
  return monthsAway(first, -12)
}

function yearOf(span: TimeSpan): number {
  return new Date(span.from).getUTCFullYear()
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

/** "Continue", "just now", "where were we", 继续, 刚才. */
const RECENT_IN_ENGLISH =
  /\b(?:continue|resume|carry on|keep going|go on with|pick up where|left off|where were we|where was i|just now|a moment ago|a minute ago|most recent(?:ly)?|recent(?:ly)?|latest|newest|last (?:time|session|conversation|chat|discussion|message|turn|thing)|previous (?:session|conversation|chat|discussion|message|turn)|earlier today|so far)\b/i
const RECENT_IN_CHINESE =
  /继续|接着(?!着)|刚才|刚刚|方才|最近|近来|近期|上次|上一次|上回|上一轮|上一条|最新|刚说|说到哪|聊到哪|讲到哪|做到哪|到哪(?:了|儿)|之前那个/

/** true when the text asks for the newest turns. */
export function speaksOfRecent(text: string): boolean {
  return RECENT_IN_ENGLISH.test(text) || RECENT_IN_CHINESE.test(text)
}
