/** How does a person say a date in Chinese? Rules are tried in order; the first to match a stretch of text keeps it. */
import * as calendar from './calendar.ts'
import {
  CHINESE_DAY,
  CHINESE_MONTH,
  CHINESE_RELATIVE_YEAR,
  CHINESE_YEAR,
  chineseNumber,
  chineseRule,
  type DateRule,
  yearFromWord,
} from './calendar.ts'

const NUMBER = '(?<![\\d.点])(\\d{1,3}|[一二两三四五六七八九十百半几]{1,4})'
const UNIT = '(天|日|个?_星期|个?_礼拜|周|个_半?_月|个?_季度|年)'
/** 三天前端培训 and 两年后端经验 are no times; 三天前往 is none either. */
const BEFORE = '(?:之|以)?前(?![端台景途辈沿缀置提锋卫夫妻任面往所])'
const AFTER = '(?:之|以)?后(?![端台续果悔勤卫代面来辈])'
const DAY_WORDS: Readonly<Record<string, number>> = {
  大前天: -3,
  前天: -2,
  前日: -2,
  前晚: -2,
  昨: -1,
  今: 0,
  明: 1,
  后天: 2,
  大后天: 3,
}
const WEEKDAYS = '一二三四五六日天末1234567'
const SEASONS: Readonly<Record<string, number>> = { 春: 3, 夏: 6, 秋: 9, 冬: 12 }
const WEEK = '(?:个)?_(?:周|星期|礼拜)'
const STEP = '(上上|上|这|本|下下|下)'
/** A day of the month without its 日 is followed by neither a number nor what it counts. */
const NOTHING_COUNTED = '(?![\\d.:：]|_[个次人天年周种款项家部条元块万千百点倍位名件]|_[a-zA-Z%])'
/** 3号楼, 5号线, 2号服务器: numbers of things. */
const NUMBERED_THING = '(?![楼线院机位码店门房元球选会服桌方案库仓馆厅室车座文节任员工客户电池字体卡井站台馆柜航])'

