/** Which stretch of time does a caller mean? Its ends as ISO 8601, or words such as "last week" and 上周. */
import { check } from '../domain/checks.ts'
import { type TimeZone, wallTime } from '../domain/clock.ts'
import { invalid } from '../domain/errors.ts'
import { findDates } from '../language/dates.ts'

/** How a stretch of time is given. An end that is left out is open; a day stands for all of it. */
export type TimeRangeInput = string | { readonly from?: string | undefined; readonly to?: string | undefined }

/** Both ends included, as clocks of the zone show them (`wallTime`); null where it is open. */
export interface TimeRange {
  readonly since: number | null
  readonly until: number | null
}

const MOST_WORDS_BYTES = 400
/** A bare number, hardly a year in a sentence, is one where a time is asked for. */
const YEAR = /^((?:19|20)\d\d)年?$/
const HAS_CLOCK = /\d{1,2}:\d{2}/
/** An interval as ISO 8601 writes it: two ends with a stroke between, or two hyphens. */
const INTERVAL = /^([^/]*?)\s*(?:\/|--)\s*([^/]{0,200})$/
/** A day or a month at most: "5/7" is no interval. */
const SHORT = /^\d{1,2}$/
const ISO_DATE = /^\d{4}-\d/
const OPEN_END = /^(?:\.\.)?$/
const REMEDY = 'Pass ISO 8601 dates as {from, to} or "2026-05-01/2026-05-31", or words such as "last week" or "上周".'

/** Reads a range; null when there is none. Throws `invalid` naming the end that cannot be read. */
export async function readTimeRange(
  field: string,
  value: unknown,
  now: number,
  zone: TimeZone = null,
): Promise<TimeRange | null> {
  if (value === undefined || value === null) return null
  const ends = typeof value === 'string' ? endsOf(value) : check.record(field, value, ['from', 'to'])
  if (ends === null) {
    const { from, to } = await spanOf(field, value, now, zone)
    return { since: from, until: to }
  }
  const { from, to } = ends
  const since = isAbsent(from) ? null : (await spanOf(`${field}.from`, from, now, zone)).from
  const until = isAbsent(to) ? null : (await spanOf(`${field}.to`, to, now, zone)).to
  if (since !== null && until !== null && since > until)
    throw invalid(`${field}.from`, 'lies after its end', 'Swap from and to, or leave one out.')
  return { since, until }
}

/** The ends of an interval, as they stand in it; null where the text is none. */
function endsOf(text: string): { readonly from?: unknown; readonly to?: unknown } | null {
  const ends = INTERVAL.exec(text.trim())?.slice(1)
  if (ends === undefined || ends.every((end) => OPEN_END.test(end))) return null
  if (ends.some((end) => SHORT.test(end)) && !ends.some((end) => ISO_DATE.test(end))) return null
  const [from, to] = ends.map((end) => (OPEN_END.test(end) ? undefined : end))
  return { from, to }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

async function spanOf(
  field: string,
  value: unknown,
  now: number,
  zone: TimeZone,
): Promise<{ from: number; to: number }> {
  const words = check.text(field, value, { maxBytes: MOST_WORDS_BYTES }).trim()
  const year = YEAR.exec(words)
  if (year !== null) return { from: Date.UTC(Number(year[1]), 0, 1), to: Date.UTC(Number(year[1]) + 1, 0, 1) - 1 }
  if (HAS_CLOCK.test(words)) {
    const moment = wallTime(check.time(field, words), zone)
    return { from: moment, to: moment }
  }
  const [first] = await findDates(words, wallTime(now, zone))
  if (first === undefined) throw invalid(field, `${JSON.stringify(words)} names no time`, REMEDY)
  return first
}
