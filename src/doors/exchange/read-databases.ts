/**
 * Reads SQLite databases of other programs: the chats of Cursor, the observations of claude-mem, the history of mem0.
 */
import type { ForeignDatabase, ForeignProgram } from '../../usecases/open.ts'
import type { Entry } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { logMemory, turnIfSaid } from './log-turn.ts'
import { asObject, jsonObject, textOf } from './parse-json.ts'

type Reader = (database: ForeignDatabase, source: LogSource) => Iterable<LogItem>

/** How a database of each program is read. */
export const READ_DATABASE: Readonly<Record<ForeignProgram, Reader>> = {
  cursor: readCursor,
  'claude-mem': readClaudeMem,
  mem0: readMem0History,
}

/** A person's messages, and the assistant's. */
const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { 1: 'user', 2: 'assistant' }

function* readCursor(database: ForeignDatabase, source: LogSource): Generator<LogItem> {
  let line = 0
  for (const { key, value } of database.rows()) {
    line += 1
    const id = String(key).slice('composerData:'.length)
    const chat = objectIn(value)
    // Older chats contain their messages, newer ones list their ids.
    const listed = [chat?.fullConversationHeadersOnly, chat?.conversation].find(
      (list): list is unknown[] => Array.isArray(list) && list.length > 0,
    )
    if (chat === null || listed === undefined) {
      yield { kind: 'skipped', line, reason: 'a chat without messages' }
      continue
    }
    let time = timeOfValue(chat.createdAt) ?? source.fallbackTime
    for (const header of listed.map(asObject)) {
      const bubbleId = textOf(header?.bubbleId)
      const bubble = textOf(header?.text) === null ? objectIn(database.value(`bubbleId:${id}:${bubbleId}`)) : header
      const at = timeOfValue(bubble?.createdAt)
      // Cursor's times sometimes belong to another message, so only plausible ones are used.
      if (at !== null && at >= time && at <= source.fallbackTime) time = at
      yield turnIfSaid(
        {
          line,
          conversationId: `cursor-${id}`,
          role: ROLES[String(bubble?.type ?? header?.type)],
          content: textOf(bubble?.text),
          createdAt: time,
          externalId: bubbleId === null ? null : `cursor:${id}:${bubbleId}`,
        },
        source,
        'without text: tools, thinking, a message that is gone',
      )
    }
  }
}

/** Prompts of claude-mem are skipped, because Claude Code's own transcripts contain them. */
function* readClaudeMem(database: ForeignDatabase): Generator<LogItem> {
  let line = 0
  for (const { id, facts, narrative, text, title, created_at_epoch, created_at } of database.rows()) {
    line += 1
    const time = timeOfValue(created_at_epoch) ?? timeOfValue(created_at)
    const listed = listIn(facts).flatMap((fact) => textOf(fact) ?? [])
    const said =
      listed.length > 0 ? listed : [textOf(narrative) ?? textOf(text) ?? textOf(title)].filter((one) => one !== null)
    if (said.length === 0) yield { kind: 'skipped', line, reason: 'an observation without words' }
    for (const [at, fact] of said.entries()) yield logMemory(line, 'claude-mem', fact, time, `${id}#${at}`)
  }
}

/** Reads the final state of each memory from the history; mem0 for TypeScript names the columns differently. */
function* readMem0History(database: ForeignDatabase): Generator<LogItem> {
  const memories = new Map<string, { readonly line: number; readonly text: string; readonly time: number | null }>()
  let line = 0
  for (const row of database.rows()) {
    line += 1
    const id = String(row.memory_id)
    const text = textOf(row.new_memory) ?? textOf(row.new_value)
    const isGone = [row.event, row.action].includes('DELETE') || Number(row.is_deleted) === 1
    if (isGone || text === null) memories.delete(id)
    else memories.set(id, { line, text, time: timeOfValue(row.updated_at) ?? timeOfValue(row.created_at) })
  }
  for (const [id, one] of memories) yield logMemory(one.line, 'mem0', one.text, one.time, id)
}

function objectIn(value: unknown): Entry | null {
  const bytes = value instanceof Uint8Array ? value : typeof value === 'string' ? Buffer.from(value) : null
  const object = bytes === null ? null : jsonObject(bytes)
  return typeof object === 'string' ? null : object
}

function listIn(json: unknown): readonly unknown[] {
  const list = textOf(json) === null ? null : objectIn(`{"list":${json}}`)?.list
  return Array.isArray(list) ? list : []
}
