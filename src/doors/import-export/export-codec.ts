/** The records of an export (`FORMAT.md`) as they are at every door, and their stream. A broken or foreign file ends in `import_failed` with its place. */
import { z } from 'zod'
import { check } from '../../domain/checks.ts'
import { isoTime } from '../../domain/clock.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import {
  PROFILE_SECTIONS,
  type Profile,
  type ProfileLine,
  type SessionSummary,
} from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'
import { camelNames, snakeNames } from '../operations/field-names.ts'
import { readInput } from '../operations/read-input.ts'
import * as door from '../operations/schemas.ts'
import { asObject, elements, importError, type JsonCursor, jsonCursor, keys, MOST_VALUE_BYTES } from './read-stream.ts'

/** Version of the format that this program writes, and the newest that it reads. */
const EXPORT_VERSION = 1

export interface ExportHeader {
  readonly exportedAt: number
  readonly userId: string
}

/** A turn as exported: symbols are found again in its content at import. */
export type ExportedTurn = Omit<Turn, 'symbols'>

type Codecs = typeof CODECS

export type WrittenRecord = {
  readonly [Kind in keyof Codecs]: { readonly kind: Kind; readonly value: ReturnType<Codecs[Kind]['read']> }
}[keyof Codecs]

/** As a reader gives it: with the end of each conversation, and at last that of a whole file. */
export type ExportRecord = WrittenRecord | { readonly kind: 'conversation_end' | 'end' }

export interface ReadRecord {
  readonly at: string
  readonly record: ExportRecord
}

export interface RecordFields {
  readonly what: string
  readonly at: string
  readonly values: Readonly<Record<string, unknown>>
}

const REMEDY = 'Import what an export of Mneme gave, or mend this field.'

function fieldsOf(value: unknown, what: string, at: string): RecordFields {
  const values = asObject(value)
  if (values === null) throw importError(at, `a ${what} is a JSON object`, REMEDY)
  return { what, at, values }
}

/** Makes of a value of the file one of the library, in its names and times, or with `toFile` the reverse. */
type Change = (value: unknown, toFile: boolean) => unknown
const same: Change = (value) => value

function changeOf(schema: unknown): Change {
  if (schema === door.time) return (value, toFile) => (toFile ? isoTime(Number(value)) : check.time('', value))
  if (schema instanceof z.ZodArray) {
    const change = changeOf(schema.element)
    return change === same ? same : (list, toFile) => (list as readonly unknown[]).map((one) => change(one, toFile))
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const change = changeOf(schema.unwrap())
    // A field that reads the same when it is missing is left out of the file.
    const missing =
      schema instanceof z.ZodOptional ? null : schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
    return (value, toFile) =>
      toFile && value === missing ? undefined : value === null || value === undefined ? value : change(value, toFile)
  }
  if (!(schema instanceof z.ZodObject)) return same
  const fields = Object.entries(schema.shape).map(([name, one]) => [name, changeOf(one)] as const)
  return (value, toFile) => {
    const given = (toFile ? snakeNames(value as object) : value) as Readonly<Record<string, unknown>>
    const result: Record<string, unknown> = {}
    for (const [name, change] of fields) {
      const one = change(given[name], toFile)
      if (one !== undefined) result[name] = one
    }
    return toFile ? result : camelNames(result)
  }
}

/** A field that may be null may be missing in a file. */
function codecOf<T extends object>(schema: z.ZodObject) {
  const shape = Object.entries(schema.shape).map(([name, one]) => [
    name,
    one instanceof z.ZodNullable ? one.default(null) : one,
  ])
  const input = z.object(Object.fromEntries(shape))
  const change = changeOf(schema)
  return {
    read: ({ what, at, values }: RecordFields): T => {
      try {
        return change(readInput({ input }, values), false) as T
      } catch (error) {
        if (!(error instanceof MnemeError)) throw error
        throw importError(at, `${what}.${error.message}`, error.remedy)
      }
    },
    write: (value: T) => change(value, true) as Readonly<Record<string, unknown>>,
  }
}