/** The rules, most specific first. */
export const CHINESE_DATE_RULES: readonly DateRule[] = [
  chineseRule(
    `(${CHINESE_YEAR})_(?:的_)?(${CHINESE_MONTH})_月_(${CHINESE_DAY})(?:_[日号]|${NOTHING_COUNTED})`,
    (match, now) => calendar.namedDay(yearFromWord(match[1]!, now), chineseNumber(match[2]!), chineseNumber(match[3]!)),
  ),
  chineseRule(`(${CHINESE_YEAR})_(?:的_)?(${CHINESE_MONTH})_月(?:_份)?`, (match, now) =>
    validMonth(yearFromWord(match[1]!, now), chineseNumber(match[2]!)),
  ),
  chineseRule(`(${CHINESE_YEAR})_(?:的_)?([春夏秋冬])[天季]`, (match, now) =>
    calendar.seasonOf(yearFromWord(match[1]!, now), SEASONS[match[2]!]!),
  ),
  chineseRule('(?<!\\d)(?:\\d{4}|[一二][零〇一二三四五六七八九]{3})_年(?!代)', (match, now) =>
    validYear(yearFromWord(match[0], now)),
  ),
  chineseRule(`${NUMBER}_(多|来)?_${UNIT}_(半|多)?_${BEFORE}`, (match, now) =>
    ago(now, match[1]!, match[3]!, match[4] === '半' || match[3]!.includes('半')),
  ),
  chineseRule(`${NUMBER}_(?:多_)?(?:个_半?_)?(小时|钟头|分钟|秒)_(?:多)?_${BEFORE}`, (match, now) =>
    calendar.dayFrom(now - chineseNumber(match[1]!) * CLOCK_UNITS[match[2]!]!, 0),
  ),
  chineseRule(
    `(?:最近|近|过去|(?<!提)前)(?:的)?(?:这)?_${NUMBER}_(?:个_)?(小时|钟头|分钟)(?!_${BEFORE})(?:以?来|内|里)?`,
    (match, now) => ({ from: now - chineseNumber(match[1]!) * CLOCK_UNITS[match[2]!]!, to: now, grain: 'range' }),
  ),
  chineseRule(`${NUMBER}_${UNIT}_${AFTER}`, (match, now) =>
    vagueCount(match[1]!) !== null ? null : ago(now, match[1]!, match[2]!, false, -1),
  ),
  chineseRule(
    `(?:最近|近|过去|这|(?<!提)前)(?:的)?(?:这)?_(\\d{1,3}|[二两三四五六七八九十百半几]{1,4}|(?<!这)一)_(天|日|个?_星期|个?_礼拜|周|个_月|个?_季度|年)(?!_${BEFORE})(?:以?来|内|里)?`,
    (match, now) => calendar.pastDays(now, recentDays(match[1]!, match[2]!)),
  ),
  chineseRule(
    '(?:接下来|未来|今后|往后)(?:的)?(?:这)?_(\\d{1,3}|[一二两三四五六七八九十半几]{1,4})_(天|日|个?_星期|个?_礼拜|周|个_月|个?_季度|年)(?:内|里|中)?',
    (match, now) => calendar.comingDays(now, recentDays(match[1]!, match[2]!)),
  ),
  chineseRule('(?<![提目之])前(?:几|两)(?:天|日)|前些(?:天|日子)|前阵子|前段时间', (match, now) =>
    calendar.pastDays(now, /阵子|段时间/.test(match[0]) ? 45 : 10),
  ),
  chineseRule(`${STEP}_${WEEK}_([${WEEKDAYS}])(?![个月\\d气])`, (match, now) =>
    weekdayOrWeekend(now, match[2]!, stepsOf(match[1]!)),
  ),
  chineseRule(`(?:${STEP}|这一)_${WEEK}(?!期)`, (match, now) => calendar.weekFrom(now, stepsOf(match[1] ?? '这'))),
  chineseRule(
    `(?<![每逢各一二两三四五六七八九十几半整\\d个单双末多])(?:周|星期|礼拜)_?([${WEEKDAYS}])(?![年月\\d气])`,
    (match, now) => bareWeekday(now, match[1]!),
  ),
  chineseRule(`${STEP}_(?:个_)?月(?:_(${CHINESE_DAY})_[日号])?(?![亮饼球台光子圆])`, (match, now) => {
    const month = calendar.monthFrom(now, stepsOf(match[1]!))
    if (match[2] === undefined) return month
    const { year, month: number } = calendar.calendarDay(month.from)
    return calendar.namedDay(year, number, chineseNumber(match[2]))
  }),
  chineseRule(CHINESE_RELATIVE_YEAR, (match, now) => calendar.namedYear(yearFromWord(match[0], now))),
  chineseRule(
    '(大前天|(?<![之以目])前天(?!天)|(?<![之以目])前日(?![本程志常期])|前晚|昨(?=[天日晚夜早晨儿])|今(?=天|日(?!头条)|[晚夜早晨]|儿(?!子))|大后天|明(?=天|日(?!方舟|之星)|[晚早晨])|(?<![之以])后天(?![性形培努天]))(?:[天日晚夜早晨儿])?',
    (match, now) => calendar.dayFrom(now, DAY_WORDS[match[1]!]!),
  ),
  chineseRule(`(?<![\\d.第])(${CHINESE_MONTH})_月_(${CHINESE_DAY})(?:_[日号]|${NOTHING_COUNTED})`, (match, now) =>
    calendar.latestDay(now, chineseNumber(match[1]!), chineseNumber(match[2]!)),
  ),
  chineseRule(
    `(?<![个\\d.第一二三四五六七八九十/-])(${CHINESE_MONTH})_月(?:_份)?(?![亮饼球台光子龄]|天(?!气)|革命)`,
    (match, now) => {
      const month = chineseNumber(match[1]!)
      return month >= 1 && month <= 12 ? calendar.latestMonth(now, month) : null
    },
  ),
  chineseRule(
    `(?<![\\d第月a-zA-Z#.一二三四五六七八九十路街道巷弄里村院园苑坊住])(?<![a-zA-Z#第][ ])(\\d{1,2}|[二三]?十[一二三四五六七八九]?)_号${NUMBERED_THING}`,
    (match, now) => calendar.latestDayOfMonth(now, chineseNumber(match[1]!)),
  ),
  chineseRule('(?:这个|上个)_([春夏秋冬])[天季]|([春夏秋冬])[天季](?=的时候|那会|时)', (match, now) =>
    calendar.latestSeason(now, SEASONS[match[1] ?? match[2]!]!),
  ),
]

