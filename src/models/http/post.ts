/** One request to the endpoint: a response with status 2xx, or a failure. It tells what was wrong, never the key, and whether to send again. */
import { z } from 'zod'

/** An error inside a body, even with status 200, as OpenRouter sends them. */
interface StatedError {
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
function readError(body: unknown): StatedError | null {
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
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

const ERROR_BYTES = 16_384

/** Sends the body. Rejects with CallFailure; an abort of the signal looks like any failure of the network. */
export async function post(endpoint: Endpoint, body: unknown, signal: AbortSignal, now: number): Promise<Response> {
  let response: Response
  try {
    response = await fetch(endpoint.address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(endpoint.apiKey === null ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body: JSON.stringify(body),
      signal,
      // A redirect is not followed, so that conversations go to the configured address alone.
      redirect: 'manual',
    })
  } catch (error) {
    throw networkFailure(error, endpoint)
  }
  if (response.ok) return response
  throw await statusFailure(response, endpoint, now)
}

/** A failure of the connection, of reading, or of a body beyond its bound. */
export function networkFailure(error: unknown, endpoint: Endpoint): CallFailure {
  if (error instanceof CallFailure) return error
  const reasons: string[] = []
  for (let at: unknown = error; at instanceof Error && reasons.length < 3; at = at.cause)
    reasons.push('code' in at && typeof at.code === 'string' ? `${at.message} (${at.code})` : at.message)
  const reason = quote(reasons.filter((one) => one !== '').join(': ') || 'unknown reason', endpoint)
  return new CallFailure(`${whereTo(endpoint)}: ${reason}`, { transient: !(error instanceof RangeError) })
}

async function statusFailure(response: Response, endpoint: Endpoint, now: number): Promise<CallFailure> {
  const { status } = response
  const text = await responseBeginning(response, ERROR_BYTES)
  const stated = status < 400 ? null : statedIn(text)
  const about = status < 400 ? ': it redirects elsewhere, which is not followed' : nameOf(stated)
  return new CallFailure(`HTTP ${status}${about}`, {
    status,
    said: status < 400 ? null : quote(stated?.message ?? text, endpoint),
    transient: isTransientStatus(status),
    waitMs: retryAfterMs(response.headers, now),
  })
}

function nameOf(stated: StatedError | null): string {
  return stated?.name == null ? '' : ` (${stated.name})`
}

function statedIn(text: string): StatedError | null {
  try {
    return readError(JSON.parse(text))
  } catch {
    return null
  }
}

/** UTF-8 pieces of the body, in order. Throws RangeError past `maxBytes`; ending early lets the connection go. */
export async function* responsePieces(response: Response, maxBytes: number): AsyncGenerator<string> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let bytes = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.byteLength
      if (bytes > maxBytes) throw new RangeError(`the body is larger than ${maxBytes} bytes`)
      yield decoder.decode(read.value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The whole body. Throws RangeError past `maxBytes`. */
export async function responseText(response: Response, maxBytes: number): Promise<string> {
  let text = ''
  for await (const piece of responsePieces(response, maxBytes)) text += piece
  return text
}

/** The beginning of the body, at most about `maxBytes`; '' when it cannot be read. */
async function responseBeginning(response: Response, maxBytes: number): Promise<string> {
  let text = ''
  try {
    for await (const piece of responsePieces(response, Number.POSITIVE_INFINITY)) {
      text += piece
      if (text.length >= maxBytes) break
    }
  } catch {
    return text
  }
  return text.slice(0, maxBytes)
}

/** Characters of a body that are read for a quotation. */
const QUOTED_CHARACTERS = 2000

/** Reads a whole body, with its beginning for error messages. Throws CallFailure when it is not JSON or states an error. */
export function readJson(text: string, endpoint: Endpoint) {
  return { body: readJsonText(text, 'the answer', endpoint), quoted: quote(text.slice(0, QUOTED_CHARACTERS), endpoint) }
}

/** The JSON value of a text; CallFailure, naming `what`, when it is not JSON or states an error. */
export function readJsonText(text: string, what: string, endpoint: Endpoint): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    const quoted = quote(text.slice(0, QUOTED_CHARACTERS), endpoint) || '(empty)'
    throw new CallFailure(`${what} is not JSON`, { transient: true, said: quoted })
  }
  const stated = readError(body)
  if (stated === null) return body
  const { status } = stated
  throw new CallFailure(`${what} states the error ${status}`, {
    status,
    said: quote(stated.message, endpoint),
    transient: isTransientStatus(status),
  })
}

/** Limits the time of a call, which also ends when one of the other signals aborts. */
export function openDeadline(others: readonly AbortSignal[]) {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...others])
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let passed = false

  function expect(within: number | null): void {
    clearTimeout(timer)
    dueAt = within === null ? Number.POSITIVE_INFINITY : performance.now() + within
    if (within === null || signal.aborted) return
    timer = setTimeout(() => {
      passed = true
      ending.abort()
    }, within)
  }

  // A timer that runs on would keep the process from ending.
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return {
    /** Aborts when the time is out, the call has ended, or one of the other signals aborts. */
    signal,
    /** Limits the call to so many more milliseconds from now; null: no limit for now. */
    expect,
    /** Milliseconds that are left; Infinity without a limit. */
    timeLeft: () => dueAt - performance.now(),
    /** The time was out before the call ended. */
    passed: () => passed,
    /** Ends the call: no timer runs any more, and the rest of the answer is dropped. */
    end(): void {
      expect(null)
      ending.abort()
    },
  }
}

