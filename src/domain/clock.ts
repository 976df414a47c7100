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

/** The day of a time, `2026-05-07` (UTC). */
export function isoDay(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10)
}
