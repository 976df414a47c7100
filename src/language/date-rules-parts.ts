/** Parts of a year or a month; these rules run before those for whole months and years. */
import { DAY_MS } from '../domain/clock.ts'
import * as calendar from './calendar.ts'
import {
  CHINESE_DAY,
  CHINESE_MONTH,
  CHINESE_YEAR,
  chineseNumber,
  chineseRule,
  type DateRule,
  ENGLISH_MONTH,
  englishRule,
  isOrdinaryWord,
  monthNumber,
  yearFromWord,
  yearNumber,
} from './calendar.ts'

const CHINESE_PARTS: Readonly<Record<string, YearPart>> = {
  初: 'early',
  上旬: 'early',
  中旬: 'middle',
  中: 'middle',
  下旬: 'late',
  底: 'late',
  末: 'late',
}
/** 5月中 but not 5月中国, 今年中 but not 今年中心. */
const PART_OF_MONTH = '(初(?![级中])|上旬|中旬|下旬|底(?![层部价])|末(?![尾])|中(?=[，。,.！？!?的 ]|$))'
const PART_OF_YEAR = '(初(?![级中])|中(?=[，。,.！？!?的 ]|$)|底(?![层部价])|末)'
const QUARTER = '(?:的_)?(?:第_)?([一二三四1-4])_季度?(?!节)|(?:的_)?Q([1-4])(?!\\d)'
/** Words behind a date that put it ahead, as a deadline or a plan; a date without them is taken to be past. */
const AHEAD = /^(?:之前|以前|前|要|会|将|得|再)/

const CHINESE: readonly DateRule[] = [
  chineseRule(`(${CHINESE_YEAR})_(?:${QUARTER})`, (match, now) =>
    quarterOfYear(yearFromWord(match[1]!, now), chineseNumber(match[2] ?? match[3]!)),
  ),
  chineseRule(`(${CHINESE_YEAR})?_前三_个?_季度`, (match, now) => {
    const year = match[1] === undefined ? calendar.calendarDay(now).year : yearFromWord(match[1], now)
    return { from: quarterOfYear(year, 1).from, to: quarterOfYear(year, 3).to, grain: 'part' }
  }),
  chineseRule('(上上|上|这|本|当前|下)_(?:一_)?个?_季度?(?!节)', (match, now) => quarterFrom(now, steps(match[1]!))),
  chineseRule('(?<![0-9一二三四五六七八九十两几前后每近去过])(?:第_)?([一二三四1-4])_季度', (match, now) =>
    latestOfYears(now, (year) => quarterOfYear(year, chineseNumber(match[1]!))),
  ),
  chineseRule(`(${CHINESE_YEAR})_(?:的_)?(上|下|前|后)半年`, (match, now) =>
    halfOfYear(yearFromWord(match[1]!, now), /上|前/.test(match[2]!) ? 1 : 2),
  ),
  chineseRule('(?<!大)(上|下)半年', (match, now) =>
    latestOfYears(now, (year) => halfOfYear(year, match[1] === '上' ? 1 : 2)),
  ),
  chineseRule(`(?:(${CHINESE_YEAR})_(?:的_)?)?(${CHINESE_MONTH})_月_(?:份_)?${PART_OF_MONTH}`, (match, now) => {
    const month = chineseNumber(match[2]!)
    if (month < 1 || month > 12) return null
    const whole =
      match[1] === undefined
        ? calendar.latestMonth(now, month)
        : calendar.namedMonth(yearFromWord(match[1], now), month)
    return partOfMonth(whole, CHINESE_PARTS[match[3]!]!)
  }),
  chineseRule(`(上上|上|这|本|下下|下)_个?_月_(?:的_)?月?${PART_OF_MONTH}`, (match, now) =>
    partOfMonth(calendar.monthFrom(now, steps(match[1]!)), CHINESE_PARTS[match[2]!]!),
  ),
  chineseRule(`(${CHINESE_YEAR})_(?:的_)?年?${PART_OF_YEAR}`, (match, now) =>
    partOfYear(yearFromWord(match[1]!, now), CHINESE_PARTS[match[2]!]!),
  ),
  chineseRule(
    '(?<![每整今去前明\\d岁跨])年(初(?![级中])|中(?=[，。,.！？!?的 ]|$)|底(?![层部价])|末)',
    (match, now) => {
      const part = CHINESE_PARTS[match[1]!]!
      if (AHEAD.test(match.input.slice(match.index + match[0].length)))
        return partOfYear(calendar.calendarDay(now).year, part)
      return latestOfYears(now, (year) => partOfYear(year, part))
    },
  ),
  chineseRule('(?<![每\\d一二三四五六七八九十个几])月(初(?![级中])|底(?![层部价])|末|中旬|上旬|下旬)', (match, now) => {
    const part = CHINESE_PARTS[match[1]!]!
    if (AHEAD.test(match.input.slice(match.index + match[0].length)))
      return partOfMonth(calendar.monthFrom(now, 0), part)
    return latestPartOfMonth(now, part)
  }),
  chineseRule('(?<![每一\\d])([上中下])旬', (match, now) => latestPartOfMonth(now, CHINESE_PARTS[`${match[1]!}旬`]!)),
  chineseRule('(?:(20|19|二十|二〇)_世纪_)?([0-9])0_年代|([一二三四五六七八九])十_年代', (match) => {
    const decade = Number(match[2] ?? chineseNumber(match[3]!))
    return decadeOf(decade >= 3 ? 1900 + decade * 10 : 2000 + decade * 10)
  }),
  chineseRule('((?:19|20)\\d0)_年代', (match) => decadeOf(Number(match[1]))),
  chineseRule('(\\d{4})_年_(?:的_)?第_(\\d{1,2}|[一二三四五六七八九十]{1,3})_(?:周|星期)', (match) =>
    isoWeek(yearNumber(match[1]!), chineseNumber(match[2]!)),
  ),
]

