/** How does a person say a date in Chinese? Rules are tried in order; the first to match a stretch of text keeps it. */
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
  pastDays,
  seasonOf,
  type TimeSpan,
  weekdayOfWeek,
  weekFrom,
} from './calendar.ts'
import { chineseNumber, yearNumber } from './chinese-numbers.ts'

/** A pattern (global) and what a match of it means; null when it is no date after all. */
export interface DateRule {
  readonly pattern: RegExp
  readonly span: (match: RegExpExecArray, now: number) => TimeSpan | null
}

const NUMBER = '(\\d{1,3}|[一二两三四五六七八九十半几]{1,3})'
const DAY_WORDS: Readonly<Record<string, number>> = {
  大前天: -3,
  前天: -2,
  前日: -2,
  昨天: -1,
  昨日: -1,
  昨晚: -1,
  昨夜: -1,
  今天: 0,
  今日: 0,
  今早: 0,
  今晚: 0,
  今晨: 0,
  明天: 1,
  明日: 1,
  明早: 1,
  明晚: 1,
  后天: 2,
  大后天: 3,
}
const WEEKDAYS = '一二三四五六日天末1234567'
const YEAR_WORDS: Readonly<Record<string, number>> = {
  大前年: -3,
  前年: -2,
  去年: -1,
  上年: -1,
  今年: 0,
  本年: 0,
  明年: 1,
  后年: 2,
}
const SEASONS: Readonly<Record<string, number>> = { 春: 3, 夏: 6, 秋: 9, 冬: 12 }
const WEEK = '(?:个)?(?:周|星期|礼拜)'

