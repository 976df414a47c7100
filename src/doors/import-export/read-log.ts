/** Detects the format of a log file and streams its items; reads the transcripts of Claude Code. A file of unknown format is refused as a whole, with the reason. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { LIMITS } from '../../domain/limits.ts'
import { isDatabase } from '../../domain/plain-file.ts'
import { withoutProgramText } from '../../domain/program-text.ts'
import type { Role } from '../../domain/turn.ts'
import {
  conversationOf,
  type Entry,
  type EntryReader,
  entriesOfDocument,
  entriesOfLines,
  type Found,
  itemsIn,
  type LogFormat,
  type LogItem,
  type LogSource,
  timeOfValue,
} from './log-item.ts'
import * as chats from './read-chats.ts'
import { readGemini } from './read-gemini.ts'
import { chooseMarkStyle, readMarkedText } from './read-marked-text.ts'
import * as memories from './read-memories.ts'
import { asObject, type Line, peekStream, readLines, textOfContent } from './read-stream.ts'

export type OpenLog =
  | { readonly format: LogFormat; readonly items: AsyncIterable<LogItem> }
  | { readonly format: null; readonly reason: string }

const PEEK_BYTES = 64 * 1024
const NEWLINE = 0x0a
/** Lines of JSON that are tried before a log of JSON lines counts as damaged. */
const LINES_TRIED = 50
/** Line length relative to turn length: transcripts carry files and pictures around a turn. */
const LINE_BYTES_PER_CONTENT_BYTE = 8

interface ReadLogOptions extends Partial<Pick<LogSource, 'maxContentBytes' | 'format'>> {
  readonly onBytes?: (count: number) => void
}

export async function readLogFile(path: string, name: string, options: ReadLogOptions = {}): Promise<OpenLog> {
  const { mtimeMs } = await stat(path)
  const maxContentBytes = options.maxContentBytes ?? LIMITS.contentBytes
  const source = { name, fallbackTime: Math.floor(mtimeMs), maxContentBytes, format: options.format }
  return isDatabase(path)
    ? readDatabase(path, source)
    : readLog(counted(createReadStream(path), options.onBytes), source)
}

export async function* counted(
  stream: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    onBytes(chunk.length)
    yield chunk
  }
}

async function readDatabase(path: string, source: LogSource): Promise<OpenLog> {
  const { openForeignDatabase } = await import('../../usecases/open.ts')
  const database = openForeignDatabase(path)
  const { program } = database
  const items = async function* (): AsyncGenerator<LogItem> {
    try {
      if (program !== null) yield* memories.READ_DATABASE[program](database, source)
    } finally {
      database.close()
    }
  }
  if (program !== null) return { format: program, items: items() }
  database.close()
  return { format: null, reason: 'the database is of no program that is known' }
}

export async function readLog(stream: AsyncIterable<Uint8Array>, source: LogSource): Promise<OpenLog> {
  const peeked = await peekStream(stream, lineBytes(source), enoughToTell())
  const document = source.format === undefined ? documentFormat(peeked.start, source) : null
  const found = document ?? (await formatOf(peeked.start, source))
  if (typeof found !== 'string') return { format: found.format, items: found.read(peeked.stream) }
  await peeked.close()
  const most = lineBytes(source)
  if (peeked.start.length < most || peeked.start.subarray(0, most).includes(NEWLINE))
    return { format: null, reason: found }
  const reason = `its first line has more than ${most} bytes; write one object a line, or raise max_content_bytes, of which a line may have eight times as many`
  return { format: null, reason }
}

