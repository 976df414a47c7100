/** Reads what other programs remember: graphs, lists, notes, and databases, of which Cursor’s holds chats. */
import { isQuestion } from '../../language/questions.ts'
import type { ForeignDatabase, ForeignProgram } from '../../usecases/open.ts'
import {
  conversationOf,
  type Entry,
  type EntryReader,
  type Found,
  foundMemory,
  itemOf,
  itemsIn,
  type LogItem,
  type LogMemory,
  type LogSource,
  parseLogTime,
  timeOfValue,
  turnIfSaid,
} from './log-item.ts'
import { asList, asObject, decodeUtf8, jsonObject, type Line, textOf } from './read-stream.ts'

export function isGraphEntry(entry: Entry): boolean {
  return (
    (entry.type === 'entity' && typeof entry.name === 'string' && Array.isArray(entry.observations)) ||
    (entry.type === 'relation' && typeof entry.from === 'string' && typeof entry.to === 'string')
  )
}

/** Reads a file of the reference memory server; races of its own leave several objects on one line. */
export const readGraph: EntryReader = ({ entry }) => {
  if (!isGraphEntry(entry)) return [{ kind: 'refused', reason: 'neither an entity nor a relation' }]
  const statements =
    entry.type === 'relation'
      ? [`${entry.from} ${entry.relationType ?? 'is related to'} ${entry.to}`]
      : asList(entry.observations).flatMap((one) => (textOf(one) === null ? [] : [`${entry.name}: ${one}`]))
  return statements.map((text) => foundMemory('server-memory', text))
}

export const readMem0: EntryReader = ({ entry }) => {
  const text = textOf(entry.memory) ?? textOf(entry.text) ?? textOf(entry.data)
  if (text === null) return [{ kind: 'refused', reason: 'the memory has no text' }]
  return [foundMemory('mem0', text, timeOfValue(entry.created_at), textOf(entry.id))]
}

/** The memory of an export of Claude.ai: a text about all conversations, and one for each project. */
export const readClaudeMemories: EntryReader = ({ entry }) => {
  const texts = [entry.conversations_memory, ...Object.values(asObject(entry.project_memories) ?? {})]
  return texts.flatMap((text) => notesIn(textOf(text) ?? ''))
}

/** true for notes: by the name that Claude Code gives its own, or by front matter as basic-memory writes it. */
export function isNotes(name: string, text: string): boolean {
  if (text.includes('<!-- mneme:')) return false
  return /(?:^|\/)memory\/[^/]{1,200}\.md$|(?:^|\/)MEMORY\.md$/.test(name) || hasField(text, 'permalink')
}

/** Whether the text begins with front matter that has this field. */
export function hasField(text: string, name: 'permalink' | 'type'): boolean {
  const [, front = ''] = /^---\r?\n((?:(?!---)[^\n]{0,500}\n){0,40})/.exec(text) ?? []
  return front.split('\n').some((line) => line.startsWith(`${name}:`))
}

