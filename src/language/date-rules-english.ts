/** How does a person say a date in English? Rules are tried in order; the first to match a stretch of text keeps it. */
import * as calendar from './calendar.ts'
import {
  type DateRule,
  dayNumber,
  FULL_WEEKDAY,
  isOrdinaryWord,
  ENGLISH_MONTH as MONTH,
  monthNumber,
  ENGLISH_NUMBER as NUMBER,
  numberOf,
  englishRule as rule,
  WEEKDAY,
} from './calendar.ts'
import { quarterFrom } from './date-rules-parts.ts'

const UNIT = '(day|week|fortnight|month|quarter|year|decade)s?'
/** A number of a unit; "the coming weeks" are a few. */
const COUNTED = `(?:${NUMBER}(?: of)? ${UNIT}|(day|week|month|year)s(?! of\\b))`
const SEASONS: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }
const ORDINAL_WORDS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  )
const ORDINAL_WORD = `(${[...ORDINAL_WORDS].sort((a, b) => b.length - a.length).join('|')})`
const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th)?'
/** "a limit of 2048 bytes" counts; "in 2023 was" does not. */
const NOT_COUNTED =
  '(?![-/.:]?\\w| (?:to|and) \\d| ?(?:%|px|ms|k|km|kg|[kmgt]i?b|people|men|women|children)\\b| (?!was|is|his|as|this|does|has|its|us\\b)[a-z]+s\\b)'
/** Days that come again, and days with a name of their own. */
const ANY_SUCH_DAY = '(?<!\\b(?:every|each|black|good|cyber|ash|palm|easter|super|man) )'

