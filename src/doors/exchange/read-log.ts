/** Detects the format of a log file and streams its items. A file of unknown format is refused as a whole, with the reason. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { LIMITS } from '../../domain/limits.ts'
import { entriesOfDocument, entriesOfLines } from './log-entries.ts'
import type { LogFormat, LogItem, LogSource } from './log-item.ts'
import { jsonObject } from './parse-json.ts'
import {
  isClaudeAiEntry,
  isCodexEntry,
  readChatGpt,
  readClaudeAi,
  readCodex,
  readGemini,
  readLetta,
  readMnemeLines,
} from './read-chats.ts'
import { isClaudeEntry, readClaudeCode } from './read-claude-code.ts'
import { type Line, peekStream, readLines } from './read-lines.ts'
import { chooseMarkStyle, readMarkedText } from './read-marked-text.ts'
import { isGraphEntry, isNotes, READ_DATABASE, readGraphLines, readMem0, readNotes } from './read-memories.ts'

export type OpenLog =
  | { readonly format: LogFormat; readonly items: AsyncIterable<LogItem> }
  | { readonly format: null; readonly reason: string }

const PEEK_BYTES = 64 * 1024
const NEWLINE = 0x0a
/** Lines of JSON that are tried before a log of JSON lines counts as damaged. */
const LINES_TRIED = 50
/** Line length relative to turn length: transcripts carry files and pictures around a turn. */
const LINE_BYTES_PER_CONTENT_BYTE = 8

export async function readLogFile(
  path: string,
  name: string,
  options: Partial<Pick<LogSource, 'maxContentBytes' | 'format'>> & { readonly onBytes?: (count: number) => void } = {},
): Promise<OpenLog> {
  const { mtimeMs } = await stat(path)
  const maxContentBytes = options.maxContentBytes ?? LIMITS.contentBytes
  const source = { name, fallbackTime: Math.floor(mtimeMs), maxContentBytes, format: options.format }
  return (await isDatabase(path))
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

const DATABASE_START = 'SQLite format 3\0'

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(DATABASE_START.length), 0, DATABASE_START.length, 0)
    return buffer.toString('latin1') === DATABASE_START
  } finally {
    await file.close()
  }
}

async function readDatabase(path: string, source: LogSource): Promise<OpenLog> {
  const { openForeignDatabase } = await import('../../usecases/open.ts')
  const database = openForeignDatabase(path)
  const { program } = database
  const items = async function* (): AsyncGenerator<LogItem> {
    try {
      if (program !== null) yield* READ_DATABASE[program](database, source)
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
  if (document !== null) return { format: document.format, items: document.read(peeked.stream, source) }
  const found = await formatOf(peeked.start, source)
  if (typeof found !== 'string') return { format: found.format, items: found.read(lines(peeked.stream, source)) }
  await peeked.close()
  const most = lineBytes(source)
  if (peeked.start.length < most || peeked.start.subarray(0, most).includes(NEWLINE))
    return { format: null, reason: found }
  const reason = `its first line has more than ${most} bytes; write one object a line, or raise max_content_bytes, of which a line may have eight times as many`
  return { format: null, reason }
}

/** The format of a single JSON document, detected by its first field names, since elements may be of any length. */
function documentFormat(start: Uint8Array, { name }: LogSource): DocumentFormat | null {
  const text = new TextDecoder('utf-8').decode(start.subarray(0, PEEK_BYTES)).trimStart()
  const isArray = /^\[\s*\{/.test(text)
  if (isArray && /"mapping"\s{0,40}:\s{0,40}\{/.test(text)) return { format: 'chatgpt', read: readChatGpt }
  if (isArray && /"chat_messages"\s{0,40}:\s{0,40}\[/.test(text))
    return { format: 'claude-ai', read: (stream, source) => readClaudeAi(entriesOfDocument(stream, '$.*'), source) }
  if (isArray && /"header"\s{0,40}:\s{0,40}"[^"]{0,40}(?:Gemini|Bard)/.test(text))
    return { format: 'gemini', read: readGemini }
  if (name.toLowerCase().endsWith('.af') && text.startsWith('{')) return { format: 'letta', read: readLetta }
  const isMem0 = (isArray || /^\{\s*"results"\s*:\s*\[/.test(text)) && /"memory"\s{0,40}:\s{0,40}"/.test(text)
  return isMem0 ? { format: 'mem0', read: (stream) => readMem0(stream, isArray) } : null
}

interface DocumentFormat {
  readonly format: LogFormat
  readonly read: (stream: AsyncIterable<Uint8Array>, source: LogSource) => AsyncIterable<LogItem>
}

interface Found {
  readonly format: LogFormat
  readonly read: (lines: AsyncIterable<Line>) => AsyncIterable<LogItem>
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

async function formatOf(start: Uint8Array, source: LogSource): Promise<Found | string> {
  if (start.length === 0) return 'the file is empty'
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    return 'the file is UTF-16; save it as UTF-8'
  }
  if (start.includes(0)) return 'the file is not text'
  const text = new TextDecoder('utf-8').decode(start.subarray(0, PEEK_BYTES))
  if (isMostlyBroken(text)) return 'the file is not UTF-8; save it as UTF-8'
  if (text.trim() === '') return 'the file is empty'
  const notes: Found = { format: 'notes', read: (all) => readNotes(all, source) }
  if (source.format === 'notes' || isNotes(source.name, text)) return notes
  // A list of JSON, not a time in brackets.
  if (/^(?:\{|\[\s*[[{"\]])/.test(text.trimStart())) return jsonFormat(start, source)
  if (/^<(?:!doctype|html)/i.test(text.trimStart()))
    return 'the file is a web page; export JSON instead (Takeout: My Activity, multiple formats, JSON)'
  const style = chooseMarkStyle(text)
  if (style === null) return 'no speaker is marked; begin what is said with lines such as "## User" or "Assistant:"'
  return { format: 'marked-text', read: (all) => readMarkedText(all, source, style) }
}

async function jsonFormat(start: Uint8Array, source: LogSource): Promise<Found | string> {
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield start
  }
  let whole = false
  for await (const { number, bytes } of readLines(once(), start.length)) {
    if (number > LINES_TRIED || bytes === null) break
    const object = jsonObject(bytes)
    if (typeof object === 'string') continue
    whole = true
    if (object.mneme_export !== undefined) return 'the file is an export of Mneme; import it with memory_import < FILE'
    if (isClaudeEntry(object)) return { format: 'claude-code', read: (all) => readClaudeCode(all, source) }
    if (isCodexEntry(object)) return { format: 'codex', read: (all) => readCodex(all, source) }
    if (isClaudeAiEntry(object))
      return { format: 'claude-ai', read: (all) => readClaudeAi(entriesOfLines(all), source) }
    if (isGraphEntry(object)) return { format: 'server-memory', read: readGraphLines }
    if ('role' in object || 'content' in object)
      return { format: 'mneme-lines', read: (all) => readMnemeLines(all, source) }
  }
  return whole
    ? 'its JSON lines hold neither "role" and "content" nor anything of a program that is known'
    : 'the file is JSON but not JSON lines; write one {"role", "content"} object a line'
}

/** Whether over 2 % of the text is invalid UTF-8, as in another encoding; a few bytes are only damage. */
function isMostlyBroken(text: string): boolean {
  const broken = text.split('\uFFFD').length - 1
  return broken > 2 && broken > text.length / 50
}
