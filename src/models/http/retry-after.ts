/** How long does the server ask to be left alone, and how long do we wait when it does not say? */

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000

/**
 * Milliseconds that the headers ask to wait; null when they ask nothing readable. `Retry-After` is seconds or an HTTP
 * date (RFC 9110, 10.2.3); `retry-after-ms` is what some vendors send besides.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = headers.get('retry-after-ms')?.trim()
  if (exact !== undefined && /^\d+(?:\.\d+)?$/.test(exact)) return Math.ceil(Number(exact))
  const asked = headers.get('retry-after')?.trim()
  if (asked === undefined || asked === '') return null
  if (/^\d+(?:\.\d+)?$/.test(asked)) return Math.ceil(Number(asked) * 1000)
  // Date.parse takes "-5" and "2" for dates; an HTTP date names its weekday.
  const date = /^[A-Za-z]{3}/.test(asked) ? Date.parse(asked) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/**
 * Exponential backoff with full jitter: random × min(cap, first × 2^retry), `retry` from 0, `random` 0 up to 1
 * (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry))
}
