/** mem0's times: days for what expires, seconds since the epoch or ISO 8601 for moments. */
import { checkTime } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'

const DAY = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000

/** A moment: a Date, ISO 8601, or a number of seconds since the epoch (a text of digits, too). */
export function readMoment(field: string, value: unknown): Date {
  const seconds = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number') return new Date(checkTime(field, seconds))
  if (!(Math.abs(seconds) <= LAST_SECOND))
    throw invalid(
      field,
      `${seconds} is no time in seconds since the epoch`,
      'Numbers are seconds: divide milliseconds by 1000, or pass ISO 8601.',
    )
  return new Date(checkTime(field, new Date(seconds * 1000)))
}

/** The first moment at which something that expires with this day (YYYY-MM-DD, UTC) holds no more. */
export function endOfDay(field: string, value: unknown): Date {
  if (typeof value !== 'string' || !DATE.test(value))
    throw invalid(field, 'must be a day', 'Pass it as YYYY-MM-DD, such as 2026-12-31.')
  return new Date(checkTime(field, value) + DAY)
}

/** The last day (UTC) on which something held that ends at this moment. */
export function lastDay(endsAt: string): string {
  return new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10)
}

/** The bounds of a span of creation times; a last day counts whole. */
export function createdBetween(from: unknown, to: unknown): Readonly<Record<string, unknown>> | undefined {
  const bounds = {
    ...(from === undefined ? {} : { gte: readMoment('start_date', from) }),
    ...(to === undefined ? {} : upper(to)),
  }
  return Object.keys(bounds).length === 0 ? undefined : { createdAt: bounds }
}

function upper(to: unknown): Readonly<Record<string, unknown>> {
  const isDay = typeof to === 'string' && DATE.test(to)
  return isDay ? { lt: endOfDay('end_date', to) } : { lte: readMoment('end_date', to) }
}
