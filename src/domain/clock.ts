/** The source of time, passed in everywhere, so that a test or a replay can choose it. */

/** Returns the present moment. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** ISO 8601 in UTC with milliseconds, of milliseconds since the epoch. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds)
}

/** The zone in which days begin, as IANA names it (`Asia/Shanghai`); null: UTC. */
export type TimeZone = string | null

const formats = new Map<string, Intl.DateTimeFormat>()
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Milliseconds that the clocks of a zone are ahead of UTC at a moment. Throws RangeError for an unknown zone. */
function offsetAt(milliseconds: number, zone: string): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(format.format(milliseconds)) ?? []
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS
  return sign === '-' ? -offset : offset
}

/**
 * The moment as clocks in the zone show it, written as if it were UTC. A day without an hour, such as that of an event,
 * is its midnight in UTC and the same in every zone.
 */
export function wallTime(milliseconds: number, zone: TimeZone): number {
  return zone === null || milliseconds % DAY_MS === 0 ? milliseconds : milliseconds + offsetAt(milliseconds, zone)
}

/** The moment at which clocks in the zone show this time, written as if it were UTC. */
export function momentOfWall(wall: number, zone: TimeZone): number {
  return zone === null ? wall : wall - offsetAt(wall - offsetAt(wall, zone), zone)
}

/** The day of a time in the zone, `2026-05-07`. */
export function isoDay(milliseconds: number, zone: TimeZone = null): string {
  return isoTime(wallTime(milliseconds, zone)).slice(0, 10)
}
