/** The JSON body of a request: bounded in bytes and in time, valid UTF-8, and as strict as `operations/strict-json.ts`. */
import type { Context } from 'hono'
import { invalid } from '../../domain/errors.ts'
import { parseStrictJson, type StrictJsonOptions } from '../operations/read-input.ts'
import type { ResolvedAppOptions } from './options.ts'
import { DoorError } from './problem.ts'

/** Size and time limits of a body: a slow sender must not hold its place. */
export type BodyLimits = Pick<ResolvedAppOptions, 'maxBodyBytes' | 'timeoutMs'>

/** Bytes of all bodies that came in part, or wait to be worked on. */
const MOST_HELD = 64 * 1024 * 1024
/** A body up to this declared size is read at once, since a stream costs more than a search. */
const SHORT_BYTES = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** The bytes read of a request before it was admitted, and the function that releases them. */
const bodies = new WeakMap<Request, { readonly bytes: Uint8Array; readonly giveBack: () => void }>()

/** Reads bodies of one server, of which no more than MOST_HELD bytes are held at once. */
export interface Bodies {
  /**
   * Reads the body of a request, which `bytesOf` then returns. Rejects when it is too large or too slow, or with
   * `busy`: when memory is full, the longest-running read is dropped.
   */
  read(request: Request): Promise<void>
  /** Bytes that are held. */
  readonly held: number
}

/** Nothing is held yet. */
export function createBodies(limits: BodyLimits, mostHeld: number = MOST_HELD): Bodies {
  let held = 0
  /** Bodies being read, longest-running first, each with the function that aborts it. */
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
    read: async (request) => {
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
        const reading = isShort
          ? readAtOnce(request, broken, Number(said), take)
          : readPieces(request, broken, take, limits)
        bodies.set(request, { bytes: await reading, giveBack })
      } catch (error) {
        giveBack()
        if (error instanceof DoorError) throw error
        throw new DoorError('timeout', 408, 'The body broke off.', 'Send the request again.')
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

/** Reads a short body at once: a server accepts no more than the declared length. */
async function readAtOnce(
  request: Request,
  broken: Promise<never>,
  said: number,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  take(said)
  return new Uint8Array(await Promise.race([request.arrayBuffer(), broken]))
}

/** Reads a long body, or one of unknown length, up to the limit. */
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

/**
 * Drains the rest of a body that was already answered, so that the connection survives for its next request. Never
 * rejects; the server ends an endless body after half a second.
 */
export async function passOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is closed, so there is nothing left to read.
  }
}

function tooLarge(maxBodyBytes: number): DoorError {
  return new DoorError('too_large', 413, `The body has more than ${maxBodyBytes} bytes.`, 'Send less at once.')
}

/** The error for a slow body; it closes the connection without reading the rest. */
export function tooSlow(timeoutMs: number): DoorError {
  const remedy = 'Send it faster, or less at once.'
  return new DoorError('timeout', 408, `The body did not come within ${timeoutMs / 1000} seconds.`, remedy, {
    connection: 'close',
  })
}

/** The error when memory for bodies is full; it asks for a retry and closes the connection. */
function noRoom(): DoorError {
  return new DoorError('busy', 503, 'Too many bodies are being read.', 'Try again in a moment.', {
    'retry-after': '1',
    connection: 'close',
  })
}

/** Valid UTF-8 as text. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('body', 'is not valid UTF-8', 'Send the body as UTF-8.')
  }
}

/** The JSON object of an admitted request; an absent body gives an empty one. */
export function readJsonObject(context: Context): Record<string, unknown> {
  return readJsonRequest(context).value
}

/** As `readJsonObject`, together with the text as sent; '' for an absent body. */
export function readJsonRequest(
  context: Context,
  options?: StrictJsonOptions,
): { readonly text: string; readonly value: Record<string, unknown> } {
  const bytes = bytesOf(context.req.raw)
  if (bytes.byteLength === 0) return { text: '', value: {} }
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new DoorError(
      'unsupported_media_type',
      415,
      'The body is not said to be JSON.',
      'Send it as application/json.',
    )
  refuseEncoding(context)
  const text = decodeUtf8(bytes)
  const value = parseJson(text, options)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'must be a JSON object', 'Send an object such as {"text": "…"}.')
  return { text, value: value as Record<string, unknown> }
}

/** Refuses compressed bodies: a small one could expand to a large one. */
function refuseEncoding({ req }: Context): void {
  const encoding = req.header('content-encoding')
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  const detail = `Content-Encoding: ${encoding} is not taken.`
  throw new DoorError('unsupported_media_type', 415, detail, 'Send the body as it is, without Content-Encoding.')
}

/** Parses JSON; throws `invalid` for what is none, or what `parseStrictJson` does not take. */
export function parseJson(text: string, options?: StrictJsonOptions): unknown {
  try {
    return parseStrictJson(text, options)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('body', `is not JSON: ${error.message}`, 'Send valid JSON.')
    throw error
  }
}
