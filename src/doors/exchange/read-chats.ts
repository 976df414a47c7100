/** Reads chats as other programs export them, each conversation along its current branch, and our own JSON lines. */
import { createHash } from 'node:crypto'
import { withoutNotes } from '../../domain/program-notes.ts'
import type { Role } from '../../domain/turn.ts'
import {
  currentBranch,
  type Entry,
  entriesOfDocument,
  entriesOfLines,
  type LogEntry,
  newestLeaf,
  readEntries,
} from './log-entries.ts'
import {
  conversationOf,
  type LogItem,
  type LogSource,
  logMemory,
  logTurn,
  timeOfValue,
  turnIfSaid,
} from './log-item.ts'
import { asList, asObject, jsonObject, textOf, textOfContent } from './parse-json.ts'
import type { Line } from './read-lines.ts'

export function readChatGpt(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncIterable<LogItem> {
  return readEntries(entriesOfDocument(stream, '*'), (entry, line) => chatGptItems(entry, line, source))
}

function* chatGptItems(conversation: Entry, line: number, source: LogSource): Generator<LogItem> {
  const mapping = asObject(conversation.mapping)
  const id = textOf(conversation.conversation_id) ?? textOf(conversation.id)
  if (mapping === null || id === null) {
    yield { kind: 'refused', line, reason: 'the conversation has no id or no messages' }
    return
  }
  let time = timeOfValue(conversation.create_time) ?? source.fallbackTime
  const current = textOf(conversation.current_node)
  const end = current !== null && Object.hasOwn(mapping, current) ? current : newestLeaf(chatGptNodes(mapping))
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
    const otherwise =
      role === undefined
        ? 'not said by anybody: a tool, a hidden note, thoughts'
        : 'without text: pictures, files, voice'
    const place = { line, conversationId: `chatgpt-${id}`, createdAt: time, externalId: `chatgpt:${nodeId}` }
    yield turnIfSaid({ ...place, role, content: chatGptText(message) }, source, otherwise)
  }
}