/** The rules, most specific first. */
export const ENGLISH_DATE_RULES: readonly DateRule[] = [
  {
    pattern:
      /(?<![\d.])(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?[ ]?(?:Z|[+-]\d{2}:?\d{2}))?(?![\d.]{0,40}\d)/g,
    span: (match) => isoDay(match),
  },
  {
    pattern: /(?<![\d./])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d/])/g,
    span: (match) => calendar.namedDay(Number(match[1]), Number(match[2]), Number(match[3])),
  },
  {
    pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\d.])/g,
    span: (match) => calendar.namedDay(Number(match[3]), Number(match[2]), Number(match[1])),
  },
  {
    pattern: /(?<![\d-])(20\d\d|19\d\d)-(0[1-9]|1[0-2])(?![\d-])/g,
    span: (match) => calendar.namedMonth(Number(match[1]), Number(match[2])),
  },
  rule(`(?:the )?${ORDINAL}(?: of)? ${MONTH}\\.?(?:,? (\\d{4}))`, (match) =>
    calendar.namedDay(Number(match[3]), monthNumber(match[2]!), Number(match[1])),
  ),
  rule('(?<!\\d)(20\\d\\d|19\\d\\d)(0[1-9]|1[0-2])([0-3]\\d)(?![-\\w])', (match) =>
    /[-_/.#]/.test(match.input[match.index - 1] ?? '')
      ? null
      : calendar.namedDay(Number(match[1]), Number(match[2]), Number(match[3])),
  ),
  rule(`${MONTH}\\.? ${ORDINAL},? (\\d{4})`, (match) =>
    calendar.namedDay(Number(match[3]), monthNumber(match[1]!), Number(match[2])),
  ),
  rule(`${MONTH}\\.?,? (?:of )?((?:19|20)\\d\\d)`, (match) =>
    calendar.namedMonth(Number(match[2]), monthNumber(match[1]!)),
  ),
  rule(
    `(?:(?:the )?${ORDINAL}(?: of)? )?${MONTH}(?: (\\d{1,2})(?:st|nd|rd|th)?,?)?(?: of)? (last|this|next) year`,
    (match, now) => {
      const year = calendar.calendarDay(now).year + step(match[4]!)
      const [month, day] = [monthNumber(match[2]!), match[1] ?? match[3]]
      return day === undefined ? calendar.namedMonth(year, month) : calendar.namedDay(year, month, Number(day))
    },
  ),
  rule(`(?:the )?(?<![.\\d])(\\d{1,2})(?:st|nd|rd|th)? of ${MONTH}`, (match, now) =>
    calendar.latestDay(now, monthNumber(match[2]!), Number(match[1])),
  ),
  rule(`(?:the )?${ORDINAL_WORD} of ${MONTH}(?:,? (\\d{4}))?`, (match, now) =>
    spelledDay(now, match[1]!, match[2]!, match[3]),
  ),
  rule(`${MONTH} (?:the )?${ORDINAL_WORD}`, (match, now) =>
    isOrdinaryWord(match[1]!) ? null : spelledDay(now, match[2]!, match[1]!, undefined),
  ),
  rule(
    `(?<![.\\d])(\\d{1,2})(?:st|nd|rd|th)? ${MONTH}(?! \\d(?!\\d?(?:[:.]\\d\\d)? ?[ap]\\.?m)| (?:street|road|avenue|lane|drive|terrace)\\b)`,
    (match, now) => dayAndMonth(match, now, match[2]!, match[1]!),
  ),
  rule(`${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:%]| (?:people|times|percent))`, (match, now) =>
    dayAndMonth(match, now, match[1]!, match[2]!),
  ),
  rule('(?:the )?day before yesterday|(?:the )?night before last', (_, now) => calendar.dayFrom(now, -2)),
  rule('(?:the )?day after tomorrow', (_, now) => calendar.dayFrom(now, 2)),
  rule('yesterday|last (?:night|evening)', (_, now) => calendar.dayFrom(now, -1)),
  rule('today|tonight|this (?:morning|afternoon|evening)', (_, now) => calendar.dayFrom(now, 0)),
  rule('tomorrow', (_, now) => calendar.dayFrom(now, 1)),
  rule('the other day', (_, now) => calendar.pastDays(now, 10)),
  rule(`(?:about |around )?(?:a )?${NUMBER}(?: of)?(?: and a half)? (hour|minute|second)s? ago`, (match, now) =>
    calendar.dayFrom(now - numberOf(match[1]!) * CLOCK_UNITS[match[2]!.toLowerCase()]!, 0),
  ),
  rule(`(?:in |over |within )?(?:the )?(?:last|past) (\\d{1,3}|few)? ?hours?`, (match, now) => ({
    from: now - (match[1] === undefined ? 1 : numberOf(match[1])) * CLOCK_UNITS.hour!,
    to: now,
    grain: 'range',
  })),
  rule(`(?:in |within )(?:a )?${NUMBER}(?: of)? ${UNIT}(?! ago)(?:['’]s? time)?`, (match, now) =>
    ago(now, match[1]!, match[2]!, -1),
  ),
  rule(`${NUMBER} years? and ${NUMBER} months? (?:ago|back)`, (match, now) =>
    monthsAgo(now, 12 * numberOf(match[1]!) + numberOf(match[2]!)),
  ),
  rule(`(?:about |around )?${NUMBER} ${UNIT} and a half (?:ago|back)`, (match, now) =>
    monthsAgo(now, (numberOf(match[1]!) + 0.5) * monthsOf(match[2]!)),
  ),
  rule(`(?:about |around )?${NUMBER} and a half ${UNIT} (?:ago|back)`, (match, now) =>
    monthsAgo(now, (numberOf(match[1]!) + 0.5) * monthsOf(match[2]!)),
  ),
  rule(`(?:about |around )?(?:a )?${NUMBER}(?: of)? ${UNIT}(?: ago| earlier| back| before now)`, (match, now) =>
    ago(now, match[1]!, match[2]!),
  ),
  rule(`(?:in |over |during |within )?(?:the |these )?(?:last|past|previous) (?:a )?${COUNTED}`, (match, now) =>
    calendar.pastDays(now, daysCounted(match)),
  ),
  rule(`(?:in |over |during |within |for )?(?:the |these )?(?:next|coming) ${COUNTED}`, (match, now) =>
    calendar.comingDays(now, daysCounted(match)),
  ),
  rule('(?:the )?past (day|week|fortnight|month|year)', (match, now) => calendar.pastDays(now, unitDays(match[1]!))),
  rule('(?:the )?weekend before last', (_, now) => calendar.weekend(now, -2)),
  rule('(last|previous|this past|past|this|next|coming) (weekend)', (match, now) => relativeWeekend(now, match[1]!)),
  rule('(?:on|over|at) the weekend', (_, now) => ({ ...calendar.weekend(now, -1), cycle: 'week' })),
  rule(`${FULL_WEEKDAY} (?:of )?(last|this|next) week`, (match, now) =>
    calendar.dayFrom(calendar.weekFrom(now, step(match[2]!)).from, (dayNumber(match[1]!) + 6) % 7),
  ),
  rule(`(last|this|next) week,? (?:on )?${FULL_WEEKDAY}`, (match, now) =>
    calendar.dayFrom(calendar.weekFrom(now, step(match[1]!)).from, (dayNumber(match[2]!) + 6) % 7),
  ),
  rule('(?:the )?week before last', (_, now) => calendar.weekFrom(now, -2)),
  rule('(?:the )?month before last', (_, now) => calendar.monthFrom(now, -2)),
  rule('(?:the )?year before last', (_, now) => calendar.namedYear(calendar.calendarDay(now).year - 2)),
  rule(
    '(last|previous|this past|this|current|next|coming) (week|month|year)(?![- ](?:old|round|end)\\b)',
    (match, now) => relativeUnit(now, step(match[1]!), match[2]!),
  ),
  rule(`(last|this past|past|this|next|coming) ${WEEKDAY}`, (match, now) =>
    isOrdinaryWord(match[2]!) ? null : relativeWeekday(now, match[1]!, match[2]!),
  ),
  rule(`${NUMBER} ${FULL_WEEKDAY}s ago`, (match, now) =>
    calendar.dayFrom(calendar.lastWeekday(now, dayNumber(match[2]!)).from, -7 * (numberOf(match[1]!) - 1)),
  ),
  rule(`${FULL_WEEKDAY} before last`, (match, now) =>
    calendar.dayFrom(calendar.lastWeekday(now, dayNumber(match[1]!)).from, -7),
  ),
  rule(`(last|this|next) ${MONTH}`, (match, now) => namedWithStep(match, now)),
  rule('(last|this|next) (spring|summer|autumn|fall|winter)(?! in\\b| of\\b)', (match, now) =>
    relativeSeason(now, match[1]!, SEASONS[match[2]!.toLowerCase()]!),
  ),
  rule(
    '(?:in|over|during|since) the (spring|summer|autumn|fall|winter)(?! (?:of|sea|term|break|in)\\b)',
    (match, now) => calendar.latestSeason(now, SEASONS[match[1]!.toLowerCase()]!),
  ),
  rule('(?:spring|summer|autumn|fall|winter)(?: of)? (?:19|20)\\d\\d', (match) => {
    const words = match[0].toLowerCase().split(' ')
    return calendar.seasonOf(Number(words.at(-1)), SEASONS[words[0]!]!)
  }),
  rule(
    `(?:in|since|during|until|till|by|of|from|before|after|to|between|early|late|mid|all|through|throughout) (?:early |late |mid[- ])?${MONTH}(?! \\d)`,
    (match, now) => monthAfterPreposition(match, now),
  ),
  rule(
    '(January|February|July|September|October|November|December)',
    (match, now) => calendar.latestMonth(now, monthNumber(match[1]!)),
    'g',
  ),
  rule(`(?:in|since|during|of|from|before|after|until|by|year|back in) ((?:19|20)\\d\\d)${NOT_COUNTED}`, (match) =>
    calendar.namedYear(Number(match[1])),
  ),
  rule(
    'on the (\\d{1,2})(?:st|nd|rd|th)(?=\\s*(?:[?.!,;]|$)|\\s(?:we|i|and|did|at|you|he|she|they)\\b)',
    (match, now) => calendar.latestDayOfMonth(now, Number(match[1])),
  ),
  rule(`${ANY_SUCH_DAY}(?:on )?${FULL_WEEKDAY}(?! (?:school|times|league)|\\.com)`, (match, now) =>
    calendar.latestWeekday(now, dayNumber(match[1]!)),
  ),
]

