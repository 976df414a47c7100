/** How is a day or a time of day called in the user's language? Days are days in UTC, as everywhere in Mneme. */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/**
 * When it was, as far as that tells it apart from `other`: "12 May", with the year when the years differ; on the same
 * day "14:05"; null when that is the same too.
 */
export function whenLabel(time: number, other: number, chinese: boolean): string | null {
  const [one, two] = [new Date(time), new Date(other)]
  if (one.toISOString().slice(0, 10) !== two.toISOString().slice(0, 10))
    return dayLabel(one, one.getUTCFullYear() !== two.getUTCFullYear(), chinese)
  const [clock, otherClock] = [one.toISOString().slice(11, 16), two.toISOString().slice(11, 16)]
  return clock === otherClock ? null : clock
}

function dayLabel(date: Date, withYear: boolean, chinese: boolean): string {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (chinese) return `${withYear ? `${year}年` : ''}${month + 1}月${day}日`
  return `${day} ${MONTHS[month]!}${withYear ? ` ${year}` : ''}`
}