const PART = '(early|mid|middle|late|beginning|start|end|first half|second half)'
const PART_OF = `(?:the )?(?:very )?${PART}(?:[- ](?:of |in )?(?:the )?|[- ])`
const YEAR = '((?:19|20)\\d\\d|(?:last|this|next|the previous) year)'
const ORDINAL = '(first|second|third|fourth|1st|2nd|3rd|4th|last|final)'

const ENGLISH: readonly DateRule[] = [
  englishRule(`(?:Q([1-4])|${ORDINAL} quarter)(?:,? of|,| in|[ -])? ?(?:FY ?)?${YEAR}(?![.\\d])`, (match, now) =>
    quarterOfYear(englishYear(match[3]!, now), match[1] === undefined ? ordinal(match[2]!) : Number(match[1])),
  ),
  englishRule(`${YEAR}(?:['’]s)?[- ]?(?:Q([1-4])|${ORDINAL} quarter)`, (match, now) =>
    quarterOfYear(englishYear(match[1]!, now), match[2] === undefined ? ordinal(match[3]!) : Number(match[2])),
  ),
  englishRule('(?:the )?quarter before last', (_, now) => quarterFrom(now, -2)),
  englishRule(
    '(?:the )?(last|previous|this|current|next|coming) quarter(?! of\\b|[- ](?:mile|hour|century|pound|past|finals?))',
    (match, now) => quarterFrom(now, steps(match[1]!)),
  ),
  englishRule('(?:in |during |of )(?:the )?(first|second|third|fourth) quarter(?! of\\b(?! the year))', (match, now) =>
    latestOfYears(now, (year) => quarterOfYear(year, ordinal(match[1]!))),
  ),
  // "Q1: What is a monad?" and "Q2." at the start of a line number questions.
  englishRule(
    'Q([1-4])(?![:：\\w]|-\\w|(?<=(?:^|\\n)[ \\t]*Q\\d)[.)、])',
    (match, now) => latestOfYears(now, (year) => quarterOfYear(year, Number(match[1]))),
    'g',
  ),
  englishRule(
    `H([12])[ -]?(?:of )?${YEAR}`,
    (match, now) => halfOfYear(englishYear(match[2]!, now), Number(match[1])),
    'g',
  ),
  englishRule(`${PART_OF}${ENGLISH_MONTH}(?:,? (?:of )?${YEAR})?(?! \\d)`, (match, now) => {
    const [part, word] = [match[1]!, match[2]!]
    if (word === 'may' && /^(?:end|start|late|early|middle)$/i.test(part) && !/ of /i.test(match[0])) return null
    const number = monthNumber(word)
    const month =
      match[3] === undefined
        ? calendar.latestMonth(now, number)
        : calendar.namedMonth(englishYear(match[3], now), number)
    return partOfMonth(month, monthPart(part))
  }),
  englishRule(`${PART_OF}((?:last|this|next|the previous) month)`, (match, now) =>
    partOfMonth(calendar.monthFrom(now, steps(match[2]!)), monthPart(match[1]!)),
  ),
  englishRule(`${PART_OF}${YEAR}(?![-/.]\\d|[\\w%])`, (match, now) => yearPart(englishYear(match[2]!, now), match[1]!)),
  englishRule('(?:the )?(beginning|start|end|middle|first half|second half) of (?:the )?(month|year)', (match, now) =>
    ofTheUnit(match, now),
  ),
  englishRule('(?:earlier|later) (?:this|in the) (?:week|month|year)', (match, now) => restOfUnit(match[0], now)),
  englishRule("(?:the )?((?:19|20)\\d0)['’]?s", (match) => decadeOf(Number(match[1]))),
  englishRule('(\\d{4})-?W(\\d{2})', (match) => isoWeek(Number(match[1]), Number(match[2])), 'g'),
  englishRule('(?:calendar )?week (\\d{1,2})(?: of| in|,)? ((?:19|20)\\d\\d)', (match) =>
    isoWeek(Number(match[2]), Number(match[1])),
  ),
]

