/** Reads the `json` format: one document, walked through element by element, so that its size does not matter. */
import { CODECS, checkVersion, fieldsOf, readRecord } from './export-codec.ts'
import type { ExportRecord, ReadRecord } from './export-record.ts'
import { type JsonCursor, jsonCursor } from './json-cursor.ts'
import { EXPORT_AGAIN, importError } from './parse-json.ts'
import { LISTS } from './write-export.ts'

const [CLOSE_BRACE, CLOSE_BRACKET] = [125, 93]

/** The records of a `json` export; one element may have at most `maxValueBytes`. Throws import_failed. */
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

/** One conversation, its fields before its turns; summaries that stand before the turns are given after them. */
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

/** The places of the elements of the array at the cursor; the caller takes each element. */
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
