/** Reads the `jsonl` format: one record a line; a line that is missing, wrong or out of place is an error. */
import {
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
import type { ExportRecord, ReadRecord } from './export-record.ts'
import { EXPORT_AGAIN, importError } from './import-error.ts'
import { parseJson } from './parse-json.ts'
import { readLines } from './read-lines.ts'
import { fieldsOf, type RecordFields, wholeField, wrongField } from './record-fields.ts'

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
    yield { at, record: readRecord(fields, progress) }
  }
  if (!progress.ended) throw importError(`line ${number}`, 'the file stops before its line "end"', EXPORT_AGAIN)
}

function readRecord(fields: RecordFields, progress: Progress): ExportRecord {
  const type = fields.values.type
  const named = { ...fields, what: String(type) }
  if (!progress.started) {
    if (type !== 'header') throw importError(fields.at, 'the first line must be the header', EXPORT_AGAIN)
    progress.started = true
    return { kind: 'header', header: decodeHeader(named) }
  }
  if (type === 'turn' || type === 'summary' || type === 'conversation_end') return readInner(type, named, progress)
  if (progress.open !== null) {
    throw importError(
      fields.at,
      `conversation ${progress.open.conversationId} has no line "conversation_end"`,
      EXPORT_AGAIN,
    )
  }
  return readOuter(named, progress)
}

function readInner(
  type: 'turn' | 'summary' | 'conversation_end',
  fields: RecordFields,
  progress: Progress,
): ExportRecord {
  const open = progress.open
  if (open === null) throw importError(fields.at, `a ${type} stands outside of a conversation`, EXPORT_AGAIN)
  if (type === 'turn') {
    open.turns++
    return { kind: 'turn', turn: decodeTurn(fields, open.conversationId) }
  }
  if (type === 'summary') {
    open.summaries++
    return { kind: 'summary', summary: decodeSummary(fields, open.conversationId) }
  }
  requireCount(fields, 'turns', open.turns)
  requireCount(fields, 'summaries', open.summaries)
  progress.open = null
  return { kind: 'conversation_end', ...open }
}

function readOuter(fields: RecordFields, progress: Progress): ExportRecord {
  switch (fields.what) {
    case 'conversation': {
      const conversation = decodeConversation(fields)
      progress.open = { conversationId: conversation.conversationId, turns: 0, summaries: 0 }
      progress.conversations++
      return { kind: 'conversation', conversation }
    }
    case 'memory':
      progress.memories++
      return { kind: 'memory', memory: decodeMemory(fields), edits: decodeEdits(fields) }
    case 'working_memory':
      return { kind: 'working_memory', workingMemory: decodeWorkingMemory(fields) }
    case 'session_summary':
      return { kind: 'session_summary', sessionSummary: decodeSessionSummary(fields) }
    case 'profile':
      return { kind: 'profile', profile: decodeProfile(fields) }
    case 'settings':
      return { kind: 'settings', settings: decodeSettings(fields) }
    case 'end':
      requireCount(fields, 'conversations', progress.conversations)
      requireCount(fields, 'memories', progress.memories)
      progress.ended = true
      return { kind: 'end' }
    default:
      throw wrongField(
        fields,
        'type',
        'one of conversation, turn, summary, conversation_end, memory, working_memory, session_summary, profile, settings, end',
      )
  }
}

function requireCount(fields: RecordFields, name: string, seen: number): void {
  const stated = wholeField(fields, name, 0)
  if (stated === seen) return
  throw importError(fields.at, `${stated} ${name} were exported, ${seen} are in the file`, EXPORT_AGAIN)
}
