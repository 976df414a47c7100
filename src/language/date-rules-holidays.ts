/** Which holidays name a day? Only those that fall on the same date of our calendar every year. */
import { calendarDay, latestDay, namedDay, type TimeSpan } from './calendar.ts'
import { CHINESE_YEAR, chineseRule, type DateRule, englishRule, yearFromWord } from './date-rule.ts'

interface Holiday {
  readonly month: number
  readonly day: number
  /** Days of the holidays that begin with it, where 假期 or 期间 follows. */
  readonly days?: number
}

const CHINESE: Readonly<Record<string, Holiday>> = {
  十一: { month: 10, day: 1, days: 7 },
  元旦: { month: 1, day: 1, days: 3 },
  情人节: { month: 2, day: 14 },
  妇女节: { month: 3, day: 8 },
  愚人节: { month: 4, day: 1 },
  五一: { month: 5, day: 1, days: 5 },
  劳动节: { month: 5, day: 1, days: 5 },
  六一: { month: 6, day: 1 },
  儿童节: { month: 6, day: 1 },
  教师节: { month: 9, day: 10 },
  国庆: { month: 10, day: 1, days: 7 },
  万圣节: { month: 10, day: 31 },
  双十一: { month: 11, day: 11 },
  双11: { month: 11, day: 11 },
  平安夜: { month: 12, day: 24 },
  圣诞: { month: 12, day: 25 },
  双十二: { month: 12, day: 12 },
  双12: { month: 12, day: 12 },
}
const HOLIDAYS = /假|期间|长假|黄金周/

const ENGLISH: Readonly<Record<string, Holiday>> = {
  "new year's day": { month: 1, day: 1 },
  'may day': { month: 5, day: 1 },
  "valentine's": { month: 2, day: 14 },
  'april fools': { month: 4, day: 1 },
  halloween: { month: 10, day: 31 },
  'christmas eve': { month: 12, day: 24 },
  christmas: { month: 12, day: 25 },
  'boxing day': { month: 12, day: 26 },
  "new year's eve": { month: 12, day: 31 },
}
const ENGLISH_NAMES =
  "(new year['’]s day|may day|valentine['’]s(?= day)|april fools(?=['’]? day)|halloween|christmas eve|christmas|boxing day|new year['’]s eve)"
/** A Christmas tree is no day, nor is a merry one a question of time. */
const NO_DAY =
  '(?![ -](?:tree|gift|present|card|song|carol|party|parties|dinner|movie|film|music|cookie|market|light|sweater|costume|island|shopping|stocking|decoration)s?\\b)'

/** The rules; a year may stand before or behind. */
export const HOLIDAY_DATE_RULES: readonly DateRule[] = [
  chineseRule(
    `(?:(${CHINESE_YEAR})_(?:的_)?)?(?<![一二三四五六七八九十百千万亿块元点0-9李王张刘陈杨赵黄周吴])(${Object.keys(CHINESE).join('|')})(?![一二三四五六七八九0-9]|节?快乐|[树歌帽卡礼]|老人)节?(?:_(?:的_)?(?:小?长?假期?|期间|黄金周))?`,
    (match, now) => {
      const holiday = CHINESE[match[2]!]!
      // 十一 alone is a number.
      if (match[2] === '十一' && !HOLIDAYS.test(match[0])) return null
      const year = match[1] === undefined ? undefined : yearFromWord(match[1], now)
      return dayOf(holiday, year, now, HOLIDAYS.test(match[0]))
    },
  ),
  englishRule(
    `(?<!merry |happy )(?:(last|this|next) )?${ENGLISH_NAMES}${NO_DAY}(?: day)?(?:,? (?:of |in )?((?:19|20)\\d\\d|(?:last|this|next) year))?`,
    (match, now) => {
      const holiday = ENGLISH[match[2]!.toLowerCase().replace('’', "'")]!
      const { year } = calendarDay(now)
      const said = (match[3] ?? match[1] ?? '').toLowerCase()
      if (/^\d/.test(said)) return dayOf(holiday, Number(said), now, false)
      if (said === 'last year') return dayOf(holiday, year - 1, now, false)
      if (said === 'next year') return dayOf(holiday, year + 1, now, false)
      if (said.startsWith('this')) return dayOf(holiday, year, now, false)
      const latest = latestDay(now, holiday.month, holiday.day)!
      return said === 'next' ? dayOf(holiday, calendarDay(latest.from).year + 1, now, false) : latest
    },
  ),
]

function dayOf(holiday: Holiday, year: number | undefined, now: number, whole: boolean): TimeSpan | null {
  const { month, day, days = 1 } = holiday
  const first = year === undefined ? latestDay(now, month, day) : namedDay(year, month, day)
  if (first === null || !whole) return first
  const last = namedDay(calendarDay(first.from).year, month, day + days - 1)
  return last === null ? first : { from: first.from, to: last.to, grain: 'part' }
}
