/** What is a rule that finds dates, and how is one written? In Chinese rules `_` stands for spaces that may be there. */
import { calendarDay, type TimeSpan } from './calendar.ts'
import { yearNumber } from './chinese-numbers.ts'

/** A pattern (global) and what a match of it means; null when it is no date after all. */
export interface DateRule {
  readonly pattern: RegExp
  /** The script without which it finds nothing; none for dates in digits. */
  readonly script?: 'han' | 'latin'
  readonly span: (match: RegExpExecArray, now: number) => TimeSpan | null
}

/** A rule whose pattern allows up to two spaces wherever `_` stands: 2026 年 5 月 7 日. */
export function chineseRule(source: string, span: DateRule['span']): DateRule {
  return { pattern: new RegExp(source.replaceAll('_', '[ \\t\\u3000]{0,2}'), 'g'), script: 'han', span }
}

/** Sources of patterns: a month of the year, a day of the month, without the word behind them. */
export const CHINESE_MONTH = '\\d{1,2}|十[一二]?|[一二三四五六七八九元]'
export const CHINESE_DAY = '\\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]'

/** 以上年龄, 目前年轻人 and 过去年代 hold no year. */
export const CHINESE_RELATIVE_YEAR =
  '(?:大前年|(?<![目之以])前年|(?<!过)去年|(?<!以)上一?年|今年|本年|明年|(?<![之以])后年)(?![龄纪轻级限长代])'
export const CHINESE_YEAR = `${CHINESE_RELATIVE_YEAR}|(?<!\\d)\\d{4}_年(?!代)|[一二][零〇一二三四五六七八九]{3}_年(?!代)|(?<![\\d.])2\\d_年(?=_(?:\\d{1,2}_月(?!_前)|Q[1-4]))`

const YEAR_WORDS: Readonly<Record<string, number>> = {
  大前年: -3,
  前年: -2,
  去年: -1,
  上年: -1,
  上一年: -1,
  今年: 0,
  本年: 0,
  明年: 1,
  后年: 2,
}

/** The year that a match of CHINESE_YEAR means. */
export function yearFromWord(word: string, now: number): number {
  const offset = YEAR_WORDS[word]
  if (offset !== undefined) return calendarDay(now).year + offset
  const year = yearNumber(word.replace(/\s{0,40}年$/, ''))
  return year < 100 ? 2000 + year : year
}
