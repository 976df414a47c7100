/**
 * Reads our JSON lines, `{"role": "user", "content": "…"}`, optionally with conversation_id, created_at, speaker,
 * external_id, project_root and metadata. An invalid line is refused, and the others are read.
 */

import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, logTurn } from './log-turn.ts'
import { asObject, decodeUtf8 } from './parse-json.ts'
import type { Line } from './read-lines.ts'
import { roleOfValue } from './role-words.ts'

/** The conversation goes by other names elsewhere (design §2). */
const CONVERSATION_KEYS = ['conversation_id', 'session_id', 'chat_id'] as const
const TIME_KEYS = ['created_at', 'timestamp', 'time', 'ts'] as const

/** The items of one file. A turn without a time takes that of the turn before it in its file. */
export async function* readMnemeLines(lines: AsyncIterable<Line>, source: LogSource): AsyncGenerator<LogItem> {
  let time = source.fallbackTime
  for await (const line of lines) {
    const item = readLine(line, source, time)
    if (item === null) continue
    if (item.kind === 'turn') time = item.turn.createdAt
    yield item
  }
}

function readLine({ number: line, bytes }: Line, source: LogSource, lastTime: number): LogItem | null {
  if (bytes === null) return { kind: 'refused', line, reason: 'the line is too long' }
  const object = jsonObject(bytes)
  if (typeof object === 'string') return object === '' ? null : { kind: 'refused', line, reason: object }
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
      position: line,
      metadata: asObject(object.metadata),
    },
    source,
  )
}

/** The object of a line; '' for a blank line, otherwise why there is none. */
export function jsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | string {
  const text = decodeUtf8(bytes)
  if (text === null) return 'the line is not UTF-8'
  if (text.trim() === '') return ''
  try {
    return asObject(JSON.parse(text)) ?? 'the line is not a JSON object'
  } catch {
    return 'the line is not valid JSON'
  }
}

/** Text, or the text blocks of a list such as `[{"type": "text", "text": "…"}]`; null when there is no text. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((block: unknown) => {
    if (typeof block === 'string') return [block]
    const text = asObject(block)?.text
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? null : texts.join('\n\n')
}

function firstOf(object: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
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
