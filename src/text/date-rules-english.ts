/** How does a person say a date in English? Rules are tried in order; the first to match a stretch of text keeps it. */
import {
  calendarDay,
  dayFrom,
  lastWeekday,
  latestDay,
  latestMonth,
  latestSeason,
  monthFrom,
  namedDay,
  namedMonth,
  namedYear,
  nextWeekday,
  pastDays,
  seasonOf,
  type TimeSpan,
  weekFrom,
} from './calendar.ts'
import { type DateRule, weekend } from './date-rules-chinese.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY =
  '(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)'
const FULL_WEEKDAY = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  couple: 2,
  few: 3,
  several: 4,
}
const NUMBER = `(\\d{1,3}|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join('|')})`
const UNIT = '(day|week|fortnight|month|year)s?'
const SEASONS: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }
const ORDINAL_WORDS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  )
const ORDINAL_WORD = `(${[...ORDINAL_WORDS].sort((a, b) => b.length - a.length).join('|')})`
const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th)?'

const rule = (source: string, span: DateRule['span'], flags = 'gi'): DateRule => ({
  pattern: new RegExp(`\\b${source}\\b`, flags),
  span,
})

/** The rules, most specific first. */
export const ENGLISH_DATE_RULES: readonly DateRule[] = [
  {
    pattern:
      /(?<![\d.])(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?[ ]?(?:Z|[+-]\d{2}:?\d{2}))?(?![\d.]*\d)/g,
    span: (match) => isoDay(match),
  },
  {
    pattern: /(?<![\d./])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d/])/g,
    span: (match) => namedDay(Number(match[1]), Number(match[2]), Number(match[3])),
  },
  {
    pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\d.])/g,
    span: (match) => namedDay(Number(match[3]), Number(match[2]), Number(match[1])),
  },
  {
    pattern: /(?<![\d-])(20\d\d|19\d\d)-(0[1-9]|1[0-2])(?![\d-])/g,
    span: (match) => namedMonth(Number(match[1]), Number(match[2])),
  },
  rule(`(?:the )?${ORDINAL}(?: of)? ${MONTH}\\.?(?:,? (\\d{4}))`, (match) =>
    namedDay(Number(match[3]), monthNumber(match[2]!), Number(match[1])),
  ),
  rule(`${MONTH}\\.? ${ORDINAL},? (\\d{4})`, (match) =>
    namedDay(Number(match[3]), monthNumber(match[1]!), Number(match[2])),
  ),
  rule(`${MONTH}\\.?,? (?:of )?((?:19|20)\\d\\d)`, (match) => namedMonth(Number(match[2]), monthNumber(match[1]!))),
  rule(`(?:the )?(\\d{1,2})(?:st|nd|rd|th)? of ${MONTH}`, (match, now) =>
    latestDay(now, monthNumber(match[2]!), Number(match[1])),
  ),
  rule(`(?:the )?${ORDINAL_WORD} of ${MONTH}(?:,? (\\d{4}))?`, (match, now) =>
    spelledDay(now, match[1]!, match[2]!, match[3]),
  ),
  rule(`${MONTH} (?:the )?${ORDINAL_WORD}`, (match, now) => spelledDay(now, match[2]!, match[1]!, undefined)),
  rule(`(\\d{1,2})(?:st|nd|rd|th)? ${MONTH}(?! \\d)`, (match, now) => dayAndMonth(match[0], now, match[2]!, match[1]!)),
  rule(`${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:%]| (?:people|times|percent))`, (match, now) =>
    dayAndMonth(match[0], now, match[1]!, match[2]!),
  ),
  rule('(?:the )?day before yesterday', (_, now) => dayFrom(now, -2)),
  rule('(?:the )?day after tomorrow', (_, now) => dayFrom(now, 2)),
  rule('yesterday|last night', (_, now) => dayFrom(now, -1)),
  rule('today|tonight|this (?:morning|afternoon|evening)', (_, now) => dayFrom(now, 0)),
  rule('tomorrow', (_, now) => dayFrom(now, 1)),
  rule('the other day', (_, now) => pastDays(now, 10)),
  rule(`(?:in |within )(?:a )?${NUMBER}(?: of)? ${UNIT}(?! ago)(?:['’]s? time)?`, (match, now) =>
    ago(now, match[1]!, match[2]!, -1),
  ),
  rule(`(?:about |around )?(?:a )?${NUMBER}(?: of)? ${UNIT}(?: ago| earlier| back| before now)`, (match, now) =>
    ago(now, match[1]!, match[2]!),
  ),
  rule(
    `(?:in |over |during |within )?(?:the |these )?(?:last|past|previous) (?:a )?${NUMBER}(?: of)? ${UNIT}`,
    (match, now) => pastDays(now, numberOf(match[1]!) * unitDays(match[2]!)),
  ),
  rule('the past (day|week|fortnight|month|year)', (match, now) => pastDays(now, unitDays(match[1]!))),
  rule('(last|previous|this|next|coming) (weekend)', (match, now) => relativeWeekend(now, match[1]!)),
  rule('(?:on|over|at) the weekend', (_, now) => relativeWeekend(now, 'last')),
  rule('(?:the )?week before last', (_, now) => weekFrom(now, -2)),
  rule('(?:the )?month before last', (_, now) => monthFrom(now, -2)),
  rule('(last|previous|this|current|next|coming) (week|month|year)', (match, now) =>
    relativeUnit(now, step(match[1]!), match[2]!),
  ),
  rule(`(last|this past|past|this|next|coming) ${WEEKDAY}`, (match, now) => relativeWeekday(now, match[1]!, match[2]!)),
  rule(`${FULL_WEEKDAY} last week`, (match, now) => dayFrom(weekFrom(now, -1).from, (dayNumber(match[1]!) + 6) % 7)),
  rule(`(last|this|next) ${MONTH}`, (match, now) => relativeMonth(now, match[1]!, monthNumber(match[2]!))),
  rule('(last|this|next) (spring|summer|autumn|fall|winter)', (match, now) =>
    relativeSeason(now, match[1]!, SEASONS[match[2]!.toLowerCase()]!),
  ),
  rule('(?:spring|summer|autumn|fall|winter)(?: of)? (?:19|20)\\d\\d', (match) => {
    const words = match[0].toLowerCase().split(' ')
    return seasonOf(Number(words.at(-1)), SEASONS[words[0]!]!)
  }),
  rule(
    `(?:in|since|during|until|till|by|of|from|before|after|to|between|early|late|mid|all|through|throughout) (?:early |late |mid[- ])?${MONTH}(?! \\d)`,
    (match, now) => monthAfterPreposition(match, now),
  ),
  rule(
    '(January|February|July|September|October|November|December)',
    (match, now) => latestMonth(now, monthNumber(match[1]!)),
    'g',
  ),
  rule('(?:in|since|during|of|from|before|after|until|by|year|back in) ((?:19|20)\\d\\d)(?![-/.]\\d| ?%)', (match) =>
    namedYear(Number(match[1])),
  ),
  rule(`(?:on )?${FULL_WEEKDAY}`, (match, now) => recentWeekday(now, match[1]!)),
]