function checkVersion(version: unknown, at: string): void {
  if (version === EXPORT_VERSION) return
  const newer = typeof version === 'number' && version > EXPORT_VERSION
  throw importError(
    at,
    `mneme_export is ${JSON.stringify(version)}; this program reads version ${EXPORT_VERSION}`,
    newer ? 'Update Mneme, then import again.' : 'Import a file that Mneme wrote.',
  )
}

/** Turns and summaries stand inside their conversation, whose id they do not repeat. */
const inside = <T extends { readonly conversationId: string }>(schema: z.ZodObject) => {
  const codec = codecOf<Omit<T, 'conversationId'>>(schema)
  return {
    ...codec,
    read: (fields: RecordFields, conversationId: string) => ({ conversationId, ...codec.read(fields) }) as T,
  }
}

const text = door.text.refine((value) => !value.includes('\0') && value.isWellFormed(), 'has a NUL or a lone surrogate')
const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)
const numbers = z.array(z.int())
const texts = z.array(z.string())

const header = codecOf<ExportHeader>(z.object({ exported_at: door.time, user_id: door.id }))
const edit = z.object({
  event: z.enum(['UPDATE', 'SUPERSEDE']),
  previous_text: nullable(z.string()),
  created_at: door.time,
})
const memory = codecOf<RestoredMemory['memory'] & { readonly history?: RestoredMemory['edits'] }>(
  door.memory.omit({ session_id: true }).extend({
    text,
    value: z.unknown().nullable(),
    tags: texts.default([]),
    confidence: door.confidence,
    importance: z.number().min(0).max(MOST_IMPORTANT),
    source_turn_ids: numbers.default([]),
    buried_at: door.time.nullish(),
    history: z.array(edit).optional(),
  }),
)
const telling = z.object({ memory_ids: texts, conversation_id: door.id, turn_ids: numbers }).partial()
const line = z.object({
  section: nullable(z.enum(PROFILE_SECTIONS)),
  text: z.string(),
  source: z.enum(['user', 'machine']),
  updated_at: door.time,
  told_by: z.array(telling).optional(),
})
type LineInFile = Omit<ProfileLine, 'tellings'> & { readonly toldBy?: ProfileLine['tellings'] }
const profile = codecOf<Omit<Profile, 'lines'> & { readonly lines: readonly LineInFile[] }>(
  z.object({ text: z.string(), updated_at: door.time.nullable(), lines: z.array(line).default([]) }),
)

export const CODECS = {
  header: {
    read: (fields: RecordFields) => {
      checkVersion(fields.values.mneme_export, fields.at)
      return header.read(fields)
    },
    write: (value: ExportHeader) => ({ mneme_export: EXPORT_VERSION, ...header.write(value) }),
  },
  conversation: codecOf<Conversation>(door.conversation.extend({ conversation_id: door.id })),
  turn: inside<ExportedTurn>(
    door.turn.omit({ conversation_id: true, session_id: true, symbols: true }).extend({
      turn_id: door.turnNumber,
      content: text,
      speaker: nullable(z.string()),
      external_id: nullable(z.string()),
      metadata: nullable(door.metadata),
      is_collected: z.boolean().default(false),
    }),
  ),
  summary: inside<Summary>(
    door.summary
      .omit({ conversation_id: true })
      .extend({ summary: text, key_symbols: texts.default([]), key_decisions: texts.default([]) }),
  ),
  memory: {
    read: (fields: RecordFields): RestoredMemory => {
      const { history: edits = [], ...own } = memory.read(fields)
      return { memory: own, edits }
    },
    write: ({ memory: own, edits }: RestoredMemory) =>
      memory.write(edits.length === 0 ? own : { ...own, history: edits }),
  },
  session_summary: codecOf<SessionSummary>(
    door.sessionSummary.omit({ session_id: true }).extend({ conversation_id: door.id }),
  ),
  profile: {
    read: (fields: RecordFields): Profile => {
      const { lines, ...own } = profile.read(fields)
      return { ...own, lines: lines.map(({ toldBy, ...one }) => (toldBy ? { ...one, tellings: toldBy } : one)) }
    },
    write: ({ lines, ...own }: Profile) =>
      profile.write({
        ...own,
        lines: lines.map(({ tellings, ...one }) => (tellings ? { ...one, toldBy: tellings } : one)),
      }),
  },
}

