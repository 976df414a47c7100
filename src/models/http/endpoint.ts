/** Where does a request go, and how is text from there quoted without the key in it? */
import { check } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'

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
export function quote(text: string, endpoint: Endpoint): string {
  const line = endpoint.mask(text).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE).toWellFormed()}…` : line
}

/** Host and path; a query may hold a key. */
export function whereTo(endpoint: Endpoint): string {
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

/** Addresses of the known providers. */
export const PROVIDER_ADDRESSES = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: 'https://api.openai.com/v1',
} as const

/** Most retries after a first request (002 R10.2). */
export const MOST_RETRIES = 3

const EXAMPLE = 'Pass one such as http://127.0.0.1:8080/v1.'
/** Characters allowed in an HTTP header; the error that `fetch` throws would quote others. */
const HEADER_VALUE = /^[\x21-\x7e]+$/

/** `baseUrl` with `path` at its end, once; `invalid_input` for anything but http(s) without user or password. */
export function resolveAddress(part: string, baseUrl: unknown, path: string): string {
  const field = `${part}.baseUrl`
  const text = check.text(field, baseUrl, { maxBytes: 4096 }).trim()
  if (!URL.canParse(text)) throw invalid(field, 'is no address', EXAMPLE)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(field, `cannot be reached by ${url.protocol}`, EXAMPLE)
  if (url.username !== '' || url.password !== '')
    throw invalid(field, 'contains a user or a password', `Pass the key as ${part}.apiKey.`)
  const base = url.pathname.replace(/\/+$/, '')
  url.hash = ''
  url.pathname = `${base.endsWith(path) ? base.slice(0, -path.length) : base}${path}`
  return url.href
}

/** The key, or null for none. Throws `invalid_input` for one that no header can hold, or where `neededBy` is not null. */
export function resolveKey(part: string, apiKey: unknown, neededBy: string | null): string | null {
  const field = `${part}.apiKey`
  const key = apiKey === undefined ? '' : check.text(field, apiKey, { maxBytes: 16_384 }).trim()
  if (key === '') {
    if (neededBy !== null)
      throw invalid(field, `is needed for ${neededBy}`, 'Pass a key, or a baseUrl that needs none.')
    return null
  }
  if (!HEADER_VALUE.test(key))
    throw invalid(field, 'holds characters that no key has', 'Copy the key again, without spaces or line breaks.')
  return key
}

/** The name of a model as the vendor spells it. Throws `invalid_input` when it is empty. */
export function resolveModelName(part: string, model: unknown): string {
  const field = `${part}.model`
  const name = check.text(field, model, { maxBytes: 512 }).trim()
  if (name === '') throw invalid(field, 'is empty', 'Name a model, or leave it out for the default.')
  return name
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