function isoDay(match: RegExpExecArray): calendar.TimeSpan | null {
  const day = calendar.namedDay(Number(match[1]), Number(match[2]), Number(match[3]))
  if (day === null || !/[T ]\d{2}:/.test(match[0])) return day
  const instant = Date.parse(match[0].replace(' ', 'T').replace(' ', ''))
  return Number.isNaN(instant) ? day : calendar.dayFrom(instant, 0)
}

/** "may 5 people come" and "march 3 miles" are verbs: these need their capital, or a weekday beside them. */
function dayAndMonth(match: RegExpExecArray, now: number, month: string, day: string): calendar.TimeSpan | null {
  const { 0: text, index, input } = match
  const hasWeekday = [index - 1, index + text.length].some((at) => calendar.weekdayAt(input, at) !== null)
  if (!hasWeekday && text.split(/[ .]/).some(isOrdinaryWord)) return null
  return calendar.latestDay(now, monthNumber(month), Number(day))
}

/** "in may" is a month, "to march" and "from mar" are not: verbs need their capital after all but `in`. */
function monthAfterPreposition(match: RegExpExecArray, now: number): calendar.TimeSpan | null {
  const month = match[1]!
  if (/^(?:may|march|mar|sep|dec|jun|nov|oct)$/.test(month) && !/^(?:in|since|during|until)\b/i.test(match[0]))
    return null
  // "hello to April" greets a person; only "from … to April" is a time.
  if (/^to\b/i.test(match[0]) && !/\bfrom\b.{0,40}$/i.test(match.input.slice(0, match.index))) return null
  return calendar.latestMonth(now, monthNumber(month))
}

function spelledDay(now: number, word: string, month: string, year: string | undefined): calendar.TimeSpan | null {
  const day = ORDINAL_WORDS.indexOf(word.toLowerCase()) + 1
  return year === undefined
    ? calendar.latestDay(now, monthNumber(month), day)
    : calendar.namedDay(Number(year), monthNumber(month), day)
}

