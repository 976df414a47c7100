/** The raw input of a request, from its path, query string and JSON body, which is bounded in bytes and in time. */
import type { Context } from 'hono'
import { invalid } from '../../domain/errors.ts'
import { inPieces } from '../../domain/scheduling.ts'
import type { AnyOperation } from '../operations/operation.ts'
import {
  fieldTexts,
  InputRefusal,
  readInput,
  readTextValue,
  type StrictJsonOptions,
  strictJson,
} from '../operations/read-input.ts'
import { decodedHeader } from './caller.ts'
import { DoorError } from './problem.ts'
import type { ResolvedAppOptions } from './server-options.ts'

export const USER_PARAMETER = 'user_id'

const LONGEST_KEY = 255

export function idempotencyKey(context: Context): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key !== undefined && key.length > LONGEST_KEY)
    throw invalid('Idempotency-Key', `is longer than ${LONGEST_KEY} characters`, 'Use a shorter one, such as a UUID.')
  return key
}

export interface RawRequest {
  readonly input: Record<string, unknown>
  readonly userId: unknown
}

export function queryParameters(url: string): ReadonlyMap<string, readonly string[]> {
  decoded(url)
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])
  return new Map([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
}

/** Throws `invalid` for percent-encoding that is no UTF-8, of which others would make question marks. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid('url', 'is not valid percent-encoded UTF-8', 'Encode it with encodeURIComponent.')
  }
}

export async function readRequest(operation: AnyOperation, context: Context): Promise<RawRequest> {
  const { rest } = operation
  const texts = fieldTexts(operation)
  const query = queryParameters(context.req.url)
  const whole = rest?.own?.body?.field
  const headers = rest?.own?.headers ?? {}
  const sendsBody =
    Number(context.req.header('content-length') ?? 0) > 0 || context.req.header('transfer-encoding') !== undefined
  if (rest?.method === 'get' && sendsBody)
    throw invalid('body', 'is not taken by a GET', 'Put it into the query string.')
  // A filter on a deletion must be honoured, whether it is in the query string or in the body.
  const body = rest?.method === 'get' || whole !== undefined ? {} : (await readJsonRequest(context)).value
  const input = new Map<string, unknown>(Object.entries(rest?.defaults ?? {}))
  // An operation with a field of this name means its own: a key's user is not its maker's.
  const namesCaller = (name: string): boolean => name === USER_PARAMETER && !texts.has(name)
  let userId: unknown
  for (const [name, value] of Object.entries(body))
    if (namesCaller(name)) userId = value
    else input.set(name, value)
  for (const [name, values] of query) {
    if (namesCaller(name)) {
      if (userId !== undefined && userId !== values[0])
        throw invalid(USER_PARAMETER, 'is given twice, differently', 'Name one user.')
      userId = values.length === 1 ? values[0] : values
    } else if (name === whole) throw new InputRefusal(name, 'is not known here', 'Send it as the body.')
    else if (Object.hasOwn(headers, name))
      throw new InputRefusal(name, 'is not known here', `Send it as the header ${headers[name]}.`)
    else if (Object.hasOwn(body, name)) throw invalid(name, 'is given in the address and in the body', 'Give it once.')
    else input.set(name, readTextValue(texts.get(name)?.kind ?? 'text', values))
  }
  for (const [name, header] of Object.entries(headers)) {
    const value = context.req.header(header)
    if (value !== undefined) input.set(name, decodedHeader(header, value))
  }
  for (const [name, value] of Object.entries<string>(context.req.param())) {
    if (Object.hasOwn(body, name) || query.has(name))
      throw invalid(name, 'stands in the path already', 'Leave it out of the body and the query string.')
    input.set(name, readTextValue(texts.get(name)?.kind ?? 'text', [value]))
  }
  return { input: Object.fromEntries(input), userId }
}

export function checkedInput(operation: AnyOperation, input: unknown): Record<string, unknown> {
  return readInput(operation, input, [USER_PARAMETER])
}

/** Size and time limits of a body: a slow sender must not hold its place. */
export type BodyLimits = Pick<ResolvedAppOptions, 'maxBodyBytes' | 'timeoutMs'>

/** Bytes of all bodies that came in part, or wait to be worked on. */
const MOST_HELD = 64 * 1024 * 1024
/** A body up to this declared size is read at once, since a stream costs more than a search. */
const SHORT_BYTES = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** The bytes read of a request before it was admitted, and the function that releases them. */
const bodies = new WeakMap<Request, { readonly bytes: Uint8Array; readonly giveBack: () => void }>()

export function createBodies(limits: BodyLimits, mostHeld: number = MOST_HELD) {
  let held = 0
  const coming = new Set<(error: DoorError) => void>()
  const hold = (bytes: number): void => {
    held += bytes
    for (const breakOff of coming) {
      if (held <= mostHeld) return
      breakOff(noRoom())
    }
  }
  return {
    get held() {
      return held
    },
    /** Reads a body for `bytesOf`. Rejects when it is too large, too slow, or, the longest-running first, has no room. */
    read: async (request: Request): Promise<void> => {
      const said = request.headers.get('content-length')
      if (Number(said ?? 0) > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes)
      const { promise: broken, reject } = Promise.withResolvers<never>()
      broken.catch(() => {})
      let own = 0
      const giveBack = (): void => {
        held -= own
        own = 0
      }
      const breakOff = (error: DoorError): void => {
        coming.delete(breakOff)
        giveBack()
        reject(error)
      }
      const take = (bytes: number): void => {
        if (!coming.has(breakOff)) return
        own += bytes
        hold(bytes)
        // All other bodies are complete, so this one is aborted.
        if (held > mostHeld) breakOff(noRoom())
      }
      const timer = setTimeout(() => breakOff(tooSlow(limits.timeoutMs)), limits.timeoutMs)
      coming.add(breakOff)
      try {
        const isShort = said !== null && Number(said) <= SHORT_BYTES
        // A server accepts no more than the declared length.
        if (isShort) take(Number(said))
        const reading = isShort
          ? Promise.race([request.arrayBuffer(), broken]).then((buffer) => new Uint8Array(buffer))
          : readPieces(request, broken, take, limits)
        bodies.set(request, { bytes: await reading, giveBack })
      } catch (error) {
        giveBack()
        if (error instanceof DoorError) throw error
        throw new DoorError(408, 'The body broke off.', 'Send the request again.')
      } finally {
        clearTimeout(timer)
        coming.delete(breakOff)
      }
    },
  }
}

/** The bytes read by `Bodies.read`, which releases them; empty without a body. */
export function bytesOf(request: Request): Uint8Array {
  const read = bodies.get(request)
  read?.giveBack()
  return read?.bytes ?? new Uint8Array()
}

async function readPieces(
  request: Request,
  broken: Promise<never>,
  take: (bytes: number) => void,
  { maxBodyBytes }: BodyLimits,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), broken])
      if (done) return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
      size += value.byteLength
      if (size > maxBodyBytes) throw tooLarge(maxBodyBytes)
      pieces.push(value)
      take(value.byteLength)
    }
  } catch (error) {
    void passOver(reader)
    throw error
  }
}

