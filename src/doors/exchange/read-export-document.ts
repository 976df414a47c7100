import { CODECS, checkVersion, fieldsOf, readRecord } from './export-codec.ts'
import type { ExportRecord, ReadRecord } from './export-record.ts'
import { EXPORT_AGAIN, importError, parseJson } from './parse-json.ts'
import { LISTS } from './write-export.ts'

export async function* readExportDocument(
  stream: AsyncIterable<Uint8Array>,
  maxValueBytes: number,
): AsyncGenerator<ReadRecord> {
  const cursor = jsonCursor(stream, maxValueBytes)
  const head: Record<string, unknown> = {}
  let started = false
  const start = function* (): Generator<ReadRecord> {
    if (!started) yield { at: cursor.at(), record: headerOf(head, cursor.at()) }
    started = true
  }
  for await (const key of keys(cursor)) {
    if (Object.hasOwn(LISTS, key)) {
      const kind = LISTS[key as keyof typeof LISTS]
      yield* start()
      for await (const at of elements(cursor))
        if (kind === 'conversation') yield* readConversation(cursor)
        else yield { at, record: readRecord(kind, fieldsOf(await cursor.value(), kind, at)) }
    } else if (key === 'profile' || key === 'settings') {
      yield* start()
      await cursor.peek()
      const at = cursor.at()
      yield { at, record: readRecord(key, fieldsOf(await cursor.value(), key, at)) }
    } else {
      head[key] = await cursor.value()
      if (key === 'mneme_export') checkVersion(head[key], cursor.at())
    }
  }
  yield* start()
  const at = cursor.at()
  if ((await cursor.peek()) !== -1)
    throw importError(cursor.at(), 'there is more after the end of the document', 'Import one file at a time.')
  yield { at, record: { kind: 'end' } }
}

const IN_ORDER = 'Keep the order of the keys that Mneme wrote.'

function headerOf(head: Readonly<Record<string, unknown>>, at: string): ExportRecord {
  if (head.mneme_export === undefined)
    throw importError(at, 'mneme_export, exported_at and user_id must come before the lists', IN_ORDER)
  return readRecord('header', fieldsOf(head, 'header', at))
}

async function* readConversation(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const at = cursor.at()
  const head: Record<string, unknown> = {}
  const early: ReadRecord[] = []
  let id: string | null = null
  const counts = { turns: 0, summaries: 0 }
  const begin = function* (): Generator<ReadRecord, string> {
    const value = CODECS.conversation.read(fieldsOf(head, 'conversation', at))
    yield { at, record: { kind: 'conversation', value } }
    return value.conversationId
  }
  for await (const key of keys(cursor)) {
    if (key !== 'turns' && key !== 'summaries') {
      if (id !== null) throw importError(cursor.at(), `conversation.${key} must come before its turns`, IN_ORDER)
      head[key] = await cursor.value()
      continue
    }
    for await (const place of elements(cursor)) {
      counts[key]++
      if (key === 'turns') id ??= yield* begin()
      const kind = key === 'turns' ? 'turn' : 'summary'
      const owner = id ?? CODECS.conversation.read(fieldsOf(head, 'conversation', at)).conversationId
      const value = CODECS[kind].read(fieldsOf(await cursor.value(), kind, place), owner)
      const record = { at: place, record: { kind, value } as ExportRecord }
      if (id === null) early.push(record)
      else yield record
    }
  }
  id ??= yield* begin()
  yield* early
  yield { at: cursor.at(), record: { kind: 'conversation_end', conversationId: id, ...counts } }
}

/** The keys of the object at the cursor; the caller takes each value before it asks for the next key. */
async function* keys(cursor: JsonCursor): AsyncGenerator<string> {
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

async function* elements(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('[')
  if ((await cursor.peek()) === CLOSE_BRACKET) return cursor.expect(']')
  for (;;) {
    await cursor.peek()
    yield cursor.at()
    if ((await cursor.peek()) === CLOSE_BRACKET) return cursor.expect(']')
    await cursor.expect(',')
  }
}

interface JsonCursor {
  peek(): Promise<number>
  expect(character: string): Promise<void>
  value(): Promise<unknown>
  /** "byte 3456", of the next byte to be read, from 0. */
  at(): string
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = [34, 92, 123, 125, 91, 93, 44]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** A cursor at the beginning of the document; a single value may have at most `maxValueBytes`. */
function jsonCursor(stream: AsyncIterable<Uint8Array>, maxValueBytes: number): JsonCursor {
  const chunks = stream[Symbol.asyncIterator]()
  let buffer: Uint8Array = new Uint8Array(0)
  let offset = 0
  let passed = 0
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
        throw importError(place, `one value is longer than ${maxValueBytes} bytes`, 'Import a file that Mneme wrote.')
      }
      if (!(await refill())) throw unexpected(-1, 'the rest of a value', place)
      scan.next -= before - offset
    }
  }

  return { peek, expect, value, at }
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
