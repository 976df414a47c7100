/** What went wrong with one request, and is it worth sending again? */
import { z } from 'zod'

/** An error inside a body, even with status 200, as OpenRouter sends them. */
export interface StatedError {
  readonly status: number
  readonly message: string
  /** The vendor's name for the error, such as `model_not_found`; null when it gives none. */
  readonly name: string | null
}

/** The form of an error's name, an identifier; anything else may be words of a request. */
const NAME = /^[a-z][a-z0-9_]{2,39}$/i

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.string().optional(),
      code: z.union([z.string(), z.number()]).nullish().catch(null),
      type: z.string().nullish().catch(null),
    }),
  ]),
})

/** The error that a body states; null when it states none. Without a status of its own it counts as 502. */
export function readError(body: unknown): StatedError | null {
  const read = errorSchema.safeParse(body)
  if (!read.success) return null
  const { error } = read.data
  if (typeof error === 'string') return { status: 502, message: error, name: null }
  const status = Number(error.code)
  const name = [error.code, error.type].find((one): one is string => typeof one === 'string' && NAME.test(one))
  return {
    status: status >= 400 && status < 600 ? status : 502,
    message: error.message ?? 'no reason given',
    name: name ?? null,
  }
}

/** How long does the server ask to be left alone, and how long is the wait without a word from it? */
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000

/** The wait of `Retry-After` (RFC 9110, 10.2.3) or `retry-after-ms`, in milliseconds; null for none. */
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

/** Exponential backoff with full jitter: random × min(cap, first × 2^retry), `random` 0 up to 1. */
export function backoffMs(retry: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry))
}

/** A failed request. Its message is ours, masked and short, so that a log may have it. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** HTTP status; null when there was none (network, time). */
  readonly status: number | null
  /** true when a repeated request may be answered. */
  readonly transient: boolean
  /** The wait that the server asked for; null when none. */
  readonly waitMs: number | null
  /** The server's words, masked and short; null when none. They may quote what was asked, so no log may have them. */
  readonly said: string | null

  constructor(
    message: string,
    about: { status?: number | null; transient: boolean; waitMs?: number | null; said?: string | null },
  ) {
    super(message)
    this.status = about.status ?? null
    this.transient = about.transient
    this.waitMs = about.waitMs ?? null
    this.said = about.said || null
  }

  /** true when the server itself refused this request; other requests may still succeed. */
  get refused(): boolean {
    return !this.transient && this.status !== null && this.status >= 300 && this.status < 500
  }
}

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}