/** The rules, most specific first. */
export const PART_DATE_RULES: readonly DateRule[] = [...CHINESE, ...ENGLISH]

function steps(word: string): number {
  if (/^上上|^two/.test(word)) return -2
  if (/^上|last|previous/i.test(word)) return -1
  if (/^下下/.test(word)) return 2
  return /^下|next|coming/i.test(word) ? 1 : 0
}

function englishYear(word: string, now: number): number {
  return /^\d/.test(word) ? Number(word) : calendar.calendarDay(now).year + steps(word)
}

function ordinal(word: string): number {
  if (/^(?:last|final)$/i.test(word)) return 4
  return ['first', 'second', 'third', 'fourth'].indexOf(word.toLowerCase()) + 1 || Number(word[0])
}

function monthPart(word: string): YearPart {
  if (/^(?:early|beginning|start|first)/i.test(word)) return 'early'
  return /^mid/i.test(word) ? 'middle' : 'late'
}

function yearPart(year: number, word: string): calendar.TimeSpan {
  if (/half/i.test(word)) return halfOfYear(year, /^first/i.test(word) ? 1 : 2)
  return partOfYear(year, monthPart(word))
}

/** "By the end of the year" lies ahead, "at the beginning of the year" is the latest that has begun. */
function ofTheUnit(match: RegExpExecArray, now: number): calendar.TimeSpan {
  const ahead = /\b(?:by|before|until|till)\s{1,40}$/i.test(match.input.slice(0, match.index))
  const word = match[1]!
  if (/year/i.test(match[2]!)) {
    return ahead ? yearPart(calendar.calendarDay(now).year, word) : latestOfYears(now, (year) => yearPart(year, word))
  }
  return ahead ? partOfMonth(calendar.monthFrom(now, 0), monthPart(word)) : latestPartOfMonth(now, monthPart(word))
}

function restOfUnit(words: string, now: number): calendar.TimeSpan {
  const whole = /week/i.test(words)
    ? calendar.weekFrom(now, 0)
    : /month/i.test(words)
      ? calendar.monthFrom(now, 0)
      : calendar.namedYear(calendar.calendarDay(now).year)
  const earlier = /^earlier/i.test(words)
  return { from: earlier ? whole.from : now, to: earlier ? now : whole.to, grain: 'range' }
}

function decadeOf(firstYear: number): calendar.TimeSpan {
  return { from: calendar.namedYear(firstYear).from, to: calendar.namedYear(firstYear + 9).to, grain: 'part' }
}

/** A part of a month or a year. */
type YearPart = 'early' | 'middle' | 'late'

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
function monthsOfYear(year: number, first: number, last: number): calendar.TimeSpan {
  return { from: calendar.namedMonth(year, first).from, to: calendar.namedMonth(year, last).to, grain: 'part' }
}

