/** The raw input of a request, from its path, query string and JSON body, which is bounded in bytes and in time. */
import { finished, Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
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

/** Pieces that a body may have besides one for so many bytes: each costs the parser a microsecond, however short it is. */
const FREE_PIECES = 4096
const BYTES_A_PIECE = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** The bytes read of a request before it was admitted, and the function that releases them. */
const bodies = new WeakMap<Request, { readonly bytes: Uint8Array; readonly giveBack: () => void }>()

export function createBodies(limits: BodyLimits, mostHeld: number = MOST_HELD) {
  let held = 0
  const coming = new Set<(error: Error) => void>()
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
    /**
     * Reads a body for `bytesOf`, from the server's own stream where there is one. Rejects when it is too large, too slow,
     * in too many pieces, or, the longest-running first, has no room.
     */
    read: async (request: Request, incoming?: Readable): Promise<void> => {
      const said = request.headers.get('content-length')
      if (Number(said ?? 0) > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes)
      const { promise: reading, resolve, reject } = Promise.withResolvers<Uint8Array>()
      let own = 0
      const giveBack = (): void => {
        held -= own
        own = 0
      }
      const breakOff = (error: Error): void => {
        coming.delete(breakOff)
        giveBack()
        reject(error)
      }
      const take = (bytes: number): void => {
        own += bytes
        hold(bytes)
        // All other bodies are complete, so this one is aborted.
        if (coming.has(breakOff) && held > mostHeld) breakOff(noRoom())
      }
      const timer = setTimeout(() => breakOff(tooSlow(limits.timeoutMs)), limits.timeoutMs)
      coming.add(breakOff)
      try {
        // A server accepts no more than the declared length.
        if (said !== null && Number(said) <= SHORT_BYTES) {
          take(Number(said))
          request.arrayBuffer().then((buffer) => resolve(new Uint8Array(buffer)), reject)
        } else {
          const body =
            incoming ?? (request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as NodeStream))
          const gathered = gather(limits.maxBodyBytes, said === null ? limits.maxBodyBytes : Number(said), take)
          // What comes after the end of reading is passed over, so that the connection survives for its next request.
          body.on('data', (piece: Uint8Array) => {
            if (!coming.has(breakOff)) return
            try {
              gathered.add(piece)
            } catch (error) {
              breakOff(error as DoorError)
            }
          })
          finished(body, { writable: false }, (error) => (error ? reject(error) : resolve(gathered.bytes())))
        }
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

/** Puts pieces together by copying, so that each costs what it holds; `take` is told of every byte of room. */
function gather(most: number, expected: number, take: (bytes: number) => void) {
  let room = new Uint8Array()
  let size = 0
  let pieces = 0
  return {
    add: (piece: Uint8Array): void => {
      const next = size + piece.byteLength
      if (next > most) throw tooLarge(most)
      pieces += 1
      checkPieces(pieces, next)
      if (next > room.byteLength) {
        const larger = new Uint8Array(Math.max(next, Math.min(expected, 2 * room.byteLength)))
        larger.set(room)
        take(larger.byteLength - room.byteLength)
        room = larger
      }
      room.set(piece, size)
      size = next
    },
    bytes: () => room.subarray(0, size),
  }
}
/** Throws a DoorError when a body, of so many bytes until now, comes in too many pieces. */
export function checkPieces(pieces: number, bytes: number): void {
  if (pieces <= FREE_PIECES + bytes / BYTES_A_PIECE) return
  const detail = `The body comes in more than ${FREE_PIECES} pieces of less than ${BYTES_A_PIECE} bytes.`
  throw new DoorError(413, detail, 'Send it in longer pieces.', { connection: 'close' })
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
