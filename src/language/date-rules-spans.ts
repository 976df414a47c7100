/** Which ranges share their month or year, so that one end alone is no date? "3-5 March", 3月3日到5日, 2023-2025年. */
import { calendarDay, latestDay, latestMonth, namedDay, namedMonth, namedYear, type TimeSpan } from './calendar.ts'
import {
  CHINESE_DAY,
  CHINESE_MONTH,
  CHINESE_YEAR,
  chineseRule,
  type DateRule,
  ENGLISH_MONTH,
  englishRule,
  isOrdinaryWord,
  monthNumber,
  yearFromWord,
} from './date-rule.ts'
import { chineseNumber, yearNumber } from './number-words.ts'

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
        match[1] === undefined ? latestDay(now, month, first) : namedDay(yearFromWord(match[1], now), month, first)
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
): TimeSpan | null {
  // "on 3 and 5 March" are two days, "between 3 and 5 March" is a stretch.
  if (isOrdinaryWord(month) || (/ and /i.test(match[0]) && !/^between/i.test(match[0]))) return null
  const number = monthNumber(month)
  const start =
    year === undefined ? latestDay(now, number, Number(first)) : namedDay(Number(year), number, Number(first))
  return untilDay(start, Number(last))
}

/** The span from a day to another day of its month. */
function untilDay(first: TimeSpan | null, lastDay: number): TimeSpan | null {
  if (first === null) return null
  const start = new Date(first.from)
  const last = namedDay(start.getUTCFullYear(), start.getUTCMonth() + 1, lastDay)
  return last === null || last.from < first.from ? null : { from: first.from, to: last.to, grain: 'range' }
}

function given(year: string | undefined, now: number): number | undefined {
  return year === undefined ? undefined : yearFromWord(year, now)
}

function months(first: number, last: number, year: number | undefined, now: number): TimeSpan | null {
  if (first < 1 || first > 12 || last < 1 || last > 12) return null
  const length = (last - first + 12) % 12
  const end = year === undefined ? latestMonth(now, last) : namedMonth(year, first + length)
  const { year: endYear, month: endMonth } = calendarDay(end.from)
  return { from: namedMonth(endYear, endMonth - length).from, to: end.to, grain: 'range' }
}

function years(first: number, last: number): TimeSpan | null {
  if (first < 1900 || last > 2100 || last < first) return null
  return { from: namedYear(first).from, to: namedYear(last).to, grain: 'range' }
}
