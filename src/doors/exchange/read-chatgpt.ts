/**
 * Reads an export of ChatGPT. A conversation is a tree of edits, read along the path from its current end to the root;
 * custom instructions become a memory.
 */
import { createHash } from 'node:crypto'
import { currentBranch } from './current-branch.ts'
import { type Entry, entriesOfDocument, readEntries } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { turnIfSaid } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'

/** The items of one export, conversation by conversation. */
export function readChatGpt(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncIterable<LogItem> {
  return readEntries(entriesOfDocument(stream, '$.*'), (entry, line) => conversationItems(entry, line, source))
}

function* conversationItems(conversation: Entry, line: number, source: LogSource): Generator<LogItem> {
  const mapping = asObject(conversation.mapping)
  const id = textOf(conversation.conversation_id) ?? textOf(conversation.id)
  if (mapping === null || id === null) {
    yield { kind: 'refused', line, reason: 'the conversation has no id or no messages' }
    return
  }
  let time = timeOfValue(conversation.create_time) ?? source.fallbackTime
  // Without a current end it is the newest leaf.
  const end = textOf(conversation.current_node) ?? Object.keys(mapping).at(-1) ?? null
  for (const [nodeId, node] of currentBranch(end, (one) => asObject(mapping[one]), 'parent')) {
    const message = asObject(node.message)
    if (message === null) continue
    time = timeOfValue(message.create_time) ?? time
    const about = aboutUser(message)
    if (about !== null) {
      const key = createHash('sha256').update(about).digest('hex').slice(0, 24)
      yield { kind: 'memory', line, memory: { text: about, externalId: `chatgpt:about:${key}`, createdAt: time } }
      continue
    }
    const author = textOf(asObject(message.author)?.role)
    const role = (author === 'user' || author === 'assistant') && !isHidden(message) ? author : undefined
    yield turnIfSaid(
      {
        line,
        conversationId: `chatgpt-${id}`,
        role,
        content: spokenText(message),
        createdAt: time,
        externalId: `chatgpt:${nodeId}`,
      },
      source,
      role === undefined
        ? 'not said by anybody: a tool, a hidden note, thoughts'
        : 'without text: pictures, files, voice',
    )
  }
}

/** Custom instructions, which apply to every chat; null for any other message. */
function aboutUser(message: Entry): string | null {
  const content = asObject(message.content)
  if (content?.content_type !== 'user_editable_context') return null
  const parts = [textOf(content.user_profile), textOf(content.user_instructions)].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join('\n')
}

function isHidden(message: Entry): boolean {
  const recipient = textOf(message.recipient)
  const type = textOf(asObject(message.content)?.content_type)
  return (
    asObject(message.metadata)?.is_visually_hidden_from_conversation === true ||
    (recipient !== null && recipient !== 'all') ||
    !['text', 'multimodal_text'].includes(type ?? 'text')
  )
}

/** Parts that are text; pictures and the like are objects. */
function spokenText(message: Entry): string {
  const parts = asObject(message.content)?.parts
  return Array.isArray(parts)
    ? parts
        .filter((part) => typeof part === 'string')
        .join('\n')
        .trim()
    : ''
}
