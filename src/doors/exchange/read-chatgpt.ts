/**
 * Reads an export of ChatGPT. A conversation is a tree of edits, read along the path from its current end to the root;
 * custom instructions become a memory.
 */
import { createHash } from 'node:crypto'
import { entriesOfDocument } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { logTurn } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'

type Json = Readonly<Record<string, unknown>>

/** The items of one export, conversation by conversation. */
export async function* readChatGpt(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncGenerator<LogItem> {
  for await (const one of entriesOfDocument(stream, '$.*'))
    if (one.kind === 'refused') yield one
    else yield* conversationItems(one.entry, one.line, source)
}

function* conversationItems(conversation: Json, line: number, source: LogSource): Generator<LogItem> {
  const mapping = asObject(conversation.mapping)
  const id = textOf(conversation.conversation_id) ?? textOf(conversation.id)
  if (mapping === null || id === null) {
    yield { kind: 'refused', line, reason: 'the conversation has no id or no messages' }
    return
  }
  let time = timeOfValue(conversation.create_time) ?? source.fallbackTime
  for (const [nodeId, message] of currentBranch(mapping, textOf(conversation.current_node))) {
    time = timeOfValue(message.create_time) ?? time
    const about = aboutUser(message)
    if (about !== null) {
      const key = createHash('sha256').update(about).digest('hex').slice(0, 24)
      yield { kind: 'memory', line, memory: { text: about, externalId: `chatgpt:about:${key}`, createdAt: time } }
      continue
    }
    const role = textOf(asObject(message.author)?.role)
    const text = spokenText(message)
    if ((role !== 'user' && role !== 'assistant') || isHidden(message)) {
      yield { kind: 'skipped', line, reason: 'not said by anybody: a tool, a hidden note, thoughts' }
      continue
    }
    if (text === '') {
      yield { kind: 'skipped', line, reason: 'without text: pictures, files, voice' }
      continue
    }
    yield logTurn(
      {
        line,
        conversationId: `chatgpt-${id}`,
        role,
        content: text,
        createdAt: time,
        externalId: `chatgpt:${nodeId}`,
        position: line,
      },
      source,
    )
  }
}

/** Nodes with a message from the root to the current end (else the newest leaf), oldest first. */
function currentBranch(mapping: Json, current: string | null): readonly (readonly [id: string, message: Json])[] {
  const branch: [string, Json][] = []
  const seen = new Set<string>()
  let id = current ?? Object.keys(mapping).at(-1) ?? null
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const node = asObject(mapping[id])
    const message = asObject(node?.message)
    if (message !== null) branch.push([id, message])
    id = textOf(node?.parent)
  }
  return branch.reverse()
}

/** Custom instructions, which apply to every chat; null for any other message. */
function aboutUser(message: Json): string | null {
  const content = asObject(message.content)
  if (content?.content_type !== 'user_editable_context') return null
  const parts = [textOf(content.user_profile), textOf(content.user_instructions)].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join('\n')
}

function isHidden(message: Json): boolean {
  const recipient = textOf(message.recipient)
  const type = textOf(asObject(message.content)?.content_type)
  return (
    asObject(message.metadata)?.is_visually_hidden_from_conversation === true ||
    (recipient !== null && recipient !== 'all') ||
    !['text', 'multimodal_text'].includes(type ?? 'text')
  )
}

/** Parts that are text; pictures and the like are objects. */
function spokenText(message: Json): string {
  const parts = asObject(message.content)?.parts
  return Array.isArray(parts)
    ? parts
        .filter((part) => typeof part === 'string')
        .join('\n')
        .trim()
    : ''
}