const CLOCK_UNITS: Readonly<Record<string, number>> = { hour: 3_600_000, minute: 60_000, second: 1000 }

/** "this may break", "the last march of the king": verbs and things unless they end the phrase. */
function namedWithStep(match: RegExpExecArray, now: number): calendar.TimeSpan | null {
  const rest = match.input.slice(match.index + match[0].length)
  if (isOrdinaryWord(match[2]!) && !/^\s*(?:$|[?.,!;])/.test(rest)) return null
  return relativeMonth(now, match[1]!, monthNumber(match[2]!))
}

/** Days of what COUNTED has matched, as the first groups of an expression. */
function daysCounted([, count = 'few', unit, plural]: RegExpExecArray): number {
  return numberOf(count) * unitDays(unit ?? plural!)
}

/** Days of a unit, months and years by their mean. */
function unitDays(unit: string): number {
  return { day: 1, week: 7, fortnight: 14, month: 30, quarter: 91, year: 365, decade: 3652 }[unit.toLowerCase()] ?? 1
}

/** `direction` 1 looks back, -1 ahead. */
function ago(now: number, count: string, unit: string, direction: 1 | -1 = 1): calendar.TimeSpan | null {
  const number = numberOf(count) * direction
  const kind = unit.toLowerCase()
  if (/few|several/i.test(count)) {
    if (direction < 0) return null
    return { from: calendar.dayFrom(now, -7 * unitDays(kind)).from, to: calendar.dayFrom(now, -1).to, grain: 'range' }
  }
  if (kind === 'day') return calendar.dayFrom(now, -Math.round(number))
  if (kind === 'week') return calendar.weekFrom(now, -Math.round(number))
  if (kind === 'fortnight') return calendar.weekFrom(now, -Math.round(2 * number))
  if (kind === 'quarter') return quarterFrom(now, -number)
  if (kind === 'decade') return calendar.namedYear(calendar.calendarDay(now).year - 10 * number)
  if (kind === 'year' && Number.isInteger(number)) return calendar.namedYear(calendar.calendarDay(now).year - number)
  return monthsAgo(now, number * monthsOf(kind))
}

function monthsOf(unit: string): number {
  return { day: 1 / 30, week: 7 / 30, fortnight: 14 / 30, quarter: 3, year: 12, decade: 120 }[unit.toLowerCase()] ?? 1
}

/** Half a month is two weeks, a month and a half is six. */
function monthsAgo(now: number, months: number): calendar.TimeSpan {
  return Number.isInteger(months)
    ? calendar.monthFrom(now, -months)
    : calendar.weekFrom(now, -Math.round((months * 30) / 7))
}

/** -1 for last, 0 for this, 1 for next. */
function step(word: string): number {
  if (/last|previous|past/i.test(word)) return -1
  return /next|coming/i.test(word) ? 1 : 0
}

/** The week, month or year at a distance of `steps`. */
function relativeUnit(now: number, steps: number, unit: string): calendar.TimeSpan {
  if (/week/i.test(unit)) return calendar.weekFrom(now, steps)
  return /month/i.test(unit)
    ? calendar.monthFrom(now, steps)
    : calendar.namedYear(calendar.calendarDay(now).year + steps)
}

/** "last weekend" on a Sunday is the one before; "the weekend" on a Wednesday is the one that has passed. */
function relativeWeekend(now: number, word: string): calendar.TimeSpan {
  return calendar.weekend(now, step(word))
}

/** last, this or next Friday. */
function relativeWeekday(now: number, word: string, weekday: string): calendar.TimeSpan {
  const day = dayNumber(weekday)
  if (/next|coming/i.test(word)) return calendar.nextWeekday(now, day)
  if (/^this$/i.test(word)) return calendar.dayFrom(calendar.weekFrom(now, 0).from, (day + 6) % 7)
  return calendar.lastWeekday(now, day)
}

/** The meaning of "last May": the latest May that is over. */
function relativeMonth(now: number, word: string, month: number): calendar.TimeSpan {
  const { year, month: current } = calendar.calendarDay(now)
  if (/this/i.test(word)) return calendar.namedMonth(year, month)
  if (/next/i.test(word)) return calendar.namedMonth(month > current ? year : year + 1, month)
  return calendar.namedMonth(month < current ? year : year - 1, month)
}

/** last, this or next summer. */
function relativeSeason(now: number, word: string, firstMonth: number): calendar.TimeSpan {
  const latest = calendar.latestSeason(now, firstMonth)
  const { year } = calendar.calendarDay(latest.from)
  if (/last/i.test(word)) return calendar.seasonOf(latest.to < now ? year : year - 1, firstMonth)
  return /next/i.test(word)
    ? calendar.seasonOf(year + 1, firstMonth)
    : calendar.seasonOf(calendar.calendarDay(now).year, firstMonth)
}
