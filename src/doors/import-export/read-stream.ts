/** Files that others wrote, in a stream: lines, or a JSON document piece by piece, one value held at a time. Errors quote no text. */
import { MnemeError, messageOf } from '../../domain/errors.ts'

/** Largest single value: a turn of 1 MB with every character escaped, its metadata, and room for larger bounds. */
export const MOST_VALUE_BYTES = 64 * 1024 * 1024

/** The values at these paths (`*`: any name or place), each with the name of what it stands in. */
export async function* valuesAt(
  cursor: JsonCursor,
  paths: readonly (readonly string[])[],
  list = '',
  here = '',
): AsyncGenerator<{ readonly list: string; readonly value: unknown }> {
  const first = await cursor.peek()
  const isList = first === OPEN_BRACKET
  if (paths.length === 0 || paths.some(({ length }) => length === 0) || !(isList || first === OPEN_BRACE)) {
    const value = await cursor.value()
    if (paths.some(({ length }) => length === 0)) yield { list, value }
    return
  }
  for await (const name of isList ? elements(cursor) : keys(cursor)) {
    const inner = paths.filter(([next]) => next === '*' || (!isList && next === name)).map(([, ...rest]) => rest)
    yield* valuesAt(cursor, inner, here, isList ? here : name)
  }
}

/** The keys of the object at the cursor; the caller takes each value before it asks for the next key. */
export async function* keys(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('{')
  if ((await cursor.peek()) === CLOSE_BRACE) return cursor.expect('}')
  for (;;) {
    const at = cursor.at()
    const key = await cursor.value()
    if (typeof key !== 'string') throw importError(at, 'expected a key in quotes', EXPORT_AGAIN)
    await cursor.expect(':')
    yield key
    if ((await cursor.peek()) === CLOSE_BRACE) return cursor.expect('}')
    await cursor.expect(',')
  }
}

export async function* elements(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('[')
  if ((await cursor.peek()) === CLOSE_BRACKET) return cursor.expect(']')
  for (;;) {
    await cursor.peek()
    yield cursor.at()
    if ((await cursor.peek()) === CLOSE_BRACKET) return cursor.expect(']')
    await cursor.expect(',')
  }
}

export type JsonCursor = ReturnType<typeof jsonCursor>

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = [34, 92, 123, 125, 91, 93, 44]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** A cursor at the beginning of the document; a single value may have at most `maxValueBytes`. */
export function jsonCursor(stream: AsyncIterable<Uint8Array>, maxValueBytes: number = MOST_VALUE_BYTES) {
  const chunks = stream[Symbol.asyncIterator]()
  let buffer: Uint8Array = new Uint8Array(0)
  let offset = 0
  let passed = 0
  /** "byte 3456", of the next byte to be read, from 0. */
  const at = (): string => `byte ${passed + offset}`

  async function refill(): Promise<boolean> {
    const { done, value } = await chunks.next()
    if (done === true) return false
    const rest = buffer.subarray(offset)
    passed += offset
    buffer = rest.length === 0 ? value : Buffer.concat([rest, value])
    offset = 0
    return true
  }

  async function peek(): Promise<number> {
    for (;;) {
      for (; offset < buffer.length; offset++) {
        const byte = buffer[offset]!
        if (!isSpace(byte) && byte !== BYTE_ORDER_MARK[passed + offset]) return byte
      }
      if (!(await refill())) return -1
    }
  }

  async function expect(character: string): Promise<void> {
    const byte = await peek()
    if (byte !== character.charCodeAt(0)) throw unexpected(byte, character, at())
    offset++
  }

  async function value(): Promise<unknown> {
    const first = await peek()
    if (first === -1) throw unexpected(first, 'a value', at())
    const place = at()
    const scan: Scan = { next: offset, depth: 0, inString: false }
    for (;;) {
      const before = offset
      const end = scanValue(buffer, scan)
      if (end !== -1) {
        const parsed = parseJson(buffer.subarray(offset, end), place)
        offset = end
        return parsed
      }
      if (buffer.length - offset > maxValueBytes) {
        throw importError(place, `one value is longer than ${maxValueBytes} bytes`, 'Split the file.')
      }
      if (!(await refill())) throw unexpected(-1, 'the rest of a value', place)
      scan.next -= before - offset
    }
  }

  /** Ends the stream, of which nothing more is read. */
  const close = async (): Promise<void> => void (await chunks.return?.())
  return { peek, expect, value, at, close }
}

interface Scan {
  next: number
  depth: number
  inString: boolean
}

