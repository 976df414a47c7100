/** The source of time, passed in everywhere, so that a test or a replay can choose it. */

/** Returns the present moment. */
export type Clock = () => Date

/** The computer's own clock. */
export const systemClock: Clock = () => new Date()

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
