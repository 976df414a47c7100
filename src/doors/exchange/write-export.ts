/**
 * Writes records as the text of an export file, in pieces of about WRITE_CHARACTERS, and holds only one piece. The
 * writer adds `conversation_end` and `end` itself.
 */
import { CODECS } from './export-codec.ts'
import { EXPORT_VERSION, type ExportFormat, type ExportRecord } from './export-record.ts'

/** UTF-16 units in one piece, at least; a piece ends with a record. */
const WRITE_CHARACTERS = 64 * 1024

type Source = AsyncIterable<ExportRecord> | Iterable<ExportRecord>
/** A record with content of its own. */
type Written = Exclude<ExportRecord, { kind: 'conversation_end' | 'end' }>

/** Turns one record into text; a last call with null and the number of masked secrets ends the file. */
type Renderer = (record: Written | null, masked?: number) => string

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
    if (record.kind === 'conversation_end' || record.kind === 'end') continue
    piece += render(record)
    if (piece.length < WRITE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece + render(null, masked())
}

function plain({ kind, value }: Written): Readonly<Record<string, unknown>> {
  return (CODECS[kind].write as (value: unknown) => Readonly<Record<string, unknown>>)(value)
}

function linesRenderer(): Renderer {
  const line = (type: string, fields: object): string => `${JSON.stringify({ type, ...fields })}\n`
  const total = { conversations: 0, memories: 0 }
  let open: { readonly conversation_id: string; turns: number; summaries: number } | null = null
  const close = (): string => {
    const ended = open === null ? '' : line('conversation_end', open)
    open = null
    return ended
  }
  return (record, masked = 0) => {
    if (record === null) return close() + line('end', masked === 0 ? total : { ...total, secrets_masked: masked })
    const { kind } = record
    if (kind === 'header') return `${JSON.stringify({ mneme_export: EXPORT_VERSION, type: kind, ...plain(record) })}\n`
    if (kind === 'turn' || kind === 'summary') {
      if (open !== null) open[kind === 'turn' ? 'turns' : 'summaries']++
      return line(kind, plain(record))
    }
    const before = close()
    if (kind === 'conversation') {
      open = { conversation_id: record.value.conversationId, turns: 0, summaries: 0 }
      total.conversations++
    } else if (kind === 'memory') total.memories++
    return before + line(kind, plain(record))
  }
}

/** The lists of the JSON document, in their order, with the records that they hold. */
export const LISTS = {
  conversations: 'conversation',
  memories: 'memory',
  working_memories: 'working_memory',
  session_summaries: 'session_summary',
} as const
const NAMES = Object.keys(LISTS)
const KINDS: readonly string[] = Object.values(LISTS)

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
  const moveTo = (target: number): string => {
    if (target < list) throw new TypeError(`an export has its ${NAMES[target]} before its ${NAMES[list]}`)
    let text = closeConversation()
    for (; list < target; first = true) {
      if (list >= 0) text += ']'
      list++
      text += list < NAMES.length ? `,\n"${NAMES[list]}":[` : `${behind}}\n`
    }
    return text
  }
  const item = (record: Written): string => {
    const text = `${first ? '' : ','}\n${JSON.stringify(plain(record))}`
    first = false
    return text
  }
  return (record, masked = 0) => {
    if (record === null) {
      if (masked > 0) behind += `,\n"secrets_masked":${masked}`
      return moveTo(NAMES.length)
    }
    switch (record.kind) {
      case 'header':
        return JSON.stringify(plain(record)).slice(0, -1)
      case 'turn':
        return item(record)
      case 'summary': {
        const opening = inner === 'turns' ? '],"summaries":[' : ''
        if (inner === 'turns') first = true
        inner = 'summaries'
        return opening + item(record)
      }
      case 'profile':
      case 'settings':
        behind += `,\n"${record.kind}":${JSON.stringify(plain(record))}`
        return ''
      default: {
        const text = moveTo(KINDS.indexOf(record.kind)) + item(record)
        if (record.kind !== 'conversation') return text
        inner = 'turns'
        first = true
        return `${text.slice(0, -1)},"turns":[`
      }
    }
  }
}