/** The lists of the document, in their order, with the records that they hold. */
export const LISTS = {
  conversations: 'conversation',
  memories: 'memory',
  session_summaries: 'session_summary',
} as const

type OuterKind = Exclude<keyof typeof CODECS, 'turn' | 'summary'>

function readRecord(kind: OuterKind, value: unknown, at: string): ReadRecord {
  return { at, record: { kind, value: CODECS[kind].read(fieldsOf(value, kind, at)) } as ExportRecord }
}

/** Whether a file begins as an export of Mneme does; a chat log does not. 256 bytes are enough to tell. */
export function isExportStart(start: Uint8Array): boolean {
  return /^\uFEFF?\s*\{\s*"mneme_export"/.test(new TextDecoder().decode(start.subarray(0, 256)))
}

/** Yields header, conversation, turn, summary, conversation_end, memory, session_summary, profile and at last end. */
export async function* readExport(
  stream: AsyncIterable<Uint8Array>,
  maxRecordBytes = MOST_VALUE_BYTES,
): AsyncGenerator<ReadRecord> {
  const cursor = jsonCursor(stream, maxRecordBytes)
  try {
    yield* documentRecords(cursor)
  } finally {
    await cursor.close()
  }
}

async function* documentRecords(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const first = await cursor.peek()
  if (first !== '{'.charCodeAt(0))
    throw importError(
      'byte 0',
      `this is not an export of Mneme: ${first === -1 ? 'it is empty' : 'it does not begin with {'}`,
      'Import what an export of Mneme gave; chat logs are read by `mneme import --from-logs DIR`.',
    )
  const head: Record<string, unknown> = {}
  let started = false
  const start = function* (): Generator<ReadRecord> {
    if (started) return
    started = true
    const at = cursor.at()
    if (head.mneme_export === undefined)
      throw importError(at, 'mneme_export, exported_at and user_id must come before the lists', IN_ORDER)
    yield readRecord('header', head, at)
  }
  for await (const key of keys(cursor)) {
    if (Object.hasOwn(LISTS, key)) {
      const kind = LISTS[key as keyof typeof LISTS]
      yield* start()
      for await (const at of elements(cursor))
        if (kind === 'conversation') yield* readConversation(cursor)
        else yield readRecord(kind, await cursor.value(), at)
    } else if (key === 'profile') {
      yield* start()
      await cursor.peek()
      const at = cursor.at()
      yield readRecord(key, await cursor.value(), at)
    } else {
      head[key] = await cursor.value()
      if (key === 'mneme_export') checkVersion(head[key], cursor.at())
    }
  }
  yield* start()
  yield { at: cursor.at(), record: { kind: 'end' } }
  if ((await cursor.peek()) !== -1)
    throw importError(cursor.at(), 'there is more after the end of the document', 'Import one file at a time.')
}

const IN_ORDER = 'Keep the order of the keys that Mneme wrote.'

async function* readConversation(cursor: JsonCursor): AsyncGenerator<ReadRecord> {
  const at = cursor.at()
  const head: Record<string, unknown> = {}
  let id: string | null = null
  const begin = function* (): Generator<ReadRecord, string> {
    const value = CODECS.conversation.read(fieldsOf(head, 'conversation', at))
    yield { at, record: { kind: 'conversation', value } }
    return value.conversationId
  }
  for await (const key of keys(cursor)) {
    if (key !== 'turns' && key !== 'summaries') {
      if (id !== null) throw importError(cursor.at(), `conversation.${key} must come before its turns`, IN_ORDER)
      head[key] = await cursor.value()
      continue
    }
    id ??= yield* begin()
    const kind = key === 'turns' ? 'turn' : 'summary'
    for await (const place of elements(cursor)) {
      const value = CODECS[kind].read(fieldsOf(await cursor.value(), kind, place), id)
      yield { at: place, record: { kind, value } as ExportRecord }
    }
  }
  if (id === null) yield* begin()
  yield { at: cursor.at(), record: { kind: 'conversation_end' } }
}