export interface Endpoint {
  readonly address: string
  readonly apiKey: string | null
  /** Masks the key in any text. */
  readonly mask: (text: string) => string
}

const LONGEST_QUOTE = 300

export function endpointAt(address: string, apiKey: string | null): Endpoint {
  return { address, apiKey, mask: secretMask(apiKey) }
}

/** A short quotation on one line, with the key masked before anything is cut off. */
function quote(text: string, endpoint: Endpoint): string {
  const line = endpoint.mask(text).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE).toWellFormed()}…` : line
}

/** Host and path; a query may hold a key. */
function whereTo(endpoint: Endpoint): string {
  const { origin, pathname } = new URL(endpoint.address)
  return endpoint.mask(origin + pathname)
}

/** A text is quoted without the key, even when a server echoes the header or the quotation cuts it. */
const MASK = '***'
/** Length of a key's beginning that is too short to reveal anything. */
const HARMLESS = 4
const AUTHORIZATION = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi

/** A function that masks this key, in every spelling in which a body may hold it, and any credentials of a header. */
function secretMask(key: string | null): (text: string) => string {
  const spellings = key === null ? [] : [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
  return (text) => {
    let masked = text
    for (const spelling of spellings) masked = maskEnd(masked.replaceAll(spelling, MASK), spelling)
    return masked.replace(AUTHORIZATION, `$1 ${MASK}`)
  }
}

/** A text that was cut inside the key ends with the key's beginning. */
function maskEnd(text: string, key: string): string {
  for (let length = Math.min(key.length - 1, text.length); length > HARMLESS; length--)
    if (text.endsWith(key.slice(0, length))) return text.slice(0, -length) + MASK
  return text
}

/** Shortest secret key; a shorter one is a word such as "none", for servers that want some key. */
const SHORTEST_SECRET = 8

/** The bytes with the key masked; the pieces unchanged when the key is null or no secret. */
export async function* maskedPieces(pieces: AsyncIterable<Uint8Array>, key: string | null): AsyncGenerator<Uint8Array> {
  if (key === null || key.length < SHORTEST_SECRET) {
    yield* pieces
    return
  }
  // Latin-1 has one character per byte.
  const secret = Buffer.from(key).toString('latin1')
  let held = ''
  for await (const piece of pieces) {
    const text = (held + Buffer.from(piece).toString('latin1')).replaceAll(secret, MASK)
    const shown = Math.max(0, text.length - secret.length + 1)
    held = text.slice(shown)
    if (shown > 0) yield Buffer.from(text.slice(0, shown), 'latin1')
  }
  if (held !== '') yield Buffer.from(held, 'latin1')
}
