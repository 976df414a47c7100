/** Reads chats as other programs export them, each conversation along its current branch, and our own JSON lines. */
import type { ProfileSection } from '../../domain/contracts/small-stores.ts'
import { withoutProgramText } from '../../domain/program-text.ts'
import { ROLES_BY_NAME } from '../../domain/turn.ts'
import {
  conversationOf,
  currentBranch,
  type Entry,
  type EntryReader,
  type Found,
  foundMemory,
  type LogSource,
  timeOfValue,
  turnIfSaid,
} from './log-item.ts'
import { notesIn } from './read-memories.ts'
import { asList, asObject, jsonObject, textOf, textOfContent } from './read-stream.ts'

/** Custom instructions stand in every conversation, and become memories once. */
export function readChatGpt({ fallbackTime }: LogSource): EntryReader {
  const instructions = new Set<string>()
  return function* ({ entry: conversation }) {
    const mapping = asObject(conversation.mapping)
    const id = textOf(conversation.conversation_id) ?? textOf(conversation.id)
    if (mapping === null || id === null)
      return yield { kind: 'refused', reason: 'the conversation has no id or no messages' }
    let time = timeOfValue(conversation.create_time) ?? fallbackTime
    const nodes = new Map(Object.keys(mapping).map((one) => [one, asObject(mapping[one]) ?? {}]))
    const timeOf = (node: Entry) => timeOfValue(asObject(node.message)?.create_time)
    for (const [nodeId, node] of currentBranch(nodes, textOf(conversation.current_node), 'parent', timeOf)) {
      const message = asObject(node.message)
      if (message === null) continue
      time = timeOfValue(message.create_time) ?? time
      const given = instructionsIn(message)
      for (const [section, text] of given ?? []) {
        if (!instructions.has(text)) yield* notesIn(text, { createdAt: time, section })
        instructions.add(text)
      }
      if (given !== null) continue
      const author = textOf(asObject(message.author)?.role)
      const role = (author === 'user' || author === 'assistant') && !isHidden(message) ? author : undefined
      const otherwise =
        role === undefined
          ? 'not said by anybody: a tool, a hidden note, thoughts'
          : 'without text: pictures, files, voice'
      const place = { conversationId: `chatgpt-${id}`, createdAt: time, externalId: `chatgpt:${nodeId}` }
      yield turnIfSaid({ ...place, role, content: chatGptText(message) }, otherwise)
    }
  }
}