function chatGptNodes(mapping: Entry) {
  return Object.entries(mapping).map(([id, value]) => {
    const node = asObject(value)
    return { id, parent: node?.parent, time: timeOfValue(asObject(node?.message)?.create_time) }
  })
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

function chatGptText(message: Entry): string {
  const parts = asList(asObject(message.content)?.parts).flatMap((value) => {
    const part = asObject(value)
    // Spoken words are there as text, beside its sound.
    return (part?.content_type === 'audio_transcription' ? textOf(part.text) : textOf(value)) ?? []
  })
  return parts.join('\n').trim()
}

const CLAUDE_ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { human: 'user', assistant: 'assistant' }

export function readClaudeAi(entries: AsyncIterable<LogEntry>, source: LogSource): AsyncIterable<LogItem> {
  return readEntries(entries, (entry, line) => claudeItems(entry, line, source))
}

export function isClaudeAiEntry(entry: Entry): boolean {
  return Array.isArray(entry.chat_messages)
}

function* claudeItems(conversation: Entry, line: number, source: LogSource): Generator<LogItem> {
  const id = textOf(conversation.uuid)
  const messages = conversation.chat_messages
  if (id === null || !Array.isArray(messages)) {
    yield { kind: 'refused', line, reason: 'the conversation has no uuid or no messages' }
    return
  }
  let time = timeOfValue(conversation.created_at) ?? source.fallbackTime
  const all = asList(messages)
    .map(asObject)
    .filter((message) => message !== null)
  const byId = new Map(all.map((message) => [textOf(message.uuid), message]))
  const leaf = textOf(conversation.current_leaf_message_uuid)
  const end = byId.has(leaf) ? leaf : newestLeaf(claudeNodes(all))
  const current = currentBranch(end, (one) => byId.get(one) ?? null, 'parent_message_uuid')
  const hasParents = all.some(({ parent_message_uuid: parent }) => textOf(parent) !== null)
  for (const message of hasParents ? current.map(([, message]) => message) : all) {
    time = timeOfValue(message.created_at) ?? time
    for (const _ of asList(message.attachments)) yield { kind: 'skipped', line, reason: 'an attached document' }
    const uuid = textOf(message.uuid)
    yield turnIfSaid(
      {
        line,
        conversationId: `claude-${id}`,
        role: CLAUDE_ROLES[String(message.sender)],
        content: claudeText(message),
        createdAt: time,
        externalId: uuid === null ? null : `claude:${uuid}`,
      },
      source,
      'without text: thinking, tools, files',
    )
  }
}

function claudeNodes(all: readonly Entry[]) {
  return all.flatMap(({ uuid, parent_message_uuid: parent, created_at: at }) =>
    textOf(uuid) === null ? [] : [{ id: String(uuid), parent, time: timeOfValue(at) }],
  )
}

/** Blocks of text; an older message has its text alone. */
function claudeText(message: Entry): string {
  const blocks = asList(message.content).map(asObject)
  const said = blocks.flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
  const text = said.length > 0 ? said.join('\n\n') : blocks.length === 0 ? (textOf(message.text) ?? '') : ''
  return text.trim()
}

interface Asked {
  readonly line: number
  readonly time: number
  readonly title: string
  readonly answer: string
}

const GAP_MS = 3_600_000
/** Prompts that are compared to find Takeout's prefix, which is in the account's language. */
const COMPARED = 200
/** Fewer prompts may share words of their own. */
const LEAST_COMPARED = 5
const ENGLISH = 'Prompted '

export async function* readGemini(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncGenerator<LogItem> {
  let held: Asked[] = []
  let prefix: string | undefined
  for await (const one of entriesOfDocument(stream, '*')) {
    if (one.kind === 'refused') {
      yield one
      continue
    }
    const { title, time: at, safeHtmlItem } = one.entry
    const html = asList(safeHtmlItem).map((item) => textOf(asObject(item)?.html) ?? '')
    const [time, said] = [timeOfValue(at), textOf(title)]
    if (html.length === 0) yield { kind: 'skipped', line: one.line, reason: 'no answer: a setting, a rating' }
    else if (time === null || said === null)
      yield { kind: 'refused', line: one.line, reason: 'the prompt has no time or no words' }
    else held.push({ line: one.line, time, title: said, answer: plainText(html.join('\n')) })
    if (held.length < COMPARED) continue
    prefix ??= commonBeginning(held)
    const [whole, rest] = sessionsOf(held)
    held = rest
    for (const session of whole) yield* turnsOf(session, prefix, source)
  }
  prefix ??= commonBeginning(held)
  const [whole, last] = sessionsOf(held)
  for (const session of [...whole, last]) yield* turnsOf(session, prefix, source)
}

/** Splits prompts into sessions, each oldest first; the last one may continue in the next batch. */
function sessionsOf(newestFirst: readonly Asked[]): readonly [whole: readonly Asked[][], last: Asked[]] {
  const sessions: Asked[][] = [[]]
  for (const asked of newestFirst) {
    const session = sessions.at(-1) ?? []
    const later = session[0]
    if (later === undefined || later.time - asked.time < GAP_MS) session.unshift(asked)
    else sessions.push([asked])
  }
  return [sessions.slice(0, -1), sessions.at(-1) ?? []]
}

function* turnsOf(session: readonly Asked[], prefix: string, source: LogSource): Generator<LogItem> {
  const conversationId = `gemini-${new Date(session[0]?.time ?? 0).toISOString()}`
  for (const { line, time, title, answer } of session) {
    const asked = title.startsWith(prefix) ? title.slice(prefix.length) : title
    for (const [role, content] of [
      ['user', asked],
      ['assistant', answer],
    ] as const) {
      const place = { line, conversationId, createdAt: time, externalId: `gemini:${time}:${role}` }
      const said = { ...place, role, content: textOf(content) }
      yield turnIfSaid(said, source, 'without text: pictures, files, voice')
    }
  }
}

function commonBeginning(all: readonly Asked[]): string {
  const [first = '', ...others] = all.map(({ title }) => title)
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  const common = first.slice(0, length)
  if (common.startsWith(ENGLISH)) return ENGLISH
  // Behind the first colon are words of the user, even where all prompts share them.
  const named = others.length === 0 ? null : /^[^:：]*[:：]\s*/.exec(common)
  if (named !== null || all.length < LEAST_COMPARED) return named?.[0] ?? ENGLISH
  // linear: a beginning of a title, cut to where its last word ends.
  return common.replace(/[^\s]*$/u, '')
}

const BREAK = /<(?:br|\/p|\/li|\/h[1-6]|\/tr|\/pre|\/div)\b[^<>]{0,200}>/gi
const TAG = /<[^<>]{0,2000}>/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of HTML, a paragraph a line. */
function plainText(html: string): string {
  return html
    .replace(BREAK, '\n')
    .replace(TAG, '')
    .replace(/&(?:#(x[\da-f]{1,6}|\d{1,7})|(\w{2,6}));/gi, (all, code?: string, name = '') => {
      const point = Number(`0${code}`)
      return point <= 0x10ffff ? String.fromCodePoint(point) : (ENTITIES[name] ?? all)
    })
    .replace(/\n{3,40}/g, '\n\n')
    .trim()
}

const CODEX_ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { user_message: 'user', agent_message: 'assistant' }
/** A file is called rollout-<time>-<id of the session>. */
const SESSION_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readCodex(lines: AsyncIterable<Line>, source: LogSource): AsyncIterable<LogItem> {
  const stem = conversationOf(source.name)
  const session = { id: SESSION_ID.exec(stem)?.[0] ?? stem, folder: '', time: source.fallbackTime }
  /** How often each role spoke at the session's present time. */
  const spoken = { user: 0, assistant: 0 }
  return readEntries(entriesOfLines(lines), (entry, line) => {
    const payload = asObject(entry.payload) ?? {}
    const time = timeOfValue(entry.timestamp) ?? session.time
    if (time !== session.time) Object.assign(spoken, { user: 0, assistant: 0 })
    session.time = time
    if (entry.type === 'session_meta') {
      session.id = textOf(payload.id) ?? session.id
      session.folder = textOf(payload.cwd) ?? session.folder
    }
    const role = entry.type === 'event_msg' ? CODEX_ROLES[String(payload.type)] : undefined
    const before = role === undefined ? 0 : spoken[role]++
    const said = {
      line,
      conversationId: session.id,
      projectRoot: session.folder,
      role,
      content: role === 'user' ? withoutNotes(textOf(payload.message) ?? '') : textOf(payload.message),
      createdAt: session.time,
      // Resumed sessions repeat their lines in another file, with equal times.
      externalId: `codex:${session.id}:${session.time}:${role}${before === 0 ? '' : `#${before}`}`,
    }
    return [turnIfSaid(said, source, `bookkeeping (${String(payload.type ?? entry.type).slice(0, 40)})`)]
  })
}

export function isCodexEntry(entry: Entry): boolean {
  return (
    ['session_meta', 'event_msg', 'response_item', 'turn_context', 'compacted'].includes(String(entry.type)) &&
    asObject(entry.payload) !== null
  )
}

const LETTA_LISTS = ['blocks.*', 'core_memory.*', 'messages.*', 'agents.*.messages.*']
/** The block in which an agent describes itself. */
const PERSONA = 'persona'

export function readLetta(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncIterable<LogItem> {
  let time = source.fallbackTime
  return readEntries(entriesOfDocument(stream, ...LETTA_LISTS), (entry, line, list) => {
    if (list !== 'messages') return blockItems(entry, line)
    time = timeOfValue(entry.created_at) ?? time
    const id = textOf(entry.id)
    const said = {
      line,
      conversationId: textOf(entry.agent_id) ?? conversationOf(source.name),
      role: entry.role === 'user' || entry.role === 'assistant' ? entry.role : undefined,
      content: saidIn(entry),
      createdAt: time,
      externalId: id === null ? null : `letta:${id}`,
    } as const
    return [turnIfSaid(said, source, 'not said by anybody: tools, instructions, events')]
  })
}

function* blockItems({ label, value }: Entry, line: number): Generator<LogItem> {
  const text = textOf(value)
  if (text === null || label === PERSONA) yield { kind: 'skipped', line, reason: 'about the agent itself, or empty' }
  else for (const part of text.split('\n')) if (part.trim() !== '') yield logMemory(line, 'letta', part.trim())
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

export function readMnemeLines(lines: AsyncIterable<Line>, source: LogSource): AsyncIterable<LogItem> {
  let time = source.fallbackTime
  return readEntries(entriesOfLines(lines), (entry, line) => {
    const item = mnemeItem(entry, line, source, time)
    if (item.kind === 'turn') time = item.turn.createdAt
    return [item]
  })
}

function mnemeItem(object: Entry, line: number, source: LogSource, lastTime: number): LogItem {
  const wrong = (name: string, value: unknown, expected: string): LogItem => {
    return { kind: 'refused', line, reason: unknownValue(name, value, expected) }
  }
  const role = JSON_ROLES.get(object.role)
  if (role === undefined) return wrong('role', object.role, 'user, assistant, system or tool')
  const content = textOfContent(object.content)
  if (content === null) return wrong('content', object.content, 'text')
  const time = firstOf(object, TIME_KEYS)
  const createdAt = time === undefined ? lastTime : timeOfValue(time)
  if (createdAt === null) return wrong('created_at', time, 'a time such as 2026-03-01T10:42:00Z')
  const conversation = firstOf(object, CONVERSATION_KEYS)
  return logTurn(
    {
      line,
      conversationId: textOr(conversation, conversationOf(source.name)),
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

const JSON_ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ...['user', 'human'].map((word) => [word, 'user'] as const),
  ...['assistant', 'ai', 'bot', 'model'].map((word) => [word, 'assistant'] as const),
  ...['system', 'developer'].map((word) => [word, 'system'] as const),
  ...['tool', 'function'].map((word) => [word, 'tool'] as const),
])
