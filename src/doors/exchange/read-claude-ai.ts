/** Reads an export of Claude.ai: a JSON array of conversations, or one a line. Of branches the current one counts. */
import type { LogEntry } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { logTurn } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'

type Json = Readonly<Record<string, unknown>>

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { human: 'user', assistant: 'assistant' }

/** The items of an export, of which each entry is a conversation. */
export async function* readClaudeAi(entries: AsyncIterable<LogEntry>, source: LogSource): AsyncGenerator<LogItem> {
  for await (const one of entries)
    if (one.kind === 'refused') yield one
    else yield* conversationItems(one.entry, one.line, source)
}

/** true for a conversation as Claude.ai exports it. */
export function isClaudeAiEntry(entry: Json): boolean {
  return Array.isArray(entry.chat_messages)
}

function* conversationItems(conversation: Json, line: number, source: LogSource): Generator<LogItem> {
  const id = textOf(conversation.uuid)
  const messages = conversation.chat_messages
  if (id === null || !Array.isArray(messages)) {
    yield { kind: 'refused', line, reason: 'the conversation has no uuid or no messages' }
    return
  }
  let time = timeOfValue(conversation.created_at) ?? source.fallbackTime
  const all = messages.map(asObject).filter((message) => message !== null)
  for (const message of currentBranch(all, textOf(conversation.current_leaf_message_uuid))) {
    time = timeOfValue(message.created_at) ?? time
    const role = ROLES[String(message.sender)]
    const content = spokenText(message)
    for (const _ of lengthOf(message.attachments)) yield { kind: 'skipped', line, reason: 'an attached document' }
    if (role === undefined || content === '') {
      yield { kind: 'skipped', line, reason: 'without text: thinking, tools, files' }
      continue
    }
    const uuid = textOf(message.uuid)
    yield logTurn(
      {
        line,
        conversationId: `claude-${id}`,
        role,
        content,
        createdAt: time,
        externalId: uuid === null ? null : `claude:${uuid}`,
        position: line,
      },
      source,
    )
  }
}

/** The path from the first message to the current end, oldest first; all messages where no parents are given. */
function currentBranch(messages: readonly Json[], leaf: string | null): readonly Json[] {
  const byId = new Map(messages.map((message) => [textOf(message.uuid), message]))
  if (leaf === null || !byId.has(leaf)) return messages
  const branch: Json[] = []
  for (let at: string | null = leaf; at !== null && byId.has(at); ) {
    const message: Json = byId.get(at) ?? {}
    byId.delete(at)
    branch.push(message)
    at = textOf(message.parent_message_uuid)
  }
  return branch.reverse()
}

/** Blocks of text; an older message has its text alone. */
function spokenText(message: Json): string {
  const blocks = Array.isArray(message.content) ? message.content.map(asObject) : []
  const said = blocks.flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
  const text = said.length > 0 ? said.join('\n\n') : blocks.length === 0 ? (textOf(message.text) ?? '') : ''
  return text.trim()
}

function lengthOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