/** The user's custom instructions, without the words around them that are for the model; null for others. */
function instructionsIn(message: Entry): readonly (readonly [ProfileSection, string])[] | null {
  const content = asObject(message.content)
  if (content?.content_type !== 'user_editable_context') return null
  const plain = asObject(asObject(message.metadata)?.user_context_message_data)
  const fenced = (text: unknown): unknown => (textOf(text) ?? '').split('```').slice(1, -1).join('```') || text
  const parts = [
    ['background', plain?.about_user_message ?? fenced(content.user_profile)],
    ['reply_style', plain?.about_model_message ?? fenced(content.user_instructions)],
  ] as const
  return parts.flatMap(([section, part]) => (textOf(part) === null ? [] : [[section, `${part}`] as const]))
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

function chatGptText(message: Entry): string {
  const parts = asList(asObject(message.content)?.parts).flatMap((value) => {
    const part = asObject(value)
    // Spoken words are there as text, beside its sound.
    return (part?.content_type === 'audio_transcription' ? textOf(part.text) : textOf(value)) ?? []
  })
  return parts.join('\n').trim()
}

export function isClaudeAiEntry(entry: Entry): boolean {
  return Array.isArray(entry.chat_messages)
}

export function readClaudeAi({ fallbackTime }: LogSource): EntryReader {
  return function* ({ entry: conversation }) {
    const id = textOf(conversation.uuid)
    if (id === null || !isClaudeAiEntry(conversation))
      return yield { kind: 'refused', reason: 'the conversation has no uuid or no messages' }
    let time = timeOfValue(conversation.created_at) ?? fallbackTime
    const all = asList(conversation.chat_messages)
      .map(asObject)
      .filter((message) => message !== null)
    const byId = new Map(all.map((message) => [String(message.uuid), message]))
    const leaf = textOf(conversation.current_leaf_message_uuid)
    const current = currentBranch(byId, leaf, 'parent_message_uuid', ({ created_at: at }) => timeOfValue(at))
    const hasParents = all.some(({ parent_message_uuid: parent }) => textOf(parent) !== null)
    for (const message of hasParents ? current.map(([, message]) => message) : all) {
      time = timeOfValue(message.created_at) ?? time
      for (const _ of asList(message.attachments)) yield { kind: 'skipped', reason: 'an attached document' }
      const uuid = textOf(message.uuid)
      const turn = {
        conversationId: `claude-${id}`,
        role: ROLES_BY_NAME.get(message.sender),
        content: claudeText(message),
        createdAt: time,
        externalId: uuid === null ? null : `claude:${uuid}`,
      }
      yield turnIfSaid(turn, 'without text: thinking, tools, files')
    }
  }
}

/** Blocks of text; an older message has its text alone. */
function claudeText(message: Entry): string {
  const blocks = asList(message.content).map(asObject)
  const said = blocks.flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
  const text = said.length > 0 ? said.join('\n\n') : blocks.length === 0 ? (textOf(message.text) ?? '') : ''
  return text.trim()
}

const CODEX_ROLES = new Map(Object.entries({ user_message: 'user', agent_message: 'assistant' } as const))
/** A fork begins with what its parent holds, written in one go with new times: a longer pause ends it. */
const COPY_PAUSE_MS = 1000
/** A file is called rollout-<time>-<id of the session>. */
const SESSION_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readCodex(source: LogSource): EntryReader {
  const stem = conversationOf(source.name)
  const session = { id: SESSION_ID.exec(stem)?.[0] ?? stem, folder: '', time: source.fallbackTime }
  /** How often each role spoke at the session's present time. */
  const spoken = { user: 0, assistant: 0 }
  let begun: number | null = null
  /** When the newest copied line was written; null where nothing is being copied. */
  let copied: number | null = null
  let isOfUser = true
  return ({ entry }) => {
    const payload = asObject(entry.payload) ?? {}
    const time = timeOfValue(entry.timestamp) ?? session.time
    if (time !== session.time) Object.assign(spoken, { user: 0, assistant: 0 })
    session.time = time
    if (copied !== null) copied = time - copied < COPY_PAUSE_MS ? time : null
    if (entry.type === 'session_meta') {
      const id = textOf(payload.id) ?? session.id
      if (begun === null) {
        session.id = id
        isOfUser = asObject(payload.source)?.subagent === undefined
      }
      if (textOf(payload.forked_from_id) !== null || id !== session.id) copied ??= time
      session.folder = textOf(payload.cwd) ?? session.folder
      begun ??= time
    }
    const type = `${payload.type ?? entry.type}`
    const said = entry.type === 'event_msg' ? CODEX_ROLES.get(type) : undefined
    const isCopy = copied !== null || time < (begun ?? time)
    const before = said === undefined || isCopy ? 0 : spoken[said]++
    const turn = {
      conversationId: session.id,
      projectRoot: session.folder,
      role: isCopy ? undefined : said === 'user' && !isOfUser ? ('system' as const) : said,
      content: said === 'user' ? withoutProgramText(textOf(payload.message) ?? '') : textOf(payload.message),
      createdAt: session.time,
      // Resumed sessions repeat their lines in another file, with equal times.
      externalId: `codex:${session.id}:${session.time}:${said}${before === 0 ? '' : `#${before}`}`,
    }
    const isSaid = isCopy && said !== undefined
    return [turnIfSaid(turn, isSaid ? 'copied from another session' : `bookkeeping (${type.slice(0, 40)})`)]
  }
}

export function isCodexEntry(entry: Entry): boolean {
  return (
    ['session_meta', 'event_msg', 'response_item', 'turn_context', 'compacted'].includes(String(entry.type)) &&
    asObject(entry.payload) !== null
  )
}

export const LETTA_LISTS = ['blocks.*', 'core_memory.*', 'messages.*', 'agents.*.messages.*']
/** The block in which an agent describes itself. */
const PERSONA = 'persona'

export function readLetta(source: LogSource): EntryReader {
  let time = source.fallbackTime
  return ({ entry, list }) => {
    if (list !== 'messages') return blockItems(entry)
    time = timeOfValue(entry.created_at) ?? time
    const id = textOf(entry.id)
    const said = {
      conversationId: textOf(entry.agent_id) ?? conversationOf(source.name),
      role: entry.role === 'user' || entry.role === 'assistant' ? entry.role : undefined,
      content: saidIn(entry),
      createdAt: time,
      externalId: id === null ? null : `letta:${id}`,
    } as const
    return [turnIfSaid(said, 'not said by anybody: tools, instructions, events')]
  }
}

function blockItems({ label, value }: Entry): readonly Found[] {
  const text = textOf(value)
  if (text === null || label === PERSONA) return [{ kind: 'skipped', reason: 'about the agent itself, or empty' }]
  const parts = text.split('\n').flatMap((part) => textOf(part.trim()) ?? [])
  return parts.map((part) => foundMemory('letta', part))
}

function saidIn({ role, content, tool_calls }: Entry): string | null {
  const text = textOf(textOfContent(content))
  if (role === 'user') {
    const event = text?.startsWith('{') ? jsonObject(Buffer.from(text)) : ''
    if (typeof event === 'string' || typeof event.type !== 'string') return text
    return event.type === 'user_message' ? textOf(event.message) : null
  }
  const calls = asList(tool_calls).map((call) => asObject(asObject(call)?.function))
  const sent = calls.flatMap((call) =>
    call?.name === 'send_message' ? [jsonObject(Buffer.from(`${call.arguments}`))] : [],
  )
  const words = sent.flatMap((one) => (typeof one === 'string' ? [] : (textOf(one.message) ?? [])))
  return words.length > 0 ? words.join('\n\n') : text
}

/** The conversation goes by other names elsewhere (design §2). */
const CONVERSATION_KEYS = ['conversation_id', 'session_id', 'chat_id'] as const
const TIME_KEYS = ['created_at', 'timestamp', 'time', 'ts'] as const

export function readMnemeLines(source: LogSource): EntryReader {
  let lastTime = source.fallbackTime
  return ({ entry }) => {
    const wrong = (name: string, value: unknown, expected: string): readonly Found[] => [
      { kind: 'refused', reason: unknownValue(name, value, expected) },
    ]
    const role = ROLES_BY_NAME.get(entry.role)
    if (role === undefined) return wrong('role', entry.role, 'user, assistant, system or tool')
    const content = textOfContent(entry.content)
    if (content === null) return wrong('content', entry.content, 'text')
    const time = firstOf(entry, TIME_KEYS)
    const createdAt = time === undefined ? lastTime : timeOfValue(time)
    if (createdAt === null) return wrong('created_at', time, 'a time such as 2026-03-01T10:42:00Z')
    lastTime = createdAt
    const turn = {
      conversationId: textOr(firstOf(entry, CONVERSATION_KEYS), conversationOf(source.name)),
      projectRoot: textOr(entry.project_root, ''),
      role,
      content,
      speaker: textOr(entry.speaker, null) ?? textOr(entry.name, null),
      createdAt,
      externalId: textOr(entry.external_id, null),
      metadata: asObject(entry.metadata),
    }
    return [{ kind: 'turn', turn }]
  }
}

function firstOf(object: Entry, keys: readonly string[]): unknown {
  return keys.map((key) => object[key]).find((value) => value !== undefined && value !== null)
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