/** The format of a single JSON document, detected by its first field names, since elements may be of any length. */
function documentFormat(start: Uint8Array, source: LogSource): Recognised | null {
  const documents = (format: LogFormat, read: EntryReader, ...paths: readonly string[]): Recognised => ({
    format,
    read: (stream) => itemsIn(entriesOfDocument(stream, ...paths), source, read),
  })
  const text = new TextDecoder('utf-8').decode(start.subarray(0, PEEK_BYTES)).trimStart()
  const isArray = /^\[\s*\{/.test(text)
  if (isArray && /"mapping"\s{0,40}:\s{0,40}\{/.test(text)) return documents('chatgpt', chats.readChatGpt(source), '*')
  if (isArray && /"chat_messages"\s{0,40}:\s{0,40}\[/.test(text))
    return documents('claude-ai', chats.readClaudeAi(source), '*')
  if (/^\[?\s*\{/.test(text) && /"conversations_memory"\s{0,40}:/.test(text))
    return documents('claude-ai', memories.readClaudeMemories, isArray ? '*' : '')
  if (isArray && /"header"\s{0,40}:\s{0,40}"[^"]{0,40}(?:Gemini|Bard)/.test(text))
    return { format: 'gemini', read: (stream) => readGemini(stream, source) }
  if (source.name.toLowerCase().endsWith('.af') && text.startsWith('{'))
    return documents('letta', chats.readLetta(source), ...chats.LETTA_LISTS)
  const isMem0 = (isArray || /^\{\s*"results"\s*:\s*\[/.test(text)) && /"memory"\s{0,40}:\s{0,40}"/.test(text)
  return isMem0 ? documents('mem0', memories.readMem0, isArray ? '*' : 'results.*') : null
}

interface Recognised {
  readonly format: LogFormat
  readonly read: (stream: AsyncIterable<Uint8Array>) => AsyncIterable<LogItem>
}

function lines(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncIterable<Line> {
  return readLines(stream, lineBytes(source))
}

function lineBytes(source: LogSource): number {
  return source.maxContentBytes * LINE_BYTES_PER_CONTENT_BYTE
}

/** Enough is PEEK_BYTES and at least one whole line: the first line of a transcript can be a long one. */
function enoughToTell(): (chunk: Uint8Array) => boolean {
  let bytes = 0
  let broken = false
  return (chunk) => {
    bytes += chunk.length
    broken ||= chunk.includes(NEWLINE)
    return broken && bytes >= PEEK_BYTES
  }
}

async function formatOf(start: Uint8Array, source: LogSource): Promise<Recognised | string> {
  if (start.length === 0) return 'the file is empty'
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    return 'the file is UTF-16; save it as UTF-8'
  }
  const text = new TextDecoder('utf-8').decode(start.subarray(0, PEEK_BYTES)).replace(/^\0+/, '')
  // A list of JSON, not a time in brackets.
  const isJson = /^(?:\{|\[\s*[[{"\]])/.test(text.trimStart())
  if (start.includes(0) && !isJson) return 'the file is not text'
  const broken = text.split('\uFFFD').length - 1
  // A few bytes are only damage.
  if (broken > 2 && broken > text.length / 50) return 'the file is not UTF-8; save it as UTF-8'
  if (text.trim() === '') return 'the file is empty'
  const notes: Recognised = { format: 'notes', read: (stream) => memories.readNotes(lines(stream, source), source) }
  if (source.format === 'notes' || memories.isNotes(source.name, text)) return notes
  if (isJson) return jsonFormat(start, source)
  if (/^<(?:!doctype|html)/i.test(text.trimStart()))
    return 'the file is a web page; export JSON instead (Takeout: My Activity, multiple formats, JSON)'
  const style = chooseMarkStyle(text)
  // Notes of basic-memory need no permalink.
  if (style === null && memories.hasField(text, 'type')) return notes
  if (style === null) return 'no speaker is marked; begin what is said with lines such as "## User" or "Assistant:"'
  return { format: 'marked-text', read: (stream) => readMarkedText(lines(stream, source), source, style) }
}

/** Formats of JSON lines, each with how an entry of it is told, and its reader, which may look at the `first` ones. */
const JSON_LINES: readonly (readonly [
  LogFormat,
  isOne: (entry: Entry) => boolean,
  read: (source: LogSource, first: readonly Entry[]) => EntryReader,
])[] = [
  ['claude-code', isClaudeEntry, readClaudeCode],
  ['codex', chats.isCodexEntry, chats.readCodex],
  ['claude-ai', chats.isClaudeAiEntry, chats.readClaudeAi],
  ['server-memory', memories.isGraphEntry, () => memories.readGraph],
  ['mneme-lines', (entry) => 'role' in entry || 'content' in entry, chats.readMnemeLines],
]

async function jsonFormat(start: Uint8Array, source: LogSource): Promise<Recognised | string> {
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield start
  }
  const entries: Entry[] = []
  for await (const { line, entry } of entriesOfLines(readLines(once(), start.length))) {
    if (line > LINES_TRIED) break
    if (typeof entry !== 'string') entries.push(entry)
  }
  for (const object of entries) {
    if (object.mneme_export !== undefined) return 'the file is an export of Mneme; import it with memory_import < FILE'
    const [format, , read] = JSON_LINES.find(([, isOne]) => isOne(object)) ?? []
    if (format !== undefined)
      return {
        format,
        read: (stream) => itemsIn(entriesOfLines(lines(stream, source)), source, read!(source, entries)),
      }
  }
  return entries.length > 0
    ? 'its JSON lines hold neither "role" and "content" nor anything of a program that is known'
    : 'the file is JSON but not JSON lines; write one {"role", "content"} object a line'
}

/** Lines before the first time, of which a transcript has few, are of the session and time of that one. */
function readClaudeCode(source: LogSource, first: readonly Entry[]): EntryReader {
  const stem = conversationOf(source.name)
  const session = { id: stem.slice(stem.lastIndexOf('/') + 1), folder: '', time: source.fallbackTime }
  const follow = (entry: Entry): void => {
    session.id = textOf(entry.sessionId) ?? session.id
    session.folder = textOf(entry.cwd) ?? session.folder
    session.time = timeOfValue(entry.timestamp) ?? session.time
  }
  const dated = first.find(({ timestamp }) => timeOfValue(timestamp) !== null)
  if (dated !== undefined) follow(dated)
  return ({ entry, line }) => {
    follow(entry)
    const parts = claudeParts(entry)
    if ('kind' in parts) return [parts]
    const isSummary = entry.type === 'summary'
    const id = textOf(entry.uuid) ?? (isSummary ? textOf(entry.leafUuid) : null)
    const prefix = isSummary ? 'summary:' : ''
    return parts.map((part, index) => ({
      kind: 'turn',
      turn: {
        // Work of a subagent is a separate conversation, beside the person's.
        conversationId:
          entry.isSidechain === true ? `${session.id}/agent-${textOf(entry.agentId) ?? 'sidechain'}` : session.id,
        projectRoot: session.folder,
        role: part.role,
        content: part.text,
        createdAt: session.time,
        externalId: id === null ? null : `${prefix}${id}${index === 0 ? '' : `#${index}`}`,
        position: line * PARTS_OF_A_LINE + index,
        metadata: metadataOf(entry, part),
      },
    }))
  }
}

/** The parts of an entry that were said, or why it has none. */
function claudeParts(entry: Entry): readonly ClaudePart[] | Found {
  const { type } = entry
  if (type === 'summary') return [{ role: 'system', text: textOf(entry.summary) ?? '', kind: 'summary' }]
  if (type !== 'user' && type !== 'assistant')
    return { kind: 'skipped', reason: `bookkeeping (${typeof type === 'string' ? type.slice(0, 40) : 'no type'})` }
  if (entry.isMeta === true) return { kind: 'skipped', reason: 'a note of the program, said by nobody' }
  // A subagent's orders come from the assistant, and a summary from the program.
  const isOfUser = entry.isSidechain !== true && entry.isCompactSummary !== true
  const parts = claudeBlocks(entry.message, type === 'assistant' || isOfUser ? type : 'system')
  if (parts === null) return { kind: 'refused', reason: 'message.content is missing' }
  if (parts.length > 0) return parts
  return { kind: 'skipped', reason: 'nothing was said: thinking, or a command of the program' }
}

const PARTS_OF_A_LINE = 100_000

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

function isClaudeEntry(entry: Entry): boolean {
  if (typeof entry.type !== 'string') return false
  return ['sessionId', 'uuid', 'leafUuid', 'message', 'messageId', 'snapshot'].some((key) => Object.hasOwn(entry, key))
}

interface ClaudePart {
  readonly role: Role
  readonly text: string
  readonly kind: 'text' | 'tool_use' | 'tool_result' | 'summary'
}

/** UTF-16 units kept of a tool's result: from its beginning and its end. */
const RESULT_HEAD = 1500
const RESULT_TAIL = 400
const INPUT_CHARACTERS = 300
const TELLING_INPUTS = 'file_path notebook_path path command pattern query url description prompt'.split(' ')

function claudeBlocks(message: unknown, role: Role): readonly ClaudePart[] | null {
  const content = typeof message === 'string' ? message : asObject(message)?.content
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks)) return null
  const said: string[] = []
  const tools: ClaudePart[] = []
  for (const value of blocks) {
    const block = asObject(value)
    if (block?.type === 'text' && typeof block.text === 'string')
      said.push(role === 'user' ? withoutProgramText(block.text) : block.text)
    else if (block?.type === 'tool_use') tools.push({ role: 'tool', kind: 'tool_use', text: toolUse(block) })
    else if (block?.type === 'tool_result') {
      const text = excerpt((textOfContent(block.content) ?? '').trim(), RESULT_HEAD, RESULT_TAIL)
      if (text !== '') tools.push({ role: 'tool', kind: 'tool_result', text })
    }
  }
  const text = said.filter((part) => part.trim() !== '').join('\n\n')
  return [...(text === '' ? [] : [{ role, kind: 'text' as const, text }]), ...tools]
}

function toolUse({ name, input }: Readonly<Record<string, unknown>>): string {
  const given = asObject(input) ?? {}
  const key = TELLING_INPUTS.find((one) => typeof given[one] === 'string' && given[one] !== '')
  const detail = key === undefined ? '' : `: ${String(given[key])}`
  return excerpt(`${typeof name === 'string' ? name : 'tool'}${detail}`, INPUT_CHARACTERS, 0)
}

/** Beginning and end of a text; never half of a character, and no NUL, since it is no longer verbatim anyway. */
function excerpt(text: string, head: number, tail: number): string {
  const clean = (part: string): string => part.replaceAll('\0', '\uFFFD').toWellFormed()
  if (text.length <= head + tail) return clean(text)
  const end = tail === 0 ? '' : text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')
  return clean(`${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}…${end === '' ? '' : `\n…${end}`}`)
}
