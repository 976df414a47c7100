/** Is this how an endpoint can be reached? Address, key and model name, checked at the door; no error quotes a key. */
import { checkText } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'

/** Where the known providers answer. */
export const PROVIDER_ADDRESSES = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: 'https://api.openai.com/v1',
} as const

/** Most retries after a first request (002 R10.2). */
export const MOST_RETRIES = 3

const EXAMPLE = 'Pass one such as http://127.0.0.1:8080/v1.'
/** What an HTTP header may hold; anything else would be quoted by the error that `fetch` throws. */
const HEADER_VALUE = /^[\x21-\x7e]+$/

/**
 * The full address: `baseUrl` with `path` at its end, once. `part` names the option that holds the base URL (`llm`).
 * Throws `invalid_input` for anything but an address by http or https without a user or a password.
 */
export function resolveAddress(part: string, baseUrl: unknown, path: string): string {
  const field = `${part}.baseUrl`
  const text = checkText(field, baseUrl, { maxBytes: 4096 }).trim()
  if (!URL.canParse(text)) throw invalid(field, 'is no address', EXAMPLE)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(field, `cannot be reached by ${url.protocol}`, EXAMPLE)
  if (url.username !== '' || url.password !== '')
    throw invalid(field, 'contains a user or a password', 'Pass the key as apiKey.')
  const base = url.pathname.replace(/\/+$/, '')
  url.hash = ''
  url.pathname = `${base.endsWith(path) ? base.slice(0, -path.length) : base}${path}`
  return url.href
}

/** The key, or null for none. Throws `invalid_input` for one that no header can hold, or where `neededBy` is not null. */
export function resolveKey(part: string, apiKey: unknown, neededBy: string | null): string | null {
  const field = `${part}.apiKey`
  const key = apiKey === undefined ? '' : checkText(field, apiKey, { maxBytes: 16_384 }).trim()
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
  const name = checkText(field, model, { maxBytes: 512 }).trim()
  if (name === '') throw invalid(field, 'is empty', 'Name a model, or leave it out for the default.')
  return name
}