/** A quarter, 1 to 4; numbers beyond run into other years. */
function quarterOfYear(year: number, quarter: number): calendar.TimeSpan {
  return monthsOfYear(year, 3 * quarter - 2, 3 * quarter)
}

/** The quarter at a distance of `offset` quarters from that of `now`. */
export function quarterFrom(now: number, offset: number): calendar.TimeSpan {
  const { year, month } = calendar.calendarDay(now)
  return quarterOfYear(year, Math.ceil(month / 3) + offset)
}

/** A half of a year, 1 or 2. */
function halfOfYear(year: number, half: number): calendar.TimeSpan {
  return monthsOfYear(year, 6 * half - 5, 6 * half)
}

/** The beginning, the middle or the end of a year. */
function partOfYear(year: number, part: YearPart): calendar.TimeSpan {
  return monthsOfYear(year, ...MONTHS_OF_PART[part])
}

/** The first ten days of a month, the second ten, or the rest. */
function partOfMonth(month: calendar.TimeSpan, part: YearPart): calendar.TimeSpan {
  const first = part === 'early' ? 0 : part === 'middle' ? EARLY_ENDS : MIDDLE_ENDS
  const from = month.from + first * DAY_MS
  const to = part === 'late' ? month.to : month.from + (part === 'early' ? EARLY_ENDS : MIDDLE_ENDS) * DAY_MS - 1
  return { ...month, from, to, grain: 'part' }
}

/** The latest yearly span that has begun; `spanOf` gives that of one year. */
function latestOfYears(now: number, spanOf: (year: number) => calendar.TimeSpan): calendar.TimeSpan {
  const { year } = calendar.calendarDay(now)
  const here = spanOf(year)
  return { ...(here.from <= now ? here : spanOf(year - 1)), cycle: 'year' }
}

/** The latest such part of a month that has begun. */
function latestPartOfMonth(now: number, part: YearPart): calendar.TimeSpan {
  const here = partOfMonth(calendar.monthFrom(now, 0), part)
  return { ...(here.from <= now ? here : partOfMonth(calendar.monthFrom(now, -1), part)), cycle: 'month' }
}

/** ISO 8601: week 1 is the one with the fourth of January; null for a week that the year does not have. */
function isoWeek(year: number, week: number): calendar.TimeSpan | null {
  const span = calendar.weekFrom(calendar.namedYear(year).from + 3 * DAY_MS, week - 1)
  const thursday = span.from + 3 * DAY_MS
  return week >= 1 && calendar.calendarDay(thursday).year === year ? span : null
}

const CHINESE_LINK = '(?:到|至|[-~–—－～]{1,2})'
const ENGLISH_LINK = '(?:\\s?[-–—]\\s?| to | until | till | through | and )'
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
/** The end of a number that may be a year or a day, not a count of things. */
const COUNTED = '(?![\\w%]|[-/.:]\\d| (?:people|times|percent|men|women)\\b)'

