/** Ages such as `30d`: how far back from now. Months and years are those of the calendar, in UTC. */
import { DAY_MS, HOUR_MS } from '../../domain/clock.ts'
import { invalid } from '../../domain/errors.ts'

const REMEDY = 'Pass a number and a unit: 12h, 30d, 2w, 6m (months) or 1y.'

/** The moment that lies this age before `now`. Throws `invalid` for anything but a positive number and a unit. */
export function momentBefore(flag: string, age: string, now: Date): Date {
  const match = /^(\d{1,6})([hdwmy])$/.exec(age.trim())
  const count = Number(match?.[1] ?? 0)
  if (match === null || count === 0) throw invalid(flag, `${JSON.stringify(age)} is not an age`, REMEDY)
  const moment = goBack(now, count, match[2] ?? '')
  if (!(moment.getUTCFullYear() >= 1)) throw invalid(flag, `${JSON.stringify(age)} lies before all time`, REMEDY)
  return moment
}

function goBack(now: Date, count: number, unit: string): Date {
  switch (unit) {
    case 'h':
      return new Date(now.getTime() - count * HOUR_MS)
    case 'd':
      return new Date(now.getTime() - count * DAY_MS)
    case 'w':
      return new Date(now.getTime() - count * 7 * DAY_MS)
    default:
      return monthsBack(now, unit === 'y' ? count * 12 : count)
  }
}

/** 31 March less one month is the last day of February. */
function monthsBack(now: Date, months: number): Date {
  const moment = new Date(now)
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  return moment
}