function isoDay(match: RegExpExecArray): TimeSpan | null {
  const day = namedDay(Number(match[1]), Number(match[2]), Number(match[3]))
  if (day === null || !/[T ]\d{2}:/.test(match[0])) return day
  const instant = Date.parse(match[0].replace(' ', 'T').replace(' ', ''))
  return Number.isNaN(instant) ? day : dayFrom(instant, 0)
}

function monthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
}

function dayNumber(word: string): number {
  return DAYS.indexOf(word.slice(0, 3).toLowerCase())
}

function numberOf(word: string): number {
  return NUMBERS[word.toLowerCase()] ?? Number(word)
}

function unitDays(unit: string): number {
  return { day: 1, week: 7, fortnight: 14, month: 30, year: 365 }[unit.toLowerCase()] ?? 1
}

/** "may 5 people come" and "march 3 miles" are verbs: these two need their capital. */
function dayAndMonth(text: string, now: number, month: string, day: string): TimeSpan | null {
  if (/\b(?:may|march|mar|sep|dec|jun)\b/.test(text)) return null
  return latestDay(now, monthNumber(month), Number(day))
}

/** "in may" is a month, "to march" and "from mar" are not: verbs need their capital after all but `in`. */
function monthAfterPreposition(match: RegExpExecArray, now: number): TimeSpan | null {
  const month = match[1]!
  if (/^(?:may|march|mar|sep|dec|jun|nov|oct)$/.test(month) && !/^(?:in|since|during|until)\b/i.test(match[0]))
    return null
  // "hello to April" greets a person; only "from … to April" is a time.
  if (/^to\b/i.test(match[0]) && !/\bfrom\b.{0,40}$/i.test(match.input.slice(0, match.index))) return null
  return latestMonth(now, monthNumber(month))
}