/** The rules, most specific first. */
export const SPAN_DATE_RULES: readonly DateRule[] = [
  chineseRule(
    `(?:(${CHINESE_YEAR})_(?:的_)?)?(?<![\\d.])(${CHINESE_MONTH})_月_(${CHINESE_DAY})_[日号]?_${CHINESE_LINK}_(${CHINESE_DAY})(?!_[月\\d])_[日号]`,
    (match, now) => {
      const month = chineseNumber(match[2]!)
      const [first, last] = [chineseNumber(match[3]!), chineseNumber(match[4]!)]
      const start =
        match[1] === undefined
          ? calendar.latestDay(now, month, first)
          : calendar.namedDay(yearFromWord(match[1], now), month, first)
      return untilDay(start, last)
    },
  ),
  chineseRule(
    `(?:(${CHINESE_YEAR})_(?:的_)?)?(?<![\\d.第])(${CHINESE_MONTH})_(?:月_(?:份_)?)?${CHINESE_LINK}_(${CHINESE_MONTH})_月(?:_份)?(?!_\\d|_[一二三四五六七八九十])`,
    (match, now) => months(chineseNumber(match[2]!), chineseNumber(match[3]!), given(match[1], now), now),
  ),
  chineseRule(
    `(?:(${CHINESE_YEAR})_)?(?<![个\\d第一二三四五六七八九十])([一二三四五六七八九])([二三四五六七八九])月(?:份)?`,
    (match, now) =>
      chineseNumber(match[3]!) === chineseNumber(match[2]!) + 1
        ? months(chineseNumber(match[2]!), chineseNumber(match[3]!), given(match[1], now), now)
        : null,
  ),
  chineseRule(`(?<!\\d)(\\d{4})_年?_${CHINESE_LINK}_(\\d{4})_年`, (match) =>
    years(yearNumber(match[1]!), yearNumber(match[2]!)),
  ),
  englishRule(
    `(between |from )?(?:the )?${DAY}${ENGLISH_LINK}(?:the )?${DAY}(?: of)? ${ENGLISH_MONTH}(?:,? (\\d{4}))?`,
    (match, now) => days(match, now, match[4]!, match[2]!, match[3]!, match[5]),
  ),
  englishRule(
    `(between |from )?${ENGLISH_MONTH}\\.? (?:the )?${DAY}${ENGLISH_LINK}(?:the )?${DAY}(?! (?:of )?${ENGLISH_MONTH.replace('(', '(?:')}\\b)(?:,? ((?:19|20)\\d\\d))?${COUNTED}`,
    (match, now) => days(match, now, match[2]!, match[3]!, match[4]!, match[5]),
  ),
  englishRule(
    `${ENGLISH_MONTH}\\.?(?:\\s?[-–—]\\s?| to | through )${ENGLISH_MONTH}\\.?(?:,? ((?:19|20)\\d\\d))?(?! ?\\d)`,
    (match, now) => {
      const [first, last] = [match[1]!, match[2]!]
      return isOrdinaryWord(first) || isOrdinaryWord(last)
        ? null
        : months(monthNumber(first), monthNumber(last), match[3] === undefined ? undefined : Number(match[3]), now)
    },
  ),
  englishRule(
    `(?:between|from) ((?:19|20)\\d\\d)(?: and | to | until |\\s?[-–—]\\s?)((?:19|20)\\d\\d)${COUNTED}`,
    (match) => years(Number(match[1]), Number(match[2])),
  ),
  englishRule(`(?<![-/.])((?:19|20)\\d\\d)\\s?[–—-]\\s?((?:19|20)\\d\\d)(?![-\\w]| ?%)`, (match) =>
    years(Number(match[1]), Number(match[2])),
  ),
]

function days(
  match: RegExpExecArray,
  now: number,
  month: string,
  first: string,
  last: string,
  year: string | undefined,
): calendar.TimeSpan | null {
  // "on 3 and 5 March" are two days, "between 3 and 5 March" is a stretch.
  if (isOrdinaryWord(month) || (/ and /i.test(match[0]) && !/^between/i.test(match[0]))) return null
  const number = monthNumber(month)
  const start =
    year === undefined
      ? calendar.latestDay(now, number, Number(first))
      : calendar.namedDay(Number(year), number, Number(first))
  return untilDay(start, Number(last))
}

/** The span from a day to another day of its month. */
function untilDay(first: calendar.TimeSpan | null, lastDay: number): calendar.TimeSpan | null {
  if (first === null) return null
  const start = new Date(first.from)
  const last = calendar.namedDay(start.getUTCFullYear(), start.getUTCMonth() + 1, lastDay)
  return last === null || last.from < first.from ? null : { ...first, to: last.to, grain: 'range' }
}

function given(year: string | undefined, now: number): number | undefined {
  return year === undefined ? undefined : yearFromWord(year, now)
}

function months(first: number, last: number, year: number | undefined, now: number): calendar.TimeSpan | null {
  if (first < 1 || first > 12 || last < 1 || last > 12) return null
  const length = (last - first + 12) % 12
  const end = year === undefined ? calendar.latestMonth(now, last) : calendar.namedMonth(year, first + length)
  const { year: endYear, month: endMonth } = calendar.calendarDay(end.from)
  return { ...end, from: calendar.namedMonth(endYear, endMonth - length).from, grain: 'range' }
}

function years(first: number, last: number): calendar.TimeSpan | null {
  if (first < 1900 || last > 2100 || last < first) return null
  return { from: calendar.namedYear(first).from, to: calendar.namedYear(last).to, grain: 'range' }
}
