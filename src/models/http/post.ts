/** One request to the endpoint: a response with status 2xx, or a failure that says what was wrong, without the key. */
import { CallFailure, isTransientStatus } from './call-failure.ts'
import { type Endpoint, quote, whereTo } from './endpoint.ts'
import { responseBeginning } from './response-text.ts'
import { retryAfterMs } from './retry-after.ts'
import { readError, type StatedError } from './stated-error.ts'

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
      // What a conversation says goes to the configured address and nowhere else.
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