function spelledDay(now: number, word: string, month: string, year: string | undefined): TimeSpan | null {
  const day = ORDINAL_WORDS.indexOf(word.toLowerCase()) + 1
  return year === undefined ? latestDay(now, monthNumber(month), day) : namedDay(Number(year), monthNumber(month), day)
}

/** `direction` 1 looks back, -1 ahead. */
function ago(now: number, count: string, unit: string, direction: 1 | -1 = 1): TimeSpan | null {
  const number = numberOf(count) * direction
  const kind = unit.toLowerCase()
  if (/few|several/i.test(count)) {
    if (direction < 0) return null
    return { from: dayFrom(now, -7 * unitDays(kind)).from, to: dayFrom(now, -1).to, grain: 'range' }
  }
  if (kind === 'day') return dayFrom(now, -number)
  if (kind === 'week') return weekFrom(now, -number)
  if (kind === 'fortnight') return weekFrom(now, -2 * number)
  return kind === 'month' ? monthFrom(now, -number) : namedYear(calendarDay(now).year - number)
}

function step(word: string): number {
  if (/last|previous/i.test(word)) return -1
  return /next|coming/i.test(word) ? 1 : 0
}

function relativeUnit(now: number, steps: number, unit: string): TimeSpan {
  if (/week/i.test(unit)) return weekFrom(now, steps)
  return /month/i.test(unit) ? monthFrom(now, steps) : namedYear(calendarDay(now).year + steps)
}

/** "last weekend" on a Sunday is the one before; "the weekend" on a Wednesday is the one that has passed. */
function relativeWeekend(now: number, word: string): TimeSpan {
  return weekend(now, step(word))
}

function relativeWeekday(now: number, word: string, weekday: string): TimeSpan {
  const day = dayNumber(weekday)
  if (/next|coming/i.test(word)) return nextWeekday(now, day)
  if (/^this$/i.test(word)) return dayFrom(weekFrom(now, 0).from, (day + 6) % 7)
  return lastWeekday(now, day)
}

function recentWeekday(now: number, weekday: string): TimeSpan {
  const day = dayNumber(weekday)
  return calendarDay(now).weekday === day ? dayFrom(now, 0) : lastWeekday(now, day)
}

/** "last May" is the latest May that is over. */
function relativeMonth(now: number, word: string, month: number): TimeSpan {
  const { year, month: current } = calendarDay(now)
  if (/this/i.test(word)) return namedMonth(year, month)
  if (/next/i.test(word)) return namedMonth(month > current ? year : year + 1, month)
  return namedMonth(month < current ? year : year - 1, month)
}

function relativeSeason(now: number, word: string, firstMonth: number): TimeSpan {
  const latest = latestSeason(now, firstMonth)
  const { year } = calendarDay(latest.from)
  if (/last/i.test(word)) return latest.to < now ? latest : seasonOf(year - 1, firstMonth)
  return /next/i.test(word) ? seasonOf(year + 1, firstMonth) : seasonOf(calendarDay(now).year, firstMonth)
}