/** Drains the rest of a body, so that the connection survives for its next request. Never rejects. */
export async function passOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is closed, so there is nothing left to read.
  }
}

function tooLarge(maxBodyBytes: number): DoorError {
  return new DoorError(413, `The body has more than ${maxBodyBytes} bytes.`, 'Send less at once.')
}

/** The error for a slow body; it closes the connection without reading the rest. */
export function tooSlow(timeoutMs: number): DoorError {
  const detail = `The body did not come within ${timeoutMs / 1000} seconds.`
  return new DoorError(408, detail, 'Send it faster, or less at once.', { connection: 'close' })
}

function noRoom(): DoorError {
  const headers = { 'retry-after': '1', connection: 'close' }
  return new DoorError(503, 'Too many bodies are being read.', 'Try again in a moment.', headers)
}

export function textOfBody(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('body', 'is not valid UTF-8', 'Send the body as UTF-8.')
  }
}

/** The object in a body, with its text as sent; '' for an absent body. */
export async function readJsonRequest(
  context: Context,
  options?: StrictJsonOptions,
): Promise<{ readonly text: string; readonly value: Record<string, unknown> }> {
  const bytes = bytesOf(context.req.raw)
  if (bytes.byteLength === 0) return { text: '', value: {} }
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new DoorError(415, 'The body is not said to be JSON.', 'Send it as application/json.')
  const encoding = context.req.header('content-encoding') ?? 'identity'
  // A small compressed body could expand to a large one.
  if (encoding.toLowerCase() !== 'identity') {
    const detail = `Content-Encoding: ${encoding} is not taken.`
    throw new DoorError(415, detail, 'Send the body as it is, without Content-Encoding.')
  }
  const text = textOfBody(bytes)
  const value = await inPieces(parsedJson(text, options))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'must be a JSON object', 'Send an object such as {"text": "…"}.')
  return { text, value: value as Record<string, unknown> }
}

/** As `strictJson`; malformed JSON is `invalid`, too. */
export function* parsedJson(text: string, options?: StrictJsonOptions): Generator<void, unknown> {
  try {
    return yield* strictJson(text, options)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('body', `is not JSON: ${error.message}`, 'Send valid JSON.')
    throw error
  }
}
