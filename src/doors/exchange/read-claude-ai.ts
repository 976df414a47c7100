/** Reads an export of Claude.ai: a JSON array of conversations, or one a line. Of branches the current one counts. */
import { currentBranch } from './current-branch.ts'
import { type Entry, type LogEntry, readEntries } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { turnIfSaid } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { human: 'user', assistant: 'assistant' }

/** The items of an export, of which each entry is a conversation. */
export function readClaudeAi(entries: AsyncIterable<LogEntry>, source: LogSource): AsyncIterable<LogItem> {
  return readEntries(entries, (entry, line) => conversationItems(entry, line, source))
}

/** true for a conversation as Claude.ai exports it. */
export function isClaudeAiEntry(entry: Entry): boolean {
  return Array.isArray(entry.chat_messages)
}

function* conversationItems(conversation: Entry, line: number, source: LogSource): Generator<LogItem> {
  const id = textOf(conversation.uuid)
  const messages = conversation.chat_messages
  if (id === null || !Array.isArray(messages)) {
    yield { kind: 'refused', line, reason: 'the conversation has no uuid or no messages' }
    return
  }
  let time = timeOfValue(conversation.created_at) ?? source.fallbackTime
  const all = messages.map(asObject).filter((message) => message !== null)
  const byId = new Map(all.map((message) => [textOf(message.uuid), message]))
  const branch = currentBranch(
    textOf(conversation.current_leaf_message_uuid),
    (one) => byId.get(one) ?? null,
    'parent_message_uuid',
  ).map(([, message]) => message)
  // All messages, where no parents are given.
  for (const message of branch.length > 0 ? branch : all) {
    time = timeOfValue(message.created_at) ?? time
    if (Array.isArray(message.attachments))
      for (const _ of message.attachments) yield { kind: 'skipped', line, reason: 'an attached document' }
    const uuid = textOf(message.uuid)
    yield turnIfSaid(
      {
        line,
        conversationId: `claude-${id}`,
        role: ROLES[String(message.sender)],
        content: spokenText(message),
        createdAt: time,
        externalId: uuid === null ? null : `claude:${uuid}`,
      },
      source,
      'without text: thinking, tools, files',
    )
  }
}

/** Blocks of text; an older message has its text alone. */
function spokenText(message: Entry): string {
  const blocks = Array.isArray(message.content) ? message.content.map(asObject) : []
  const said = blocks.flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
  const text = said.length > 0 ? said.join('\n\n') : blocks.length === 0 ? (textOf(message.text) ?? '') : ''
  return text.trim()
}
