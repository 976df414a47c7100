/**
 * Sends one request to a Mneme server's /mem0, and gives its answer as JSON or throws ClientError. No other server is
 * contacted.
 */
import { checkText } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { ClientError, orClientError } from './client-error.ts'

/** Where the server is. */
export interface Server {
  /** `http://127.0.0.1:7077/mem0`, without a slash at the end. */
  readonly address: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
}

/** A request: `query` and `body` leave out what is undefined. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with a slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** The address of a server, by default with the path /mem0. Throws `invalid` for an invalid http address. */
export function serverAddress(host: unknown): string {
  const text = checkText('host', host, { maxBytes: 4096 })
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw invalid('host', 'is not the address of a server', 'Pass one such as http://127.0.0.1:7077.')
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/mem0' : path}`
}

/** Sends a request; rejects with ClientError when the server refuses, or does not answer in time. */
export async function callServer(
  { address, apiKey, timeoutMs }: Server,
  { method, path, query = {}, body }: Request,
): Promise<unknown> {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  const url = `${address}${path}${asked.size === 0 ? '' : `?${asked}`}`
  const sent = body === undefined ? undefined : orClientError(() => jsonOf(body))
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { authorization: `Token ${apiKey}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: sent }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    text = await response.text()
  } catch (cause) {
    const reason = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : cause
    throw new ClientError(`No server answered at ${address}: ${reason}`, {
      code: 'unreachable',
      status: 0,
      remedy: 'Start one with mneme serve, or pass its address as host.',
      cause,
    })
  }
  const answer = parsed(text)
  if (response.ok && answer !== undefined) return answer
  const { detail, code, remedy, field } = (typeof answer === 'object' && answer !== null ? answer : {}) as Said
  throw new ClientError(detail ?? `${address} answered ${response.status}, which Mneme does not`, {
    code: code ?? 'unexpected_answer',
    status: response.status,
    remedy: remedy ?? 'Check host: it should be the address of mneme serve.',
    field,
  })
}

interface Said {
  readonly detail?: string
  readonly code?: string
  readonly remedy?: string
  readonly field?: string
}

function jsonOf(body: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : cause
    throw invalid('options', `cannot be written as JSON (${reason})`, 'Pass plain values.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
