/** The JSON body of a request: bounded in bytes and in time, valid UTF-8, and as strict as `operations/strict-json.ts`. */
import type { Context } from 'hono'
import { invalid } from '../../domain/errors.ts'
import { parseStrictJson, type StrictJsonOptions } from '../operations/strict-json.ts'
import type { ResolvedAppOptions } from './options.ts'
import { DoorError } from './problem.ts'

/** How much, and for how long: a caller that sends byte by byte must not keep its place from the others. */
export type BodyLimits = Pick<ResolvedAppOptions, 'maxBodyBytes' | 'timeoutMs'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body's bytes within the limits; what is said to be longer is refused before it is read. */
export async function readBytes(request: Request, { maxBodyBytes, timeoutMs }: BodyLimits): Promise<Uint8Array> {
  const said = request.headers.get('content-length')
  if (Number(said ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs)
  try {
    // A server takes no more than was said, and hands that over at once: a stream costs more than a search.
    if (said === null) return await readPieces(request, late, maxBodyBytes)
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), late]))
    if (bytes.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes)
    return bytes
  } catch (error) {
    if (error instanceof DoorError) throw error
    throw new DoorError('timeout', 408, 'The body broke off.', 'Send the request again.')
  } finally {
    clearTimeout(timer)
  }
}

/** A body of unknown length, as far as it is no longer than the limit. */
async function readPieces(request: Request, late: Promise<never>, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
      size += value.byteLength
      if (size > maxBodyBytes) throw tooLarge(maxBodyBytes)
      pieces.push(value)
    }
  } catch (error) {
    void passOver(reader)
    throw error
  }
}

/**
 * Reads what is left of a body that was answered already, and keeps nothing of it. The next request of the connection
 * stands behind it: unread, it would make the server close the connection under that request. Never rejects; a body that
 * does not end is ended by the server, which waits for half a second.
 */
export async function passOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is gone, and the rest with it.
  }
}

function tooLarge(maxBodyBytes: number): DoorError {
  return new DoorError('too_large', 413, `The body has more than ${maxBodyBytes} bytes.`, 'Send less at once.')
}

/** The rest of the body is not waited for: the connection goes. */
function tooSlow(timeoutMs: number): DoorError {
  const remedy = 'Send it faster, or less at once.'
  return new DoorError('timeout', 408, `The body did not come within ${timeoutMs / 1000} seconds.`, remedy, {
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

/** The JSON object of a request; an absent body is an empty one. */
export async function readJsonObject(context: Context, limits: BodyLimits): Promise<Record<string, unknown>> {
  return (await readJsonRequest(context, limits)).value
}

/** The same together with its text as it was sent; '' for an absent body. */
export async function readJsonRequest(
  context: Context,
  limits: BodyLimits,
  options?: StrictJsonOptions,
): Promise<{ readonly text: string; readonly value: Record<string, unknown> }> {
  const bytes = await readBytes(context.req.raw, limits)
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

/** What is packed is not unpacked here: a small body could become a large one. */
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
