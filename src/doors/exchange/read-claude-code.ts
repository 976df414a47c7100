/**
 * Reads a transcript of Claude Code: messages of both sides, tool calls and the beginning of their results; no thinking
 * or bookkeeping. A session is a conversation, and its folder the project.
 */
import { type ClaudePart, claudeBlocks } from './claude-blocks.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, logTurn } from './log-turn.ts'
import type { Line } from './read-lines.ts'
import { jsonObject } from './read-mneme-lines.ts'

type Entry = Readonly<Record<string, unknown>>

/** State carried from line to line. */
interface Session {
  id: string
  folder: string
  time: number
}

/** A line before the first one with a time. */
interface EarlyEntry {
  readonly entry: Entry
  readonly line: number
}

/** Most bytes held of lines before the first time; a transcript begins with few and short ones. */
const EARLY_BYTES = 4 * 1024 * 1024

/**
 * The items of one transcript, in file order. Lines before the first one with a time, such as titles of resumed
 * sessions, get that line's time and session.
 */
export async function* readClaudeCode(lines: AsyncIterable<Line>, source: LogSource): AsyncGenerator<LogItem> {
  const stem = conversationOf(source.name)
  const session: Session = { id: stem.slice(stem.lastIndexOf('/') + 1), folder: '', time: source.fallbackTime }
  const early: EarlyEntry[] = []
  let earlyBytes = 0
  let begun = false
  function* begin(): Generator<LogItem> {
    begun = true
    for (const { entry, line } of early.splice(0)) yield* readEntry(entry, line, session, source)
  }
  for await (const { number, bytes } of lines) {
    if (bytes === null) {
      yield { kind: 'refused', line: number, reason: 'the line is too long' }
      continue
    }
    const entry = jsonObject(bytes)
    if (typeof entry === 'string') {
      if (entry !== '') yield { kind: 'refused', line: number, reason: entry }
      continue
    }
    if (!begun) {
      const isDated = timeOfValue(entry.timestamp) !== null
      if (!isDated && earlyBytes + bytes.length <= EARLY_BYTES) {
        earlyBytes += bytes.length
        early.push({ entry, line: number })
        continue
      }
      if (isDated) follow(session, entry)
      yield* begin()
    }
    yield* readEntry(entry, number, session, source)
  }
  yield* begin()
}

/** Takes session, folder and time from the last line that names them. */
function follow(session: Session, entry: Entry): void {
  session.id = textOf(entry.sessionId) ?? session.id
  session.folder = textOf(entry.cwd) ?? session.folder
  session.time = timeOfValue(entry.timestamp) ?? session.time
}

function* readEntry(entry: Entry, line: number, session: Session, source: LogSource): Generator<LogItem> {
  follow(session, entry)
  const type = entry.type
  if (type === 'summary') {
    yield* turnsOf(
      [{ role: 'system', text: textOf(entry.summary) ?? '', kind: 'summary' }],
      entry,
      line,
      session,
      source,
    )
  } else if (type !== 'user' && type !== 'assistant') {
    yield { kind: 'skipped', line, reason: `bookkeeping (${typeof type === 'string' ? type.slice(0, 40) : 'no type'})` }
  } else if (entry.isMeta === true) {
    yield { kind: 'skipped', line, reason: 'a note of the program, said by nobody' }
  } else {
    const parts = claudeBlocks(entry.message, entry.isCompactSummary === true ? 'system' : type)
    if (parts === null) yield { kind: 'refused', line, reason: 'message.content is missing' }
    else if (parts.length === 0)
      yield { kind: 'skipped', line, reason: 'nothing was said: thinking, or a command of the program' }
    else yield* turnsOf(parts, entry, line, session, source)
  }
}

function* turnsOf(
  parts: readonly ClaudePart[],
  entry: Entry,
  line: number,
  session: Session,
  source: LogSource,
): Generator<LogItem> {
  const id = textOf(entry.uuid) ?? (entry.type === 'summary' ? textOf(entry.leafUuid) : null)
  const prefix = entry.type === 'summary' ? 'summary:' : ''
  for (const [index, part] of parts.entries()) {
    yield logTurn(
      {
        line,
        conversationId: conversationFor(entry, session),
        projectRoot: session.folder,
        role: part.role,
        content: part.text,
        createdAt: session.time,
        externalId: id === null ? null : `${prefix}${id}${index === 0 ? '' : `#${index}`}`,
        position: line * PARTS_OF_A_LINE + index,
        metadata: metadataOf(entry, part),
      },
      source,
    )
  }
}

/** Larger than the number of parts of any message. */
const PARTS_OF_A_LINE = 100_000

/** Work of a subagent is a separate conversation, beside the person's. */
function conversationFor(entry: Entry, session: Session): string {
  return entry.isSidechain === true ? `${session.id}/agent-${textOf(entry.agentId) ?? 'sidechain'}` : session.id
}

function metadataOf(entry: Entry, part: ClaudePart): Readonly<Record<string, unknown>> | null {
  const branch = textOf(entry.gitBranch)
  const metadata = {
    ...(part.kind === 'text' ? {} : { kind: part.kind }),
    ...(entry.isSidechain === true ? { sidechain: true } : {}),
    ...(branch === null ? {} : { git_branch: branch }),
  }
  return Object.keys(metadata).length === 0 ? null : metadata
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : null
}

/** true for a line that only Claude Code writes. */
export function isClaudeEntry(entry: Entry): boolean {
  if (typeof entry.type !== 'string') return false
  return ['sessionId', 'uuid', 'leafUuid', 'message', 'messageId', 'snapshot'].some((key) => Object.hasOwn(entry, key))
}
