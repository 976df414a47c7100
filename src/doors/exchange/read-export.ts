/** Streams the records of an export file of either format. A broken or foreign file ends in `import_failed` with its place. */
import { CODECS, checkVersion, fieldsOf, isOuterKind, type RecordFields, readRecord } from './export-codec.ts'
import type { ExportFormat, ExportRecord, ReadRecord } from './export-record.ts'
import {
  asObject,
  decodeUtf8,
  EXPORT_AGAIN,
  elements,
  importError,
  type JsonCursor,
  jsonCursor,
  keys,
  MOST_VALUE_BYTES,
  parseJson,
} from './read-json.ts'
import { type PeekedStream, peekStream, readLines } from './read-lines.ts'
import { LISTS } from './write-export.ts'

const PEEK_BYTES = 64 * 1024
const NEWLINE = 0x0a

export interface ReadExportOptions {
  readonly maxRecordBytes?: number
}

/** Yields header, conversation, turn, summary, conversation_end, memory and at last end. */
export async function* readExport(
  stream: AsyncIterable<Uint8Array>,
  options: ReadExportOptions = {},
): AsyncGenerator<ReadRecord> {
  const maxBytes = options.maxRecordBytes ?? MOST_VALUE_BYTES
  const peeked = await peekStream(stream, PEEK_BYTES, (chunk) => chunk.includes(NEWLINE))
  const format = await formatOrClose(peeked)
  yield* format === 'jsonl' ? readExportLines(peeked.stream, maxBytes) : readExportDocument(peeked.stream, maxBytes)
}

async function formatOrClose(peeked: PeekedStream): Promise<ExportFormat> {
  try {
    return exportFormatOf(peeked.start)
  } catch (error) {
    await peeked.close()
    throw error
  }
}

/** Whether a file begins as an export of Mneme does; a chat log does not. 256 bytes are enough to tell. */
export function isExportStart(start: Uint8Array): boolean {
  return /^\uFEFF?\s*\{\s*"mneme_export"/.test(new TextDecoder().decode(start.subarray(0, 256)))
}

function exportFormatOf(start: Uint8Array): ExportFormat {
  const text = decodeUtf8(start.subarray(0, lastWhole(start)))
    ?.replace(/^\uFEFF/, '')
    .trimStart()
  if (text === undefined) throw noExport('it is not text in UTF-8')
  if (text === '') throw noExport('it is empty')
  if (!text.startsWith('{')) throw noExport('it does not begin with {')
  const line = text.split('\n', 1)[0]!
  let first: Readonly<Record<string, unknown>> | null
  try {
    first = asObject(JSON.parse(line))
  } catch {
    return 'json'
  }
  if (first === null || first.mneme_export === undefined)
    throw noExport('its first line is not the header of an export')
  return first.type === 'header' ? 'jsonl' : 'json'
}

function lastWhole(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--
  return end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length
}

function noExport(reason: string): Error {
  return importError(
    'line 1',
    `this is not an export of Mneme: ${reason}`,
    'Import what an export of Mneme gave; chat logs are read by `mneme import --from-logs DIR`.',
  )
}

interface Progress {
  started: boolean
  ended: boolean
  open: { readonly conversationId: string; turns: number; summaries: number } | null
  conversations: number
  memories: number
}

async function* readExportLines(stream: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<ReadRecord> {
  const progress: Progress = { started: false, ended: false, open: null, conversations: 0, memories: 0 }
  let number = 0
  for await (const line of readLines(stream, maxLineBytes)) {
    number = line.number
    const at = `line ${number}`
    if (line.bytes === null) throw importError(at, `the line is longer than ${maxLineBytes} bytes`, EXPORT_AGAIN)
    if (line.bytes.length === 0) continue
    if (progress.ended) throw importError(at, 'there is more after the line "end"', 'Import one file at a time.')
    const fields = fieldsOf(parseJson(line.bytes, at), 'line', at)
    // Exports once held the live state of conversations.
    if (fields.values.type === 'working_memory') continue
    yield { at, record: recordOf({ ...fields, what: String(fields.values.type) }, progress) }
  }
  if (!progress.ended) throw importError(`line ${number}`, 'the file stops before its line "end"', EXPORT_AGAIN)
}

function recordOf(fields: RecordFields, progress: Progress): ExportRecord {
  const { at, what: type } = fields
  const { open } = progress
  if (!progress.started) {
    if (type !== 'header') throw importError(at, 'the first line must be the header', EXPORT_AGAIN)
    progress.started = true
    return readRecord(type, fields)
  }
  if (type === 'turn' || type === 'summary' || type === 'conversation_end') {
    if (open === null) throw importError(at, `a ${type} stands outside of a conversation`, EXPORT_AGAIN)
    if (type === 'conversation_end') {
      requireCount(fields, 'turns', open.turns)
      requireCount(fields, 'summaries', open.summaries)
      progress.open = null
      return { kind: type, ...open }
    }
    open[type === 'turn' ? 'turns' : 'summaries']++
    return { kind: type, value: CODECS[type].read(fields, open.conversationId) } as ExportRecord
  }
  if (open !== null)
    throw importError(at, `conversation ${open.conversationId} has no line "conversation_end"`, EXPORT_AGAIN)
  if (type === 'end') {
    requireCount(fields, 'conversations', progress.conversations)
    requireCount(fields, 'memories', progress.memories)
    progress.ended = true
    return { kind: type }
  }
  if (!isOuterKind(type) || type === 'header')
    throw importError(at, `${JSON.stringify(type.slice(0, 40))} is no type of a line`, EXPORT_AGAIN)
  const record = readRecord(type, fields)
  if (record.kind === 'conversation') {
    progress.open = { conversationId: record.value.conversationId, turns: 0, summaries: 0 }
    progress.conversations++
  } else if (record.kind === 'memory') progress.memories++
  return record
}

function requireCount(fields: RecordFields, name: string, seen: number): void {
  const stated = fields.values[name]
  if (stated === seen) return
  throw importError(fields.at, `${JSON.stringify(stated)} ${name} were exported, ${seen} are in the file`, EXPORT_AGAIN)
}

async function* readExportDocument(
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
  const counts = { turns: 0, summaries: 0 }
  let id: string | null = null
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
    id ??= yield* begin()
    const kind = key === 'turns' ? 'turn' : 'summary'
    for await (const place of elements(cursor)) {
      counts[key]++
      const value = CODECS[kind].read(fieldsOf(await cursor.value(), kind, place), id)
      yield { at: place, record: { kind, value } as ExportRecord }
    }
  }
  id ??= yield* begin()
  yield { at: cursor.at(), record: { kind: 'conversation_end', conversationId: id, ...counts } }
}
