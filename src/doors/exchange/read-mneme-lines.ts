/**
 * Reads our JSON lines, `{"role": "user", "content": "…"}`, optionally with conversation_id, created_at, speaker,
 * external_id, project_root and metadata. An invalid line is refused, and the others are read.
 */

import type { Role } from '../../domain/turn.ts'
import { type Entry, entriesOfLines, readEntries } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, logTurn } from './log-turn.ts'
import { asObject, textOfContent } from './parse-json.ts'
import type { Line } from './read-lines.ts'

/** The conversation goes by other names elsewhere (design §2). */
const CONVERSATION_KEYS = ['conversation_id', 'session_id', 'chat_id'] as const
const TIME_KEYS = ['created_at', 'timestamp', 'time', 'ts'] as const

/** The items of one file. A turn without a time takes that of the turn before it in its file. */
export function readMnemeLines(lines: AsyncIterable<Line>, source: LogSource): AsyncIterable<LogItem> {
  let time = source.fallbackTime
  return readEntries(entriesOfLines(lines), (entry, line) => {
    const item = readEntry(entry, line, source, time)
    if (item.kind === 'turn') time = item.turn.createdAt
    return [item]
  })
}

function readEntry(object: Entry, line: number, source: LogSource, lastTime: number): LogItem {
  const role = roleOfValue(object.role)
  if (role === null)
    return { kind: 'refused', line, reason: unknownValue('role', object.role, 'user, assistant, system or tool') }
  const content = textOfContent(object.content)
  if (content === null) return { kind: 'refused', line, reason: unknownValue('content', object.content, 'text') }
  const time = firstOf(object, TIME_KEYS)
  const createdAt = time === undefined ? lastTime : timeOfValue(time)
  if (createdAt === null)
    return { kind: 'refused', line, reason: unknownValue('created_at', time, 'a time such as 2026-03-01T10:42:00Z') }
  const conversation = firstOf(object, CONVERSATION_KEYS)
  return logTurn(
    {
      line,
      conversationId:
        typeof conversation === 'string' && conversation !== '' ? conversation : conversationOf(source.name),
      projectRoot: textOr(object.project_root, ''),
      role,
      content,
      speaker: textOr(object.speaker, null) ?? textOr(object.name, null),
      createdAt,
      externalId: textOr(object.external_id, null),
      metadata: asObject(object.metadata),
    },
    source,
  )
}

function firstOf(object: Entry, keys: readonly string[]): unknown {
  for (const key of keys) if (object[key] !== undefined && object[key] !== null) return object[key]
  return undefined
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function unknownValue(name: string, value: unknown, expected: string): string {
  if (value === undefined || value === null) return `${name} is missing`
  const shown =
    typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : JSON.stringify(value).slice(0, 40)
  return `${name} is ${shown}; expected ${expected}`
}

/** Roles as JSON logs write them. */
const JSON_ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

/** The role of a JSON field; null for anything unknown. */
function roleOfValue(value: unknown): Role | null {
  return typeof value === 'string' && Object.hasOwn(JSON_ROLES, value) ? JSON_ROLES[value]! : null
}