const CLOCK_UNITS: Readonly<Record<string, number>> = { 小时: 3_600_000, 钟头: 3_600_000, 分钟: 60_000, 秒: 1000 }

function validMonth(year: number, month: number): calendar.TimeSpan | null {
  return month >= 1 && month <= 12 ? calendar.namedMonth(year, month) : null
}

function validYear(year: number): calendar.TimeSpan | null {
  return year >= 1900 && year <= 2100 ? calendar.namedYear(year) : null
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

/** 几天 is 1 to 7 of them, 两三天 2 or 3, 十几天 11 to 19, 几十天 20 to 99. */
function vagueCount(count: string): readonly [number, number] | null {
  const pair = /^([一二两三四五六七八])([二三四五六七八九])$/.exec(count)
  if (pair !== null) return [chineseNumber(pair[1]!), chineseNumber(pair[2]!)]
  if (!count.includes('几')) return null
  if (count === '几') return [1, 7]
  if (count === '几十') return [20, 99]
  const ten = chineseNumber(count.replace('几', ''))
  return [ten + 1, ten + 9]
}

function recentDays(count: string, unit: string): number {
  return (vagueCount(count)?.[1] ?? chineseNumber(count)) * unitDays(unit)
}

/** `direction` 1 looks back, -1 ahead; with `andHalf` half a unit more. */
function ago(
  now: number,
  word: string,
  unit: string,
  andHalf: boolean,
  direction: 1 | -1 = 1,
): calendar.TimeSpan | null {
  const days = unitDays(unit)
  const vague = vagueCount(word)
  if (vague !== null) {
    const [least, most] = vague
    return {
      from: calendar.dayFrom(now, -most * days).from,
      to: calendar.dayFrom(now, -least * days).to,
      grain: 'range',
    }
  }
  const count = (chineseNumber(word) + (andHalf ? 0.5 : 0)) * direction
  if (days === 1) return calendar.dayFrom(now, -Math.round(count))
  if (days === 7) return calendar.weekFrom(now, -Math.round(count))
  const months = count * (days === 365 ? 12 : days === 91 ? 3 : 1)
  if (days === 365 && Number.isInteger(count)) return calendar.namedYear(calendar.calendarDay(now).year - count)
  // Half a month is two weeks, a month and a half is six.
  if (!Number.isInteger(months)) return calendar.weekFrom(now, -Math.round((months * 30) / 7))
  return calendar.monthFrom(now, -months)
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

function weekdayOrWeekend(now: number, word: string, weeks: number): calendar.TimeSpan {
  if (word !== '末') return calendar.weekdayOfWeek(now, WEEKDAY_NUMBERS[word]!, weeks)
  return calendar.weekend(now, weeks)
}

function bareWeekday(now: number, word: string): calendar.TimeSpan {
  if (word !== '末') return calendar.latestWeekday(now, WEEKDAY_NUMBERS[word]!)
  const weekday = calendar.calendarDay(now).weekday
  return { ...calendar.weekend(now, weekday === 0 || weekday === 6 ? 0 : -1), cycle: 'week' }
}