/** Index after the value's last byte; -1 when it continues beyond the buffer. */
function scanValue(buffer: Uint8Array, scan: Scan): number {
  let { next, depth, inString } = scan
  for (; next < buffer.length; next++) {
    const byte = buffer[next]!
    if (inString) {
      if (byte === BACKSLASH) next++
      else if (byte === QUOTE) {
        inString = false
        if (depth === 0) return next + 1
      }
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return next
      if (--depth === 0) return next + 1
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return next
  }
  Object.assign(scan, { next, depth, inString })
  return -1
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

function unexpected(byte: number, wanted: string, place: string): Error {
  const quoted = wanted.length === 1 ? JSON.stringify(wanted) : wanted
  return byte === -1
    ? importError(place, `the file ends where ${quoted} should follow`, EXPORT_AGAIN)
    : importError(place, `expected ${quoted}, found ${JSON.stringify(String.fromCharCode(byte))}`, EXPORT_AGAIN)
}

export function importError(at: string, reason: string, remedy: string, cause?: unknown): MnemeError {
  return new MnemeError('import_failed', `${at}: ${reason}`, { remedy, ...(cause === undefined ? {} : { cause }) })
}

const EXPORT_AGAIN = 'Export again, or copy the file again; conversations that were read whole can be kept.'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function parseJson(bytes: Uint8Array, at: string): unknown {
  const text = decodeUtf8(bytes)
  if (text === null) throw importError(at, 'these bytes are not UTF-8', 'Save the file as UTF-8 and import it again.')
  try {
    return JSON.parse(text)
  } catch (cause) {
    // Without the parser's excerpt of the text, which may be private. linear: a message of the parser is short.
    const said = messageOf(cause).replace(/(?:,\s*)?\.{0,3}"[\s\S]*"\.{0,3} is not valid JSON$/, '')
    throw importError(at, `this is not valid JSON (${said.slice(0, 120) || 'syntax error'})`, EXPORT_AGAIN, cause)
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The object of a line; '' for a blank line, otherwise why there is none. A power cut leaves NULs before or behind it. */
export function jsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | string {
  const whole = decodeUtf8(bytes)
  if (whole === null) return 'the line is not UTF-8'
  const text = whole.includes('\0') ? (whole.split('\0').findLast((part) => part.trim() !== '') ?? '') : whole
  if (text.trim() === '') return ''
  try {
    return asObject(JSON.parse(text)) ?? 'the line is not a JSON object'
  } catch {
    return 'the line is not valid JSON'
  }
}

/** Text, or the text blocks of a list such as `[{"type": "text", "text": "…"}]`; null when there is no text. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((block: unknown) => {
    if (typeof block === 'string') return [block]
    const text = asObject(block)?.text
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? null : texts.join('\n\n')
}

export interface Line {
  readonly number: number
  /** Without the line break; null when it was longer than allowed and was passed over. */
  readonly bytes: Uint8Array | null
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** The lines of a stream; LF and CRLF both end one, a byte order mark at the start is dropped. */
export async function* readLines(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Uint8Array[] = []
  let held = 0
  let tooLong = false
  const take = (last: Uint8Array): Line => {
    number++
    const bytes =
      tooLong || held + last.length > maxBytes
        ? null
        : trimmed(parts.length === 0 ? last : Buffer.concat([...parts, last]), number)
    parts = []
    held = 0
    tooLong = false
    return { number, bytes }
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield take(chunk.subarray(from, at))
      from = at + 1
    }
    if (from === chunk.length) continue
    held += chunk.length - from
    tooLong ||= held > maxBytes
    if (tooLong) parts = []
    else parts.push(chunk.subarray(from))
  }
  if (held > 0) yield take(new Uint8Array(0))
}

function trimmed(bytes: Uint8Array, number: number): Uint8Array {
  const marked = number === 1 && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)
  const from = marked ? BYTE_ORDER_MARK.length : 0
  const to = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
  return bytes.subarray(from, Math.max(from, to))
}

/** Reads until `enough` says so, or `maxBytes` or the end are reached. */
export async function peekStream(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  enough: (chunk: Uint8Array) => boolean,
) {
  const iterator = stream[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let found = false; !found && size < maxBytes; ) {
    const { done, value } = await iterator.next()
    if (done === true) break
    chunks.push(value)
    size += value.length
    found = enough(value)
  }
  const close = async (): Promise<void> => void (await iterator.return?.())
  async function* resumed(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await close()
    }
  }
  return { start: Buffer.concat(chunks), stream: resumed(), close }
}
