/**
 * Writes records as the text of an export file, in pieces of about WRITE_CHARACTERS, and holds only one piece. The
 * writer adds `conversation_end` and `end` itself.
 */
import {
  encodeConversation,
  encodeHeader,
  encodeMemory,
  encodeProfile,
  encodeSessionSummary,
  encodeSummary,
  encodeTurn,
  encodeWorkingMemory,
} from './encode-record.ts'
import type { ExportFormat, ExportRecord } from './export-record.ts'

/** UTF-16 units in one piece, at least; a piece ends with a record. */
const WRITE_CHARACTERS = 64 * 1024

type Source = AsyncIterable<ExportRecord> | Iterable<ExportRecord>

/** Turns one record into text; a last call with null and the number of masked secrets ends the file. */
type Renderer = (record: ExportRecord | null, masked?: number) => string

/**
 * The pieces of the file, in order; the header comes first, and turns and summaries follow their conversation. `masked`
 * is called at the end for the number of masked secrets.
 */
export async function* writeExport(
  records: Source,
  format: ExportFormat,
  masked: () => number = () => 0,
): AsyncGenerator<string> {
  const render = format === 'json' ? jsonRenderer() : linesRenderer()
  let piece = ''
  for await (const record of records) {
    piece += render(record)
    if (piece.length < WRITE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece + render(null, masked())
}

function linesRenderer(): Renderer {
  const line = (type: string, fields: Readonly<Record<string, unknown>>): string =>
    `${JSON.stringify({ type, ...fields })}\n`
  const total = { conversations: 0, memories: 0 }
  let open: { readonly id: string; turns: number; summaries: number } | null = null
  const close = (): string => {
    const ended = open
    open = null
    if (ended === null) return ''
    return line('conversation_end', { conversation_id: ended.id, turns: ended.turns, summaries: ended.summaries })
  }
  return (record, masked = 0) => {
    if (record === null) return close() + line('end', masked === 0 ? total : { ...total, secrets_masked: masked })
    switch (record.kind) {
      case 'header': {
        const { mneme_export, ...rest } = encodeHeader(record.header)
        return `${JSON.stringify({ mneme_export, type: 'header', ...rest })}\n`
      }
      case 'conversation': {
        const before = close()
        open = { id: record.conversation.conversationId, turns: 0, summaries: 0 }
        total.conversations++
        return before + line('conversation', encodeConversation(record.conversation))
      }
      case 'turn':
        if (open !== null) open.turns++
        return line('turn', encodeTurn(record.turn))
      case 'summary':
        if (open !== null) open.summaries++
        return line('summary', encodeSummary(record.summary))
      case 'memory':
        total.memories++
        return close() + line('memory', encodeMemory(record.memory, record.edits))
      case 'working_memory':
        return close() + line('working_memory', encodeWorkingMemory(record.workingMemory))
      case 'session_summary':
        return close() + line('session_summary', encodeSessionSummary(record.sessionSummary))
      case 'profile':
        return close() + line('profile', encodeProfile(record.profile))
      case 'settings':
        return close() + line('settings', record.settings)
      default:
        return ''
    }
  }
}

/** The lists of the JSON document, in their order. */
const LISTS = ['conversations', 'memories', 'working_memories', 'session_summaries'] as const
type List = (typeof LISTS)[number]

function jsonRenderer(): Renderer {
  let list = -1
  let first = true
  let inner: 'turns' | 'summaries' | null = null
  /** The text behind the lists, one of each kind. */
  let behind = ''
  const closeConversation = (): string => {
    const closing = inner === 'turns' ? '],"summaries":[]}' : inner === 'summaries' ? ']}' : ''
    // Later items of the list follow this conversation, even when it has no turns.
    if (inner !== null) first = false
    inner = null
    return closing
  }
  /** Moves to a list, writing the lists in between as empty. */
  const moveTo = (wanted: List | null): string => {
    const target = wanted === null ? LISTS.length : LISTS.indexOf(wanted)
    if (target < list) throw new TypeError(`an export has its ${wanted} before its ${LISTS[list]}`)
    let text = closeConversation()
    for (; list < target; first = true) {
      if (list >= 0) text += ']'
      list++
      text += list < LISTS.length ? `,\n"${LISTS[list]}":[` : `${behind}}\n`
    }
    return text
  }
  const item = (value: unknown): string => {
    const text = `${first ? '' : ','}\n${JSON.stringify(value)}`
    first = false
    return text
  }
  return (record, masked = 0) => {
    if (record === null) {
      if (masked > 0) behind += `,\n"secrets_masked":${masked}`
      return moveTo(null)
    }
    switch (record.kind) {
      case 'header':
        return JSON.stringify(encodeHeader(record.header)).slice(0, -1)
      case 'conversation': {
        const before = moveTo('conversations')
        inner = 'turns'
        const text = `${before}${item(encodeConversation(record.conversation)).slice(0, -1)},"turns":[`
        first = true
        return text
      }
      case 'turn':
        return item(encodeTurn(record.turn))
      case 'summary': {
        const opening = inner === 'turns' ? '],"summaries":[' : ''
        if (inner === 'turns') first = true
        inner = 'summaries'
        return opening + item(encodeSummary(record.summary))
      }
      case 'memory':
        return moveTo('memories') + item(encodeMemory(record.memory, record.edits))
      case 'working_memory':
        return moveTo('working_memories') + item(encodeWorkingMemory(record.workingMemory))
      case 'session_summary':
        return moveTo('session_summaries') + item(encodeSessionSummary(record.sessionSummary))
      case 'profile':
        behind += `,\n"profile":${JSON.stringify(encodeProfile(record.profile))}`
        return ''
      case 'settings':
        behind += `,\n"settings":${JSON.stringify(record.settings)}`
        return ''
      default:
        return ''
    }
  }
}
