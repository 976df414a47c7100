/** Where does a request go, and how is text from there quoted without the key in it? */
import { secretMask } from './mask-secret.ts'

/** One address and the key for it. */
export interface Endpoint {
  readonly address: string
  readonly apiKey: string | null
  /** Masks the key in any text. */
  readonly mask: (text: string) => string
}

const LONGEST_QUOTE = 300

/** The endpoint at this address; nothing is sent. */
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
