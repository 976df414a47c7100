/** How does the time of a turn speak for it? Pure functions over milliseconds since the epoch. */
import { DAY_MS } from '../domain/clock.ts'
import type { DateRange } from '../language/dates.ts'

/** People tell of a day in the days after it: the match halves every so often once the range is over. */
const TOLD_LATER_HALF_LIFE_MS = 3.5 * DAY_MS

/** 1 inside one of the ranges, less the longer after its end, 0 before it; the best over the ranges. */
export function dateMatch(createdAt: number, ranges: readonly DateRange[]): number {
  let best = 0
  for (const { from, to } of ranges) {
    if (createdAt < from) continue
    const match = createdAt <= to ? 1 : 0.5 ** ((createdAt - to) / TOLD_LATER_HALF_LIFE_MS)
    if (match > best) best = match
  }
  return best
}

/** true inside one of the ranges. */
export function isWithin(createdAt: number, ranges: readonly DateRange[]): boolean {
  return ranges.some(({ from, to }) => createdAt >= from && createdAt <= to)
}

/** 1 now, ½ a half-life ago, towards 0; 1 for the future. */
export function recencyScore(createdAt: number, now: number, halfLifeMs: number): number {
  return createdAt >= now ? 1 : 0.5 ** ((now - createdAt) / halfLifeMs)
}
