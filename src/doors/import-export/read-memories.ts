/** Reads what other programs remember: graphs, lists, notes, and databases, of which Cursor’s holds chats. */
import { isQuestion } from '../../language/questions.ts'
import type { ForeignDatabase, ForeignProgram } from '../../usecases/open.ts'
import {
  conversationOf,
  type Entry,
  entriesOfDocument,
  entriesOfLines,
  type LogItem,
  type LogMemory,
  type LogSource,
  logMemory,
  parseLogTime,
  readEntries,
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

/** The items of a file of the reference memory server; races of its own leave several objects on one line. */
export function readGraphLines(lines: AsyncIterable<Line>): AsyncIterable<LogItem> {
  return readEntries(entriesOfLines(lines), (entry, line) =>
    isGraphEntry(entry)
      ? statementsOf(entry).map((text) => logMemory(line, 'server-memory', text))
      : [{ kind: 'refused', line, reason: 'neither an entity nor a relation' }],
  )
}

function statementsOf(entry: Entry): readonly string[] {
  if (entry.type === 'relation') return [`${entry.from} ${entry.relationType ?? 'is related to'} ${entry.to}`]
  const observations = Array.isArray(entry.observations) ? entry.observations : []
  return observations.filter((one) => textOf(one) !== null).map((text) => `${entry.name}: ${text}`)
}

export function readMem0(stream: AsyncIterable<Uint8Array>, isArray: boolean): AsyncIterable<LogItem> {
  return readEntries(entriesOfDocument(stream, isArray ? '*' : 'results.*'), (record, line) => {
    const text = textOf(record.memory) ?? textOf(record.text) ?? textOf(record.data)
    if (text === null) return [{ kind: 'refused', line, reason: 'the memory has no text' }]
    return [logMemory(line, 'mem0', text, timeOfValue(record.created_at), textOf(record.id))]
  })
}

/** The memory of an export of Claude.ai: a text about all conversations, and one for each project. */
export function readClaudeMemories(
  stream: AsyncIterable<Uint8Array>,
  source: LogSource,
  isArray: boolean,
): AsyncIterable<LogItem> {
  return readEntries(entriesOfDocument(stream, isArray ? '*' : ''), (entry, line) => {
    const texts = [entry.conversations_memory, ...Object.values(asObject(entry.project_memories) ?? {})]
    return texts.flatMap((text) => notesIn(textOf(text) ?? '', line, source))
  })
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
  const read = noteReader(source)
  const all = textsOf(lines)
  for await (const { line, text, reason } of source.format === 'notes' ? withGreetings(all) : all)
    if (reason === undefined) yield* read(line, text)
    else yield { kind: text === '' ? 'refused' : 'skipped', line, reason }
}

/** The notes in a text that stands at one line of a file; all of them are given what is `known` of the text. */
export function notesIn(
  text: string,
  line: number,
  source: LogSource,
  known: Partial<LogMemory> = {},
): readonly LogItem[] {
  const read = noteReader(source)
  const items = text.split(/\r?\n/).flatMap((one) => [...read(line, one)])
  return items.map((item) => (item.kind === 'memory' ? { ...item, memory: { ...item.memory, ...known } } : item))
}

interface NoteLine {
  readonly line: number
  readonly text: string
  /** Why it is no note. */
  readonly reason?: string
}

/** The lines as text; one that is none has a reason. */
export async function* textsOf(lines: AsyncIterable<Line>): AsyncGenerator<NoteLine> {
  for await (const { number: line, bytes } of lines) {
    const text = bytes === null ? null : decodeUtf8(bytes)
    if (text !== null) yield { line, text }
    else yield { line, text: '', reason: bytes === null ? 'the line is too long' : 'the line is not UTF-8' }
  }
}

/** Marks what an assistant says around its list: what stands before the first item of it, and in paragraphs behind the last. */
async function* withGreetings(lines: AsyncIterable<NoteLine>): AsyncGenerator<NoteLine> {
  let [around, isList, isBehind]: [NoteLine[], boolean, boolean] = [[], false, false]
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

function saidAround(line: NoteLine): NoteLine {
  return { reason: 'said around the list', ...line }
}

function noteReader(source: LogSource): (line: number, text: string) => Iterable<LogItem> {
  let place: 'start' | 'front' | 'text' | 'code' = 'start'
  let title = ''
  return function* (line, text) {
    if (text.trim() === '') return
    const isRule = /^-{3,}\s*$/.test(text)
    if (isRule && place === 'start') place = 'front'
    else if (isRule && place === 'front') place = 'text'
    else if (place === 'front') title = /^title:\s{0,9}(.{1,200})/.exec(text)?.[1] ?? title
    else if (FENCE.test(text)) place = place === 'code' ? 'text' : 'code'
    else if (place === 'code' && title !== '') yield { kind: 'skipped', line, reason: 'code' }
    else {
      if (place === 'start') place = 'text'
      yield noteOf(text, title, line, source)
    }
  }
}

function noteOf(text: string, title: string, line: number, source: LogSource): LogItem {
  const item = text.replace(BULLET, '').trimEnd()
  if (/^#{1,6}\s|^\*\*[^*]{1,80}\*\*$|^[=-]{3,}$|[:：]$/.test(item))
    return { kind: 'skipped', line, reason: 'a heading' }
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
  return logMemory(line, `notes:${title === '' ? '' : conversationOf(source.name)}`, memory, time)
}

type Reader = (database: ForeignDatabase, source: LogSource) => Iterable<LogItem>

export const READ_DATABASE: Readonly<Record<ForeignProgram, Reader>> = {
  cursor: readCursor,
  'claude-mem': readClaudeMem,
  mem0: readMem0History,
}

const ROLES = new Map(Object.entries({ 1: 'user', 2: 'assistant' } as const))

function* readCursor(database: ForeignDatabase, source: LogSource): Generator<LogItem> {
  let line = 0
  for (const { row } of database.rows()) {
    const { key, value } = row
    line += 1
    const id = String(key).slice('composerData:'.length)
    const chat = objectIn(value)
    // Older chats contain their messages, newer ones list their ids.
    const listed = [chat?.fullConversationHeadersOnly, chat?.conversation].find(
      (list): list is unknown[] => Array.isArray(list) && list.length > 0,
    )
    if (chat === null || listed === undefined) {
      yield { kind: 'skipped', line, reason: 'a chat without messages' }
      continue
    }
    let time = timeOfValue(chat.createdAt) ?? source.fallbackTime
    for (const header of listed.map(asObject)) {
      const bubbleId = textOf(header?.bubbleId)
      const bubble = textOf(header?.text) === null ? objectIn(database.value(`bubbleId:${id}:${bubbleId}`)) : header
      const at = timeOfValue(bubble?.createdAt)
      // Cursor's times sometimes belong to another message, so only plausible ones are used.
      if (at !== null && at >= time && at <= source.fallbackTime) time = at
      yield turnIfSaid(
        {
          line,
          conversationId: `cursor-${id}`,
          role: ROLES.get(String(bubble?.type ?? header?.type)),
          content: textOf(bubble?.text),
          createdAt: time,
          externalId: bubbleId === null ? null : `cursor:${id}:${bubbleId}`,
        },
        source,
        'without text: tools, thinking, a message that is gone',
      )
    }
  }
}

/** The part of a summary that tells more than its session. */
const SUMMARY = ['learned', 'completed', 'next_steps', 'notes']
const PROMPT = 'a prompt: it is in the transcript of Claude Code'

function* readClaudeMem(database: ForeignDatabase): Generator<LogItem> {
  let line = 0
  for (const { table, row } of database.rows()) {
    const { id, facts, narrative, text, title, created_at_epoch, created_at } = row
    line += 1
    const time = timeOfValue(created_at_epoch) ?? timeOfValue(created_at)
    const listed = textOf(facts) === null ? [] : asList(objectIn(`{"list":${facts}}`)?.list)
    const alone = textOf(narrative) ?? textOf(text) ?? textOf(title)
    const said = (listed.length > 0 ? listed : table === 'observations' ? [alone] : SUMMARY.map((name) => row[name]))
      .map(textOf)
      .filter((one) => one !== null)
    const prefix = table === 'observations' ? '' : 'summary:'
    if (said.length === 0) yield { kind: 'skipped', line, reason: table === 'user_prompts' ? PROMPT : 'without words' }
    for (const [at, fact] of said.entries()) yield logMemory(line, 'claude-mem', fact, time, `${prefix}${id}#${at}`)
  }
}

function* readMem0History(database: ForeignDatabase): Generator<LogItem> {
  const memories = new Map<string, { readonly line: number; readonly text: string; readonly time: number | null }>()
  let line = 0
  for (const { row } of database.rows()) {
    line += 1
    const id = String(row.memory_id)
    const text = textOf(row.new_memory) ?? textOf(row.new_value)
    const isGone = [row.event, row.action].includes('DELETE') || Number(row.is_deleted) === 1
    if (isGone || text === null) memories.delete(id)
    else memories.set(id, { line, text, time: timeOfValue(row.updated_at) ?? timeOfValue(row.created_at) })
  }
  for (const [id, one] of memories) yield logMemory(one.line, 'mem0', one.text, one.time, id)
}

function objectIn(value: unknown): Entry | null {
  const bytes = value instanceof Uint8Array ? value : typeof value === 'string' ? Buffer.from(value) : null
  const object = bytes === null ? null : jsonObject(bytes)
  return typeof object === 'string' ? null : object
}