/** The rules, most specific first. */
export const CHINESE_DATE_RULES: readonly DateRule[] = [
  {
    pattern:
      /(\d{4}|[零〇一二三四五六七八九]{4})年(\d{1,2}|[一二三四五六七八九十]{1,3})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?/g,
    span: (match) => namedDay(yearNumber(match[1]!), chineseNumber(match[2]!), chineseNumber(match[3]!)),
  },
  {
    pattern: /(\d{4}|[零〇一二三四五六七八九]{4})年(\d{1,2}|[一二三四五六七八九十]{1,3})月(?:份)?/g,
    span: (match) => validMonth(yearNumber(match[1]!), chineseNumber(match[2]!)),
  },
  {
    pattern:
      /(大前年|前年|去年|上年|今年|本年|明年|后年)(?:的)?(\d{1,2}|[一二三四五六七八九十]{1,3})月(?:(\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?(?:份)?/g,
    span: (match, now) => {
      const year = calendarDay(now).year + YEAR_WORDS[match[1]!]!
      const month = chineseNumber(match[2]!)
      return match[3] === undefined ? validMonth(year, month) : namedDay(year, month, chineseNumber(match[3]))
    },
  },
  {
    pattern: /(大前年|前年|去年|今年|明年|\d{4}年)(?:的)?([春夏秋冬])(?:天|季)/g,
    span: (match, now) => seasonOf(relativeYear(match[1]!, now), SEASONS[match[2]!]!),
  },
  {
    pattern: /(\d{4}|[一二三四五六七八九零〇]{4})年(?!前|后|来|间|以)/g,
    span: (match) => validYear(yearNumber(match[1]!)),
  },
  {
    pattern: new RegExp(`${NUMBER}(?:多)?(天|日|个?星期|个?礼拜|周|个月|个?季度|年)(?:半)?(?:之|以)?前`, 'g'),
    span: (match, now) => ago(now, chineseNumber(match[1]!), match[2]!, match[1] === '几', match[1] === '半'),
  },
  {
    pattern: new RegExp(`${NUMBER}(天|日|个?星期|个?礼拜|周|个月|年)(?:之|以)?后`, 'g'),
    span: (match, now) => (match[1] === '几' ? null : ago(now, -chineseNumber(match[1]!), match[2]!, false, false)),
  },
  {
    pattern: new RegExp(
      `(?:最近|近|过去|这|前)(?:的)?(?:这)?${NUMBER}(天|日|个?星期|个?礼拜|周|个月|年)(?!前)(?:以?来|内|里)?`,
      'g',
    ),
    span: (match, now) => pastDays(now, match[1] === '半' ? 183 : chineseNumber(match[1]!) * unitDays(match[2]!)),
  },
  {
    pattern: /前(?:几|两|一)(?:天|日)|前些(?:天|日子)|前阵子|前段时间/g,
    span: (match, now) => pastDays(now, /阵子|段时间/.test(match[0]) ? 45 : 10),
  },
  {
    pattern: new RegExp(`(上上|上|这|本|下下|下)${WEEK}([${WEEKDAYS}])`, 'g'),
    span: (match, now) => weekdayOrWeekend(now, match[2]!, stepsOf(match[1]!)),
  },
  {
    pattern: new RegExp(`(上上|上|这|本|下下|下)${WEEK}(?!${'期'})`, 'g'),
    span: (match, now) => weekFrom(now, stepsOf(match[1]!)),
  },
  {
    pattern: new RegExp(`(?:周|星期|礼拜)([${WEEKDAYS}])(?![年月\\d])`, 'g'),
    span: (match, now) => bareWeekday(now, match[1]!),
  },
  {
    pattern: /(上上|上|这|本|下下|下)个?月(?:(\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?/g,
    span: (match, now) => {
      const month = monthFrom(now, stepsOf(match[1]!))
      if (match[2] === undefined) return month
      const { year, month: number } = calendarDay(month.from)
      return namedDay(year, number, chineseNumber(match[2]))
    },
  },
  {
    pattern: /大前年|前年|去年|今年|明年|后年/g,
    span: (match, now) => namedYear(calendarDay(now).year + YEAR_WORDS[match[0]]!),
  },
  {
    pattern: /大前天|前天|前日|昨天|昨日|昨晚|昨夜|今天|今日|今早|今晚|今晨|大后天|明天|明日|明早|明晚|后天/g,
    span: (match, now) => dayFrom(now, DAY_WORDS[match[0]]!),
  },
  {
    pattern: /(\d{1,2}|[一二三四五六七八九十]{1,3})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?/g,
    span: (match, now) => latestDay(now, chineseNumber(match[1]!), chineseNumber(match[2]!)),
  },
  {
    pattern: /(?<![个\d一二三四五六七八九十])(\d{1,2}|[一二三四五六七八九十]{1,2})月(?:份)?(?!亮|饼|球|台|光|子)/g,
    span: (match, now) => {
      const month = chineseNumber(match[1]!)
      return month >= 1 && month <= 12 ? latestMonth(now, month) : null
    },
  },
  {
    pattern:
      /(?<![\d第月a-zA-Z#.一二三四五六七八九十])(\d{1,2}|[二三]?十[一二三四五六七八九]?)号(?![楼线院机位码店门房店元球选])/g,
    span: (match, now) => dayOfLatestMonth(now, chineseNumber(match[1]!)),
  },
  {
    pattern: /(?:今年|这个)?([春夏秋冬])(?:天|季)(?=的时候|那会|时)/g,
    span: (match, now) => latestSeason(now, SEASONS[match[1]!]!),
  },
]

function relativeYear(word: string, now: number): number {
  const offset = YEAR_WORDS[word]
  return offset === undefined ? Number(word.slice(0, 4)) : calendarDay(now).year + offset
}

function validMonth(year: number, month: number): TimeSpan | null {
  return month >= 1 && month <= 12 ? namedMonth(year, month) : null
}

function validYear(year: number): TimeSpan | null {
  return year >= 1900 && year <= 2100 ? namedYear(year) : null
}

function stepsOf(word: string): number {
  return { 上上: -2, 上: -1, 下: 1, 下下: 2 }[word] ?? 0
}

function unitDays(unit: string): number {
  if (/天|日/.test(unit)) return 1
  if (/星期|礼拜|周/.test(unit)) return 7
  if (/季/.test(unit)) return 91
  return unit === '年' ? 365 : 30
}

function ago(now: number, count: number, unit: string, vague: boolean, half: boolean): TimeSpan | null {
  if (half) return unit === '年' ? monthFrom(now, -6) : weekFrom(now, -2)
  const days = unitDays(unit)
  if (vague) return { from: dayFrom(now, -7 * days).from, to: dayFrom(now, -1).to, grain: 'range' }
  if (days === 1) return dayFrom(now, -count)
  if (days === 7) return weekFrom(now, -count)
  if (days === 365) return namedYear(calendarDay(now).year - count)
  return monthFrom(now, -count * (days === 91 ? 3 : 1))
}

const WEEKDAY_NUMBERS: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  日: 0,
  天: 0,
  '1': 1,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  '6': 6,
  '7': 0,
}

function weekdayOrWeekend(now: number, word: string, weeks: number): TimeSpan {
  if (word !== '末') return weekdayOfWeek(now, WEEKDAY_NUMBERS[word]!, weeks)
  return weekend(now, weeks)
}

function bareWeekday(now: number, word: string): TimeSpan {
  if (word !== '末') return lastWeekdayOrToday(now, WEEKDAY_NUMBERS[word]!)
  const weekday = calendarDay(now).weekday
  return weekend(now, weekday === 0 || weekday === 6 ? 0 : -1)
}

function lastWeekdayOrToday(now: number, weekday: number): TimeSpan {
  return calendarDay(now).weekday === weekday ? dayFrom(now, 0) : lastWeekday(now, weekday)
}

/** Saturday and Sunday of the week that is `weeks` away. */
export function weekend(now: number, weeks: number): TimeSpan {
  return { from: weekdayOfWeek(now, 6, weeks).from, to: weekdayOfWeek(now, 0, weeks).to, grain: 'range' }
}

function dayOfLatestMonth(now: number, day: number): TimeSpan | null {
  for (let back = 0; back < 3; back++) {
    const { year, month } = calendarDay(monthFrom(now, -back).from)
    const span = namedDay(year, month, day)
    if (span !== null && span.from <= now) return span
  }
  return null
}
