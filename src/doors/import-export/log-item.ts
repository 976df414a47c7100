/** Items of another program's chat log, and the JSON objects that they are read from. Refused lines look like turns but are invalid. */
import { Readable } from 'node:stream'
import { check } from '../../domain/checks.ts'
import { isoDay } from '../../domain/clock.ts'
import type { ProfileSection } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { hashOf } from '../../domain/ids.ts'
import type { Metadata, Role } from '../../domain/turn.ts'
import { asObject, jsonCursor, jsonObject, type Line, textOf, valuesAt } from './read-stream.ts'

/** `notes` has one memory a line, `mneme-lines` is our JSON lines, and `marked-text` has role marks in text. */
export type LogFormat =
  | 'claude-code'
  | 'codex'
  | 'chatgpt'
  | 'claude-ai'
  | 'gemini'
  | 'cursor'
  | 'server-memory'
  | 'mem0'
  | 'letta'
  | 'claude-mem'
  | 'notes'
  | 'mneme-lines'
  | 'marked-text'

export interface LogTurn {
  readonly conversationId: string
  /** '' when the log names none. */
  readonly projectRoot: string
  readonly role: Role
  readonly content: string
  readonly speaker: string | null
  readonly createdAt: number
  /** The log's own id, or one made from place and content, so that reading a log twice stores it once. */
  readonly externalId: string
  readonly metadata: Metadata | null
}

/** The turn of a log as it is stored: whose it is was asked before. */
export function storedTurn({ conversationId: _, projectRoot: __, createdAt, ...turn }: LogTurn) {
  return { ...turn, createdAt: new Date(createdAt) }
}

export interface LogMemory {
  readonly text: string
  /** An id that is equal at every reading, so that a file read twice is stored once. */
  readonly externalId: string
  /** Milliseconds since the epoch; null where the file does not say. */
  readonly createdAt: number | null
  /** Where in the profile the text stands as well. */
  readonly section?: ProfileSection
}

export type LogItem =
  | { readonly kind: 'turn'; readonly line: number; readonly turn: LogTurn }
  | { readonly kind: 'memory'; readonly line: number; readonly memory: LogMemory }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string }

export interface LogSource {
  /** The file's path within the imported folder, with `/`: part of derived ids. */
  readonly name: string
  /** When a turn without any time was said, in milliseconds: the file's own time. */
  readonly fallbackTime: number
  readonly maxContentBytes: number
  /** Read it as this, whatever it looks like. */
  readonly format?: 'notes' | undefined
}

type MayMiss = 'projectRoot' | 'speaker' | 'metadata'
interface FoundTurn extends Omit<LogTurn, MayMiss | 'externalId'>, Partial<Pick<LogTurn, MayMiss>> {
  /** null: an id is made from the turn's place. */
  readonly externalId: string | null
  /** Number of the turn, which distinguishes equal turns of one file without ids. Default: its line. */
  readonly position?: number
}

/** An item as its reader finds it: without its line, of a turn only what the log says. */
export type Found =
  | { readonly kind: 'turn'; readonly turn: FoundTurn }
  | { readonly kind: 'memory'; readonly memory: LogMemory }
  | { readonly kind: 'refused' | 'skipped'; readonly reason: string }

/** What may be a turn; without words, or of nobody who speaks, it is passed over because of `otherwise`. */
export function turnIfSaid(
  turn: Omit<FoundTurn, 'role' | 'content'> & { readonly role: Role | undefined; readonly content: string | null },
  otherwise: string,
): Found {
  const { role, content } = turn
  if (role === undefined || content === null || content === '') return { kind: 'skipped', reason: otherwise }
  return { kind: 'turn', turn: { ...turn, role, content } }
}

const LONGEST_ID = 200

/** A memory of the program `source`, identified by `id` or else by its text. */
export function foundMemory(
  source: string,
  text: string,
  createdAt: number | null = null,
  id: string | null = null,
): Found {
  return { kind: 'memory', memory: { text, externalId: `${source}:${id ?? text}`.slice(0, LONGEST_ID), createdAt } }
}

/** The whole item of what was found on a line; a turn that cannot be stored is refused. */
export function itemOf(found: Found, line: number, { name, maxContentBytes }: LogSource): LogItem {
  if (found.kind !== 'turn') return { ...found, line }
  const { position = line, ...turn } = found.turn
  const { conversationId, role, content } = turn
  const problem = contentProblem(content, maxContentBytes)
  if (problem !== null) return { kind: 'refused', line, reason: problem }
  const externalId = turn.externalId ?? `log:${hashOf([name, conversationId, position, role, content])}`
  return { kind: 'turn', line, turn: { projectRoot: '', speaker: null, metadata: null, ...turn, externalId } }
}

function contentProblem(content: string, maxBytes: number): string | null {
  if (content.trim() === '') return 'the turn is empty'
  if (content.includes('\0')) return 'the turn contains a NUL character'
  if (!content.isWellFormed()) return 'the turn contains half of a surrogate pair'
  const bytes = content.length * 3 <= maxBytes ? 0 : Buffer.byteLength(content)
  return bytes > maxBytes ? `the turn has ${bytes} bytes, more than ${maxBytes}` : null
}

