/** Calls of REST by the page, with this visit's key and user, and with the server's error messages. */
import { asksFor, changes, isReachable, key, user } from './session.ts'
import { t } from './translations.ts'

export class Problem extends Error {
  readonly status: number
  readonly remedy: string

  constructor(status: number, message: string, remedy = '') {
    super(message)
    this.status = status
    this.remedy = remedy
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** true: is sent even if the page closes meanwhile. */
  readonly keepalive?: boolean
  /** Another user than that of this visit. */
  readonly as?: string
}

/** Milliseconds between retries while the server is unreachable. */
const ASK_AGAIN_MS = 3000

export async function send(
  method: string,
  path: string,
  body?: unknown,
  { signal, keepalive = false, as = user.value }: CallOptions = {},
): Promise<Response> {
  const headers = headersOf(as)
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  let response: Response
  try {
    response = await fetch(path, { method, headers, keepalive, ...sent, ...(signal === undefined ? {} : { signal }) })
  } catch (error) {
    throw signal?.aborted === true ? error : lostServer()
  }
  isReachable.value = true
  if (response.ok) return response
  const told = (await response.json().catch(() => ({}))) as { detail?: string; remedy?: string; field?: string }
  // A server that stops or has no room is asked again later.
  if (response.status === 503 && method === 'GET') lostServer()
  if (response.status === 401) asksFor.value = 'key'
  else if (told.field === 'user_id') asksFor.value = 'user'
  throw new Problem(response.status, told.detail ?? response.statusText, told.remedy)
}

export async function call<T>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<T> {
  return (await send(method, path, body, options)).json() as Promise<T>
}

export function get<T>(path: string | Parts, signal?: AbortSignal, params?: Params, as = user.value): Promise<T> {
  const options = signal === undefined ? { as } : { as, signal }
  return call<T>('GET', typeof path === 'string' ? path : pathOf(path, params), undefined, options)
}

/** Sends a file unchanged, and tells `onShare` the sent share, from 0 to 1. Rejects as `send` does. */
export function sendFile<T>(path: string, file: Blob, onShare: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    // The progress of `fetch` uploads cannot be observed.
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headersOf(user.value))) request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onShare(loaded / Math.max(1, total))
    request.upload.onload = () => onShare(1)
    request.onerror = () => reject(lostServer())
    request.onload = () => {
      const told = JSON.parse(request.responseText || '{}')
      if (request.status < 300) resolve(told as T)
      else reject(new Problem(request.status, told.detail ?? request.statusText, told.remedy))
    }
    request.send(file)
  })
}

function headersOf(as: string): Record<string, string> {
  // A header has no other letters; a key with them is none.
  const sendable = /[^\0-\xff]/.test(key.value) ? encodeURIComponent(key.value) : key.value
  return {
    ...(sendable === '' ? {} : { authorization: `Bearer ${sendable}` }),
    ...(as === '' ? {} : { 'x-user-id': encodeURIComponent(as) }),
  }
}

type Parts = readonly string[]
type Params = Readonly<Record<string, string | number | boolean | undefined>>

/** An encoded path with parameters; those that are undefined or '' are left out. */
export function pathOf(parts: Parts, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== '') query.set(name, String(value))
  const path = parts.map((part) => encodeURIComponent(part)).join('/')
  return `/${path}${query.size === 0 ? '' : `?${query}`}`
}

/** Waits for the server from now on, and tells that it is gone. */
export function lostServer(): Problem {
  const problem = new Problem(0, t('The server does not answer.'))
  if (!isReachable.value) return problem
  isReachable.value = false
  const again = setInterval(async () => {
    if (!isReachable.value)
      isReachable.value = await fetch('/health').then(
        () => true,
        () => false,
      )
    if (!isReachable.value) return
    clearInterval(again)
    // Views that could not be loaded meanwhile are loaded now.
    changes.value += 1
  }, ASK_AGAIN_MS)
  return problem
}

export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