const FENCE = /^\s{0,9}(?:```|~~~)/
const BULLET = /^\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s{1,9}(?:\[[ xX]\]\s)?/
/** As other assistants are asked to write it: a day, or that it is not known. */
const DAY = /^\[?(?:(\d{4}-\d{2}-\d{2})|(?<=\[)unknown(?=\]))\]?\s{0,4}[-–—:]?\s{1,4}/
const RELATION = /^([\w][\w ]{0,60}?) ?\[\[([^\]]{1,200})\]\]/
/** The frame of an observation in basic-memory: its kind before it, tags and source behind it. */
const KIND = /^\[[^\]]{1,40}\]\s/
const TAGS = /(?:\s#[\p{L}\p{N}_/-]{1,60}){1,20}(?=\s|$)/gu
const LINK = /\[([^\]]{1,200})\]\([^)]{1,500}\)/g
const BOLD = /\*\*(?=[^\s*/])([^*]{1,200})\*\*/g

export async function* readNotes(lines: AsyncIterable<Line>, source: LogSource): AsyncGenerator<LogItem> {
  const read = noteReader(source.name)
  const all = textsOf(lines)
  for await (const { line, text, reason } of source.format === 'notes' ? withGreetings(all) : all)
    if (reason !== undefined) yield { kind: text === '' ? 'refused' : 'skipped', line, reason }
    else for (const found of read(text)) yield itemOf(found, line, source)
}

/** The notes in a text that stands at one place of a file; all of them are given what is `known` of the text. */
export function notesIn(text: string, known: Partial<LogMemory> = {}): readonly Found[] {
  const notes = text.split(/\r?\n/).flatMap(noteReader(''))
  return notes.map((one) => (one.kind === 'memory' ? { ...one, memory: { ...one.memory, ...known } } : one))
}

export interface TextLine {
  readonly line: number
  readonly text: string
  /** Why it is passed over. */
  readonly reason?: string
}

/** The lines as text; one that is none has a reason. */
export async function* textsOf(lines: AsyncIterable<Line>): AsyncGenerator<TextLine> {
  for await (const { number: line, bytes } of lines) {
    const text = bytes === null ? null : decodeUtf8(bytes)
    if (text !== null) yield { line, text }
    else yield { line, text: '', reason: bytes === null ? 'the line is too long' : 'the line is not UTF-8' }
  }
}

/** Marks what an assistant says around its list: what stands before the first item of it, and in paragraphs behind the last. */
async function* withGreetings(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  let [around, isList, isBehind]: [TextLine[], boolean, boolean] = [[], false, false]
  for await (const one of lines) {
    const isItem = [FENCE, BULLET, DAY].some((mark) => mark.test(one.text))
    const isBlank = one.text.trim() === '' && one.reason === undefined
    isBehind = !isItem && (isBehind || isBlank)
    if (isBlank) continue
    if (isList ? isBehind : !isItem) {
      around.push(one)
      continue
    }
    yield* isList ? around : around.map(saidAround)
    yield one
    around = []
    isList = true
  }
  // Without marks of a list, every line is an item that asks nothing.
  yield* around.map((one) => (isList || isQuestion(one.text) ? saidAround(one) : one))
}

function saidAround(line: TextLine): TextLine {
  return { reason: 'said around the list', ...line }
}

/** Reads notes line by line; the `file` identifies those of basic-memory. */
function noteReader(file: string): (text: string) => readonly Found[] {
  let place: 'start' | 'front' | 'text' | 'code' = 'start'
  let title = ''
  return (text) => {
    if (text.trim() === '') return []
    const isRule = /^-{3,}\s*$/.test(text)
    if (isRule && place === 'start') place = 'front'
    else if (isRule && place === 'front') place = 'text'
    else if (place === 'front') title = /^title:\s{0,9}(.{1,200})/.exec(text)?.[1] ?? title
    else if (FENCE.test(text)) place = place === 'code' ? 'text' : 'code'
    else if (place === 'code' && title !== '') return [{ kind: 'skipped', reason: 'code' }]
    else {
      if (place === 'start') place = 'text'
      return [noteOf(text, title, file)]
    }
    return []
  }
}

function noteOf(text: string, title: string, file: string): Found {
  const item = text.replace(BULLET, '').trimEnd()
  if (/^#{1,6}\s|^\*\*[^*]{1,80}\*\*$|^[=-]{3,}$|[:：]$/.test(item)) return { kind: 'skipped', reason: 'a heading' }
  const bare = item.replace(BOLD, '$1')
  const day = DAY.exec(bare)
  const [, relation = '', target] = (title === '' ? null : RELATION.exec(bare)) ?? []
  const said = bare
    .slice(day?.[0].length ?? 0)
    .replace(LINK, '$1')
    .trim()
  const observed = title === '' ? said : `${title}: ${said.replace(KIND, '').replace(TAGS, '').trim()}`
  const memory = target === undefined ? observed : `${title} ${relation.replaceAll('_', ' ')} ${target}`
  const time = day?.[1] === undefined ? null : parseLogTime(day[1], null)
  return foundMemory(`notes:${title === '' ? '' : conversationOf(file)}`, memory, time)
}

type Row = Parameters<EntryReader>[0]

/** The items of the programs that keep a database. */
export const READ_DATABASE: Readonly<
  Record<ForeignProgram, (database: ForeignDatabase, source: LogSource) => AsyncIterable<LogItem>>
> = {
  cursor: (database, source) => itemsIn(rowsOf(database), source, readCursor(database, source)),
  'claude-mem': (database, source) => itemsIn(rowsOf(database), source, readClaudeMem),
  mem0: (database, source) => itemsIn(newestOf(rowsOf(database)), source, readMem0),
}

function* rowsOf(database: ForeignDatabase): Generator<Row> {
  let line = 0
  for (const { table, row } of database.rows()) yield { line: ++line, list: table, entry: row }
}

const ROLES = new Map(Object.entries({ 1: 'user', 2: 'assistant' } as const))

function readCursor(database: ForeignDatabase, { fallbackTime }: LogSource): EntryReader {
  return function* ({ entry: { key, value } }) {
    const id = String(key).slice('composerData:'.length)
    const chat = objectIn(value)
    // Older chats contain their messages, newer ones list their ids.
    const listed = [chat?.fullConversationHeadersOnly, chat?.conversation].find(
      (list): list is unknown[] => Array.isArray(list) && list.length > 0,
    )
    if (chat === null || listed === undefined) return yield { kind: 'skipped', reason: 'a chat without messages' }
    let time = timeOfValue(chat.createdAt) ?? fallbackTime
    for (const header of listed.map(asObject)) {
      const bubbleId = textOf(header?.bubbleId)
      const bubble = textOf(header?.text) === null ? objectIn(database.value(`bubbleId:${id}:${bubbleId}`)) : header
      const at = timeOfValue(bubble?.createdAt)
      // Cursor's times sometimes belong to another message, so only plausible ones are used.
      if (at !== null && at >= time && at <= fallbackTime) time = at
      const turn = {
        conversationId: `cursor-${id}`,
        role: ROLES.get(String(bubble?.type ?? header?.type)),
        content: textOf(bubble?.text),
        createdAt: time,
        externalId: bubbleId === null ? null : `cursor:${id}:${bubbleId}`,
      }
      yield turnIfSaid(turn, 'without text: tools, thinking, a message that is gone')
    }
  }
}

/** The part of a summary that tells more than its session. */
const SUMMARY = ['learned', 'completed', 'next_steps', 'notes']
const PROMPT = 'a prompt: it is in the transcript of Claude Code'

const readClaudeMem: EntryReader = ({ list, entry }) => {
  const { id, facts, narrative, text, title, created_at_epoch, created_at } = entry
  const isObservation = list === 'observations'
  const listed = textOf(facts) === null ? [] : asList(objectIn(`{"list":${facts}}`)?.list)
  const alone = textOf(narrative) ?? textOf(text) ?? textOf(title)
  const parts = listed.length > 0 ? listed : isObservation ? [alone] : SUMMARY.map((name) => entry[name])
  const said = parts.flatMap((part) => textOf(part) ?? [])
  if (said.length === 0) return [{ kind: 'skipped', reason: list === 'user_prompts' ? PROMPT : 'without words' }]
  const time = timeOfValue(created_at_epoch) ?? timeOfValue(created_at)
  return said.map((fact, at) => foundMemory('claude-mem', fact, time, `${isObservation ? '' : 'summary:'}${id}#${at}`))
}

/** The memories that a history of mem0 leaves, as its export has them. */
function newestOf(history: Iterable<Row>): Iterable<Row> {
  const newest = new Map<string, Row>()
  for (const { entry, ...at } of history) {
    const id = String(entry.memory_id)
    const memory = textOf(entry.new_memory) ?? textOf(entry.new_value)
    const isGone = [entry.event, entry.action].includes('DELETE') || Number(entry.is_deleted) === 1
    const created_at = timeOfValue(entry.updated_at) ?? entry.created_at
    if (isGone || memory === null) newest.delete(id)
    else newest.set(id, { ...at, entry: { id, memory, created_at } })
  }
  return newest.values()
}

function objectIn(value: unknown): Entry | null {
  const bytes = value instanceof Uint8Array ? value : typeof value === 'string' ? Buffer.from(value) : null
  const object = bytes === null ? null : jsonObject(bytes)
  return typeof object === 'string' ? null : object
}
