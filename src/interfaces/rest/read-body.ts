/**
 * The JSON body of a request: bounded, valid UTF-8, no deeper than a caller means, and no name twice, since two readers
 * would take different ones.
 */
import type { Context } from 'hono'
import { parse } from 'lossless-json'
import { invalid } from '../../domain/errors.ts'
import { DoorError } from './problem.ts'

/** Deepest nesting of a body. */
const DEEPEST = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body's bytes, at most `maxBytes`; longer ones are refused before they are read. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): DoorError =>
    new DoorError('too_large', 413, `The body has more than ${maxBytes} bytes.`, 'Send less at once.')
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of request.body as AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge()
    pieces.push(piece)
  }
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
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
export async function readJsonObject(context: Context, maxBytes: number): Promise<Record<string, unknown>> {
  return (await readJsonRequest(context, maxBytes)).value
}

/** The same together with its text as it was sent; '' for an absent body. */
export async function readJsonRequest(
  context: Context,
  maxBytes: number,
): Promise<{ readonly text: string; readonly value: Record<string, unknown> }> {
  const bytes = await readBytes(context.req.raw, maxBytes)
  if (bytes.byteLength === 0) return { text: '', value: {} }
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new DoorError(
      'unsupported_media_type',
      415,
      'The body is not said to be JSON.',
      'Send it as application/json.',
    )
  const text = decodeUtf8(bytes)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'must be a JSON object', 'Send an object such as {"text": "…"}.')
  return { text, value: value as Record<string, unknown> }
}

/** Parses JSON; throws `invalid` for what is none, too deep, or names something twice. */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, DEEPEST)) throw invalid('body', `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
  try {
    parse(text, undefined, {
      parseNumber: Number,
      onDuplicateKey: ({ key }) => {
        throw invalid(key, 'is given twice', 'Give it once.')
      },
    })
    // The check is its reader's, the value is JSON.parse's: that one keeps the name __proto__ a name.
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('body', `is not JSON: ${error.message}`, 'Send valid JSON.')
    throw error
  }
}

function isDeeperThan(text: string, most: number): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (isQuoted) {
      if (unit === 0x5c) at += 1
      else if (unit === 0x22) isQuoted = false
    } else if (unit === 0x22) isQuoted = true
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1
      if (depth > most) return true
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1
  }
  return false
}
