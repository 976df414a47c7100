/** The vendor that the options name: its address, key and model, and remedies for its refusals. */
import { check } from '../../domain/checks.ts'
import type { LlmOptions } from '../../domain/contracts/models.ts'
import { invalid } from '../../domain/errors.ts'

/** The remedy for a refusal by this status; undefined where it says nothing. */
export function remedyOf(status: number | null): string | undefined {
  const remedies: Readonly<Record<number, string>> = {
    401: 'Check the API key.',
    402: 'Add credit with the vendor, or choose another model.',
    403: 'Check what the API key may do, and the rules of the vendor.',
    404: 'Check the address and the name of the model.',
    413: 'Send less text in one call.',
    429: 'Wait, ask less often, or raise the limit with the vendor.',
  }
  return remedies[status ?? 0]
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

/** The vendor of an option: the address, the key and the model. Throws `invalid_input`. */
export function resolveVendor(
  part: 'llm' | 'embedding',
  { baseUrl, apiKey, model }: Pick<LlmOptions, 'baseUrl' | 'apiKey' | 'model'>,
  provider: keyof typeof PROVIDER_ADDRESSES,
  path: string,
  usualModel: string,
) {
  return {
    address: resolveAddress(part, baseUrl ?? PROVIDER_ADDRESSES[provider], path),
    apiKey: resolveKey(part, apiKey, baseUrl === undefined ? provider : null),
    model: resolveModelName(part, model ?? usualModel),
  }
}

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
      throw invalid(field, `is needed for ${neededBy}`, 'Pass a key, or an address that needs none.')
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
