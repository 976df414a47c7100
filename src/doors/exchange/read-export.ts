/** Streams the records of an export file. A broken or foreign file ends in `import_failed` with its place. */
import { CODECS, checkVersion, type ExportRecord, fieldsOf, type ReadRecord, readRecord } from './export-codec.ts'
import { elements, importError, type JsonCursor, jsonCursor, keys, MOST_VALUE_BYTES } from './read-stream.ts'
import { LISTS } from './write-export.ts'

/** Whether a file begins as an export of Mneme does; a chat log does not. 256 bytes are enough to tell. */
export function isExportStart(start: Uint8Array): boolean {
  return /^\uFEFF?\s*\{\s*"mneme_export"/.test(new TextDecoder().decode(start.subarray(0, 256)))
}

/** Yields header, conversation, turn, summary, conversation_end, memory, session_summary, profile and at last end. */
export async function* readExport(
  stream: AsyncIterable<Uint8Array>,
  maxRecordBytes = MOST_VALUE_BYTES,
): AsyncGenerator<ReadRecord> {
  const cursor = jsonCursor(stream, maxRecordBytes)
  try {
    yield* documentRecords(cursor)
  } finally {
    await cursor.close()
  }
}

async function* documentRecords(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const first = await cursor.peek()
  if (first !== '{'.charCodeAt(0))
    throw importError(
      'byte 0',
      `this is not an export of Mneme: ${first === -1 ? 'it is empty' : 'it does not begin with {'}`,
      'Import what an export of Mneme gave; chat logs are read by `mneme import --from-logs DIR`.',
    )
  const head: Record<string, unknown> = {}
  let started = false
  const start = function* (): Generator<ReadRecord> {
    if (started) return
    started = true
    const at = cursor.at()
    if (head.mneme_export === undefined)
      throw importError(at, 'mneme_export, exported_at and user_id must come before the lists', IN_ORDER)
    yield { at, record: readRecord('header', fieldsOf(head, 'header', at)) }
  }
  for await (const key of keys(cursor)) {
    if (Object.hasOwn(LISTS, key)) {
      const kind = LISTS[key as keyof typeof LISTS]
      yield* start()
      for await (const at of elements(cursor))
        if (kind === 'conversation') yield* readConversation(cursor)
        else yield { at, record: readRecord(kind, fieldsOf(await cursor.value(), kind, at)) }
    } else if (key === 'profile') {
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
  yield { at: cursor.at(), record: { kind: 'end' } }
  if ((await cursor.peek()) !== -1)
    throw importError(cursor.at(), 'there is more after the end of the document', 'Import one file at a time.')
}

const IN_ORDER = 'Keep the order of the keys that Mneme wrote.'

async function* readConversation(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const at = cursor.at()
  const head: Record<string, unknown> = {}
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
      const value = CODECS[kind].read(fieldsOf(await cursor.value(), kind, place), id)
      yield { at: place, record: { kind, value } as ExportRecord }
    }
  }
  if (id === null) yield* begin()
  yield { at: cursor.at(), record: { kind: 'conversation_end' } }
}
