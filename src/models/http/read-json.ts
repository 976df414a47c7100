/** What does a body say? JSON that states no error, or a failure that quotes it without the key. */
import { CallFailure, isTransientStatus } from './call-failure.ts'
import { type Endpoint, quote } from './endpoint.ts'
import { responseText } from './response-text.ts'
import { readError } from './stated-error.ts'

/** As much of a body as is looked at for a quotation. */
const QUOTED_CHARACTERS = 2000

/** A body that was read whole. */
export interface JsonBody {
  readonly body: unknown
  /** Its beginning, for an error that finds fault with it. */
  readonly quoted: string
}

/** Reads a whole response. Rejects with CallFailure when it is not JSON or states an error, RangeError past `maxBytes`. */
export async function readJson(response: Response, endpoint: Endpoint, maxBytes: number): Promise<JsonBody> {
  const text = await responseText(response, maxBytes)
  return { body: readJsonText(text, 'the answer', endpoint), quoted: quote(text.slice(0, QUOTED_CHARACTERS), endpoint) }
}

/** The value that a text holds; `what` names the text. Throws CallFailure when it is not JSON or states an error. */
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
