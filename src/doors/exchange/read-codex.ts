/**
 * Reads a session of Codex: what the person and the assistant said, from its events, which hold neither instructions nor
 * tools. The conversation is the session, the project its folder.
 */
import { type Entry, entriesOfLines, readEntries } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, turnIfSaid } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'
import type { Line } from './read-lines.ts'

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { user_message: 'user', agent_message: 'assistant' }
/** A file is called rollout-<time>-<id of the session>. */
const SESSION_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The items of one session, in the order of the file. */
export function readCodex(lines: AsyncIterable<Line>, source: LogSource): AsyncIterable<LogItem> {
  const stem = conversationOf(source.name)
  const session = { id: SESSION_ID.exec(stem)?.[0] ?? stem, folder: '', time: source.fallbackTime }
  return readEntries(entriesOfLines(lines), (entry, line) => {
    const payload = asObject(entry.payload) ?? {}
    session.time = timeOfValue(entry.timestamp) ?? session.time
    if (entry.type === 'session_meta') {
      session.id = textOf(payload.id) ?? session.id
      session.folder = textOf(payload.cwd) ?? session.folder
    }
    const role = entry.type === 'event_msg' ? ROLES[String(payload.type)] : undefined
    const said = {
      line,
      conversationId: session.id,
      projectRoot: session.folder,
      role,
      content: textOf(payload.message),
      createdAt: session.time,
      // Resumed sessions repeat their lines in another file, with equal times.
      externalId: `codex:${session.id}:${session.time}:${role}`,
    }
    return [turnIfSaid(said, source, `bookkeeping (${String(payload.type ?? entry.type).slice(0, 40)})`)]
  })
}

/** true for a line that only Codex writes. */
export function isCodexEntry(entry: Entry): boolean {
  return (
    ['session_meta', 'event_msg', 'response_item', 'turn_context', 'compacted'].includes(String(entry.type)) &&
    asObject(entry.payload) !== null
  )
}
