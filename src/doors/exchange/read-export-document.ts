/** Reads the `json` format: one document, walked through element by element, so that its size does not matter. */
import {
  checkVersion,
  decodeConversation,
  decodeEdits,
  decodeHeader,
  decodeMemory,
  decodeProfile,
  decodeSessionSummary,
  decodeSettings,
  decodeSummary,
  decodeTurn,
  decodeWorkingMemory,
} from './decode-record.ts'
import type { ReadRecord } from './export-record.ts'
import { EXPORT_AGAIN, importError } from './import-error.ts'
import { type JsonCursor, jsonCursor } from './json-cursor.ts'
import { fieldsOf, idField } from './record-fields.ts'

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
    if (!started) yield { at: cursor.at(), record: { kind: 'header', header: headerOf(head, cursor.at()) } }
    started = true
  }
  for await (const key of keys(cursor)) {
    switch (key) {
      case 'conversations':
        yield* start()
        for await (const _ of elements(cursor)) yield* readConversation(cursor)
        break
      case 'memories':
        yield* start()
        for await (const at of elements(cursor)) {
          const fields = fieldsOf(await cursor.value(), 'memory', at)
          yield { at, record: { kind: 'memory', memory: decodeMemory(fields), edits: decodeEdits(fields) } }
        }
        break
      case 'working_memories':
        yield* start()
        for await (const at of elements(cursor)) {
          const fields = fieldsOf(await cursor.value(), 'working_memory', at)
          yield { at, record: { kind: 'working_memory', workingMemory: decodeWorkingMemory(fields) } }
        }
        break
      case 'session_summaries':
        yield* start()
        for await (const at of elements(cursor)) {
          const fields = fieldsOf(await cursor.value(), 'session_summary', at)
          yield { at, record: { kind: 'session_summary', sessionSummary: decodeSessionSummary(fields) } }
        }
        break
      case 'profile':
      case 'settings': {
        yield* start()
        await cursor.peek()
        const at = cursor.at()
        const fields = fieldsOf(await cursor.value(), key, at)
        if (key === 'profile') yield { at, record: { kind: 'profile', profile: decodeProfile(fields) } }
        else yield { at, record: { kind: 'settings', settings: decodeSettings(fields) } }
        break
      }
      default:
        head[key] = await cursor.value()
        if (key === 'mneme_export') checkVersion(head[key], cursor.at())
    }
  }
  yield* start()
  const at = cursor.at()
  if ((await cursor.peek()) !== -1) {
    throw importError(cursor.at(), 'there is more after the end of the document', 'Import one file at a time.')
  }
  yield { at, record: { kind: 'end' } }
}

function headerOf(head: Readonly<Record<string, unknown>>, at: string): ReturnType<typeof decodeHeader> {
  if (head.mneme_export === undefined) {
    throw importError(
      at,
      'mneme_export, exported_at and user_id must come before the lists',
      'Keep the order of the keys that Mneme wrote.',
    )
  }
  return decodeHeader(fieldsOf(head, 'header', at))
}

/** One conversation, its fields before its turns; summaries that stand before the turns are given after them. */
async function* readConversation(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const at = cursor.at()
  const head: Record<string, unknown> = {}
  const early: ReadRecord[] = []
  let id: string | null = null
  let turns = 0
  let summaries = 0
  for await (const key of keys(cursor)) {
    if (key !== 'turns' && key !== 'summaries') {
      if (id !== null)
        throw importError(
          cursor.at(),
          `conversation.${key} must come before its turns`,
          'Keep the order of the keys that Mneme wrote.',
        )
      head[key] = await cursor.value()
      continue
    }
    for await (const place of elements(cursor)) {
      if (key === 'turns') {
        if (id === null) {
          const conversation = decodeConversation(fieldsOf(head, 'conversation', at))
          id = conversation.conversationId
          yield { at, record: { kind: 'conversation', conversation } }
        }
        turns++
        yield {
          at: place,
          record: { kind: 'turn', turn: decodeTurn(fieldsOf(await cursor.value(), 'turn', place), id) },
        }
      } else {
        summaries++
        const owner = fieldsOf(head, 'conversation', at)
        const summary = decodeSummary(
          fieldsOf(await cursor.value(), 'summary', place),
          idField(owner, 'conversation_id'),
        )
        if (id === null) early.push({ at: place, record: { kind: 'summary', summary } })
        else yield { at: place, record: { kind: 'summary', summary } }
      }
    }
  }
  if (id === null) {
    const conversation = decodeConversation(fieldsOf(head, 'conversation', at))
    id = conversation.conversationId
    yield { at, record: { kind: 'conversation', conversation } }
  }
  yield* early
  yield { at: cursor.at(), record: { kind: 'conversation_end', conversationId: id, turns, summaries } }
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
