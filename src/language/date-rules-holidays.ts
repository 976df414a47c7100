/** Which holidays name a day? Only those that fall on the same date of our calendar every year. */
import {
  CHINESE_YEAR,
  calendarDay,
  chineseRule,
  type DateRule,
  englishRule,
  latestDay,
  namedDay,
  type TimeSpan,
  yearFromWord,
} from './calendar.ts'
import { wordTable } from './word-lists.ts'

interface Holiday {
  readonly month: number
  readonly day: number
  /** Days of the holidays that begin with it, where 假期 or 期间 follows. */
  readonly days: number
}

/** By name. */
function holidays(language: 'zh' | 'en'): ReadonlyMap<string, Holiday> {
  const rows = wordTable('holidays').map((line) => line.split('|') as [string, string, ...string[]])
  return new Map(
    rows.flatMap(([of, name, ...numbers]) => {
      const [month, day, days] = numbers.map(Number) as [number, number, number]
      return of === language ? [[name, { month, day, days }] as const] : []
    }),
  )
}

const CHINESE = holidays('zh')
const HOLIDAYS = /假|期间|长假|黄金周/

const ENGLISH = holidays('en')
const ENGLISH_NAMES =
  "(new year['’]s day|may day|valentine['’]s(?= day)|april fools(?=['’]? day)|halloween|christmas eve|christmas|boxing day|new year['’]s eve)"
/** A Christmas tree is no day, nor is a merry one a question of time. */
const NO_DAY =
  '(?![ -](?:tree|gift|present|card|song|carol|party|parties|dinner|movie|film|music|cookie|market|light|sweater|costume|island|shopping|stocking|decoration)s?\\b)'

/** The rules; a year may stand before or behind. */
export const HOLIDAY_DATE_RULES: readonly DateRule[] = [
  chineseRule(
    `(?:(${CHINESE_YEAR})_(?:的_)?)?(?<![一二三四五六七八九十百千万亿块元点0-9李王张刘陈杨赵黄周吴])(${[...CHINESE.keys()].join('|')})(?![一二三四五六七八九0-9]|节?快乐|[树歌帽卡礼]|老人)节?(?:_(?:的_)?(?:小?长?假期?|期间|黄金周))?`,
    (match, now) => {
      const holiday = CHINESE.get(match[2]!)!
      // 十一 alone is a number.
      if (match[2] === '十一' && !HOLIDAYS.test(match[0])) return null
      const year = match[1] === undefined ? undefined : yearFromWord(match[1], now)
      return dayOf(holiday, year, now, HOLIDAYS.test(match[0]))
    },
  ),
  englishRule(
    `(?<!merry |happy )(?:(last|this|next) )?${ENGLISH_NAMES}${NO_DAY}(?: day)?(?:,? (?:of |in )?((?:19|20)\\d\\d|(?:last|this|next) year))?`,
    (match, now) => {
      const holiday = ENGLISH.get(match[2]!.toLowerCase().replace('’', "'"))!
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
  const { month, day, days } = holiday
  const first = year === undefined ? latestDay(now, month, day) : namedDay(year, month, day)
  if (first === null || !whole) return first
  const last = namedDay(calendarDay(first.from).year, month, day + days - 1)
  return last === null ? first : { ...first, to: last.to, grain: 'part' }
}
