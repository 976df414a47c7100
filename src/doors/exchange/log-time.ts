/** Reads the times that chat logs write. A time without a zone is taken as UTC, so that every machine reads the same. */

const DATE_TIME =
  /^(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})日?(?:[T\s,]+(\d{1,2})[:：](\d{2})(?:[:：](\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp][Mm])?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/
const TIME_ONLY = /^(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?\s*([AaPp][Mm])?$/
/** Seconds since the epoch up to the year 5138; larger numbers are milliseconds. */
const LARGEST_SECONDS = 1e11
const LARGEST_DATE = 8.64e15
const DAY_MS = 86_400_000

/** Milliseconds since the epoch of a text such as "2026-03-01 10:42", or null. "10:42" needs a `day` to belong to. */
export function parseLogTime(text: string, day: number | null): number | null {
  const trimmed = text.trim()
  const full = DATE_TIME.exec(trimmed)
  if (full !== null) return fullTime(full)
  const short = TIME_ONLY.exec(trimmed)
  if (short === null || day === null) return null
  const inDay = timeOfDay(short[1], short[2], short[3], undefined, short[4])
  return inDay === null ? null : Math.floor(day / DAY_MS) * DAY_MS + inDay
}

/** A JSON value as a time: ISO text, or a number of seconds or milliseconds; null when it is none. */
export function timeOfValue(value: unknown): number | null {
  if (typeof value === 'string') return parseLogTime(value, null)
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > LARGEST_DATE) return null
  return Math.round(Math.abs(value) < LARGEST_SECONDS ? value * 1000 : value)
}

function fullTime(match: RegExpExecArray): number | null {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const midnight = Date.UTC(year, month - 1, day)
  if (new Date(midnight).getUTCDate() !== day || month > 12) return null
  if (match[4] === undefined) return midnight
  const inDay = timeOfDay(match[4], match[5], match[6], match[7], match[8])
  return inDay === null ? null : midnight + inDay - zoneOffset(match[9])
}

function timeOfDay(
  hours: string | undefined,
  minutes: string | undefined,
  seconds = '0',
  fraction = '0',
  half = '',
): number | null {
  const twelve = half !== ''
  const hour = (Number(hours) % (twelve ? 12 : 24)) + (/^p/i.test(half) ? 12 : 0)
  if (Number(hours) > (twelve ? 12 : 24) || Number(minutes) > 59 || Number(seconds) > 60) return null
  return ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
}

function zoneOffset(zone = 'Z'): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000
}
