/** Reads the `jsonl` format: one record a line; a line that is missing, wrong or out of place is an error. */
import { CODECS, countIn, fieldsOf, isOuterKind, type RecordFields, readRecord, wrongField } from './export-codec.ts'
import type { ExportRecord, ReadRecord } from './export-record.ts'
import { EXPORT_AGAIN, importError, parseJson } from './parse-json.ts'
import { readLines } from './read-lines.ts'

/** Progress of the reading, to find missing parts. */
interface Progress {
  started: boolean
  ended: boolean
  open: { readonly conversationId: string; turns: number; summaries: number } | null
  conversations: number
  memories: number
}

/** The records of a `jsonl` export; a line may have at most `maxLineBytes`. Throws import_failed. */
export async function* readExportLines(
  stream: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<ReadRecord> {
  const progress: Progress = { started: false, ended: false, open: null, conversations: 0, memories: 0 }
  let number = 0
  for await (const line of readLines(stream, maxLineBytes)) {
    number = line.number
    const at = `line ${number}`
    if (line.bytes === null) throw importError(at, `the line is longer than ${maxLineBytes} bytes`, EXPORT_AGAIN)
    if (line.bytes.length === 0) continue
    if (progress.ended) throw importError(at, 'there is more after the line "end"', 'Import one file at a time.')
    const fields = fieldsOf(parseJson(line.bytes, at), 'line', at)
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
    throw wrongField(
      fields,
      'type',
      'one of conversation, turn, summary, conversation_end, memory, working_memory, session_summary, profile, settings, end',
    )
  const record = readRecord(type, fields)
  if (record.kind === 'conversation') {
    progress.open = { conversationId: record.value.conversationId, turns: 0, summaries: 0 }
    progress.conversations++
  } else if (record.kind === 'memory') progress.memories++
  return record
}

function requireCount(fields: RecordFields, name: string, seen: number): void {
  const stated = countIn(fields, name)
  if (stated === seen) return
  throw importError(fields.at, `${stated} ${name} were exported, ${seen} are in the file`, EXPORT_AGAIN)
}