/** The name of a file without its extension: the conversation of a log that names none. */
export function conversationOf(name: string): string {
  // linear: names of files are short.
  return name.replace(/\.[^./]+$/, '')
}

const MOMENT =
  /^(?:(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})日?(?:[T\s,]+|$))?(?:(\d{1,2})[:：](\d{2})(?:[:：](\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([AP])M)?\s{0,40}(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i
/** Seconds since the epoch up to the year 5138; larger numbers are milliseconds. */
const LARGEST_SECONDS = 1e11
const LARGEST_DATE = 8.64e15

/** Milliseconds since the epoch of a text such as "2026-03-01 10:42", or null. "10:42" needs a `day` to belong to. */
export function parseLogTime(text: string, day: number | null): number | null {
  const match = MOMENT.exec(text.trim())
  const [, year, month = '', date = '', hour, minute = '00', second = '00', fraction = '0', half, zone = 'Z'] =
    match ?? []
  if ((year ?? hour) === undefined || (year === undefined && day === null)) return null
  const early = half === undefined ? Number(hour ?? 0) : Number(hour) > 12 ? Number.NaN : Number(hour) % 12
  const hours = `${early + (half?.toUpperCase() === 'P' ? 12 : 0)}`.padStart(2, '0')
  const of = year === undefined ? isoDay(day ?? 0) : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  try {
    return check.time('', `${of}T${hours}:${minute}:${second}.${fraction}${zone.toUpperCase().replace('UTC', 'Z')}`)
  } catch {
    return null
  }
}

/** A JSON value as a time: ISO text, or a number of seconds or milliseconds; null when it is none. */
export function timeOfValue(value: unknown): number | null {
  if (typeof value === 'string') return parseLogTime(value, null)
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > LARGEST_DATE) return null
  return Math.round(Math.abs(value) < LARGEST_SECONDS ? value * 1000 : value)
}

export type Entry = Readonly<Record<string, unknown>>

/** An object of a log. `list` is the name of the list that it stands in, or ''. */
export interface LogEntry {
  readonly line: number
  readonly list: string
  /** Text: why there is none. */
  readonly entry: Entry | string
}

/** Finds the items of one entry after the other. */
export type EntryReader = (at: LogEntry & { readonly entry: Entry }) => Iterable<Found>

/** The items that `read` finds in each entry, and the refusals between them. */
export async function* itemsIn(
  entries: AsyncIterable<LogEntry> | Iterable<LogEntry>,
  source: LogSource,
  read: EntryReader,
): AsyncGenerator<LogItem> {
  for await (const { entry, ...at } of entries)
    if (typeof entry === 'string') yield { kind: 'refused', line: at.line, reason: entry }
    else for (const found of read({ ...at, entry })) yield itemOf(found, at.line, source)
}

export async function* entriesOfLines(lines: AsyncIterable<Line>): AsyncGenerator<LogEntry> {
  for await (const { number: line, bytes } of lines) {
    const entry = bytes === null ? 'the line is too long' : jsonObject(bytes)
    if (entry === '') continue
    const isSeveral = typeof entry === 'string' && bytes !== null && (yield* objectsRunTogether(bytes, line))
    if (!isSeveral) yield { line, list: '', entry }
  }
}

/** Two writers at once leave objects on one line. Returns whether the line had nothing else. */
async function* objectsRunTogether(bytes: Uint8Array, line: number): AsyncGenerator<LogEntry, boolean> {
  const cursor = jsonCursor(Readable.from([bytes]))
  try {
    while ((await cursor.peek()) !== -1) {
      const entry = asObject(await cursor.value())
      if (entry === null) return false
      yield { line, list: '', entry }
    }
    return true
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    return false
  }
}

/** The elements of the lists at these paths (`*`: the document is the list, '': the one element). Ends with a refusal at invalid JSON. */
export async function* entriesOfDocument(
  stream: AsyncIterable<Uint8Array>,
  ...paths: readonly string[]
): AsyncGenerator<LogEntry> {
  let line = 0
  const wanted = paths.map((path) => (path === '' ? [] : path.split('.')))
  try {
    for await (const { list, value } of valuesAt(jsonCursor(stream), wanted))
      yield { line: ++line, list, entry: asObject(value) ?? {} }
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    yield { line: line + 1, list: '', entry: error.message }
  }
}

/**
 * The messages by id from the first one to `end`, or to the newest that none follows where that is unknown. `parent` is
 * the field with the id of the one before.
 */
export function currentBranch(
  messages: ReadonlyMap<string, Entry>,
  end: string | null,
  parent: string,
  timeOf: (message: Entry) => number | null,
): readonly (readonly [id: string, message: Entry])[] {
  const followed = new Set([...messages.values()].map((message) => message[parent]))
  const leaves = [...messages].filter(([id]) => !followed.has(id))
  const newest = leaves.sort(([, one], [, other]) => (timeOf(one) ?? 0) - (timeOf(other) ?? 0)).at(-1)?.[0] ?? null
  const branch = new Map<string, Entry>()
  for (let id = end !== null && messages.has(end) ? end : newest; id !== null && !branch.has(id); ) {
    const message = messages.get(id)
    if (message === undefined) break
    branch.set(id, message)
    id = textOf(message[parent])
  }
  return [...branch].reverse()
}
