/** The fields of an export's records, read and written: snake_case, times as ISO 8601 in UTC. An error names its field. */
import type { SessionSummary } from '../../domain/contracts/documents.ts'
import type { MemoryEdit, RestoredMemory } from '../../domain/contracts/memory-store.ts'
import { PROFILE_SECTIONS, type Profile, type ProfileLine } from '../../domain/contracts/profile-store.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory, type WorkingMemory } from '../../domain/memory.ts'
import { type Conversation, type Metadata, ROLES, type Summary } from '../../domain/turn.ts'
import { snakeName } from '../operations/names.ts'
import { EXPORT_VERSION, type ExportedTurn, type ExportHeader, type ExportRecord } from './export-record.ts'
import { asObject, importError } from './parse-json.ts'

export interface RecordFields {
  readonly what: string
  readonly at: string
  readonly values: Readonly<Record<string, unknown>>
}

interface Field<T> {
  readonly read: (fields: RecordFields, name: string) => T
  readonly write: (value: T) => unknown
}

interface Codec<T> {
  readonly read: (fields: RecordFields) => T
  readonly write: (value: T) => Readonly<Record<string, unknown>>
}

const REMEDY = 'Import what an export of Mneme gave, or mend this field.'
const TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/

export function fieldsOf(value: unknown, what: string, at: string): RecordFields {
  const values = asObject(value)
  if (values === null) throw importError(at, `a ${what} is a JSON object`, REMEDY)
  return { what, at, values }
}

export function wrongField(fields: RecordFields, name: string, expected: string): Error {
  const problem = fields.values[name] === undefined ? 'is missing' : 'is wrong'
  return importError(fields.at, `${fields.what}.${name} ${problem}: expected ${expected}`, REMEDY)
}

function field<T>(
  expected: string,
  accept: (value: unknown) => T | undefined,
  write: (value: T) => unknown = (value) => value,
): Field<T> {
  return {
    read: (fields, name) => {
      const value = accept(fields.values[name])
      if (value === undefined) throw wrongField(fields, name, expected)
      return value
    },
    write,
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
const text = field('a string without NUL characters and lone surrogates', (value) =>
  isText(value) ? value : undefined,
)
const id = field('a string that is not empty, without NUL characters and lone surrogates', (value) =>
  isText(value) && value !== '' ? value : undefined,
)
const flag = field('true or false', (value) => (typeof value === 'boolean' ? value : undefined))
const object = field<Metadata>('a JSON object', (value) => asObject(value) ?? undefined)
const time = field<number>(
  'a time such as 2026-05-07T09:30:00.000Z',
  (value) => {
    const read = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN
    return Number.isNaN(read) ? undefined : read
  },
  (milliseconds) => new Date(milliseconds).toISOString(),
)
const anything: Field<unknown> = { read: ({ values }, name) => values[name] ?? null, write: (value) => value }

const oneOf = <T extends string>(words: readonly T[]): Field<T> =>
  field(`one of ${words.join(', ')}`, (value) => words.find((word) => word === value))
const numberFrom = (least: number, most: number): Field<number> =>
  field(`a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined,
  )
const wholeFrom = (least: number): Field<number> =>
  field(`a whole number, at least ${least}`, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined,
  )

const listOf = <T>(what: string, isOne: (value: unknown) => value is T): Field<readonly T[]> =>
  field<readonly T[]>(`a list of ${what}`, (value) => {
    const list: unknown = value ?? []
    return Array.isArray(list) && list.every(isOne) ? list : undefined
  })
const texts = listOf('strings', (one): one is string => typeof one === 'string' && one.isWellFormed())
const numbers = listOf('whole numbers', (one): one is number => Number.isSafeInteger(one))

const orNull = <T>({ read, write }: Field<T>): Field<T | null> => ({
  read: (fields, name) => ((fields.values[name] ?? null) === null ? null : read(fields, name)),
  write: (value) => (value === null ? null : write(value)),
})
const ifAny = <T>(inner: Field<T>): Field<T | null> => ({
  ...orNull(inner),
  write: (value) => (value === null ? undefined : inner.write(value)),
})
const ifGiven = <T>({ read, write }: Field<T>): Field<T | undefined> => ({
  read: (fields, name) => ((fields.values[name] ?? null) === null ? undefined : read(fields, name)),
  write: (value) => (value === undefined ? undefined : write(value)),
})
/** A field that older exports do not have. */
const since = <T>({ read, write }: Field<T>, before: T): Field<T> => ({
  read: (fields, name) => (fields.values[name] === undefined ? before : read(fields, name)),
  write,
})

const one = <T>(what: string, codec: Codec<T>): Field<T> => ({
  read: ({ values, at }, name) => codec.read(fieldsOf(values[name], what, at)),
  write: codec.write,
})
const many = <T>(what: string, codec: Codec<T>): Field<readonly T[]> => ({
  read: (fields, name) => {
    const list = fields.values[name] ?? []
    if (!Array.isArray(list)) throw wrongField(fields, name, 'a list')
    return list.map((value) => codec.read(fieldsOf(value, what, fields.at)))
  },
  write: (list) => list.map(codec.write),
})
const manyIfAny = <T>(what: string, codec: Codec<T>): Field<readonly T[]> => {
  const inner = many(what, codec)
  return { ...inner, write: (list) => (list.length === 0 ? undefined : inner.write(list)) }
}

function codecOf<T extends object>(fields: { readonly [Name in keyof T]-?: Field<T[Name]> }): Codec<T> {
  const rows = Object.entries(fields).map(([name, one]) => [name, snakeName(name), one as Field<unknown>] as const)
  return {
    read: (given) => {
      const record: Record<string, unknown> = {}
      for (const [name, written, { read }] of rows) {
        const value = read(given, written)
        if (value !== undefined) record[name] = value
      }
      return record as T
    },
    write: (record) =>
      Object.fromEntries(rows.map(([name, written, { write }]) => [written, write(Reflect.get(record, name))])),
  }
}

export function checkVersion(version: unknown, at: string): void {
  if (version === EXPORT_VERSION) return
  const newer = typeof version === 'number' && version > EXPORT_VERSION
  throw importError(
    at,
    `mneme_export is ${JSON.stringify(version)}; this program reads version ${EXPORT_VERSION}`,
    newer ? 'Update Mneme, then import again.' : 'Import a file that Mneme wrote.',
  )
}

const head = codecOf<ExportHeader>({ exportedAt: time, userId: id })
const header: Codec<ExportHeader> = {
  read: (fields) => {
    checkVersion(fields.values.mneme_export, fields.at)
    return head.read(fields)
  },
  write: (value) => ({ mneme_export: EXPORT_VERSION, ...head.write(value) }),
}

/** Turns and summaries stand inside their conversation, whose id they do not repeat. */
const inside = <T extends { readonly conversationId: string }>(codec: Codec<Omit<T, 'conversationId'>>) => ({
  ...codec,
  read: (fields: RecordFields, conversationId: string) => ({ conversationId, ...codec.read(fields) }) as T,
})

const edit = codecOf<MemoryEdit>({
  event: oneOf(['UPDATE', 'SUPERSEDE']),
  previousText: ifAny(text),
  createdAt: time,
})
const suspicion = codecOf<NonNullable<Memory['suspect']>>({ reason: text, since: time })
const memory = codecOf<Memory>({
  id,
  memoryType: oneOf(MEMORY_TYPES),
  text: id,
  category: oneOf(CATEGORIES),
  key: orNull(text),
  value: anything,
  tags: texts,
  conversationId: orNull(text),
  who: orNull(text),
  occurredAt: time,
  createdAt: time,
  updatedAt: time,
  confidence: numberFrom(0, 1),
  source: oneOf(MEMORY_SOURCES),
  importance: numberFrom(0, 3),
  accessCount: wholeFrom(0),
  lastAccessed: orNull(time),
  validFrom: time,
  validTo: orNull(time),
  supersededBy: orNull(text),
  suspect: orNull(one('suspect', suspicion)),
  sourceTurnIds: numbers,
  externalId: orNull(text),
  metadata: orNull(object),
  projectRoot: since(orNull(text), null),
  buriedAt: {
    read: (fields, name) => (fields.values[name] === undefined ? undefined : orNull(time).read(fields, name)),
    write: (value) => ifAny(time).write(value ?? null),
  },
})
const history = manyIfAny('history', edit)

type Telling = NonNullable<ProfileLine['tellings']>[number]
const tellingOfMemories = codecOf<Extract<Telling, { memoryIds: unknown }>>({ memoryIds: texts })
const tellingOfTurns = codecOf<Exclude<Telling, { memoryIds: unknown }>>({ conversationId: id, turnIds: numbers })
const telling: Codec<Telling> = {
  read: (fields) => {
    const told = tellingOfMemories.read(fields)
    return told.memoryIds.length > 0 ? told : tellingOfTurns.read(fields)
  },
  write: (value) => ('memoryIds' in value ? tellingOfMemories.write(value) : tellingOfTurns.write(value)),
}
const profileLine = codecOf<Omit<ProfileLine, 'tellings'> & { readonly toldBy: readonly Telling[] | undefined }>({
  section: orNull(oneOf(PROFILE_SECTIONS)),
  text,
  source: oneOf(['user', 'machine']),
  updatedAt: time,
  toldBy: ifGiven(many('telling', telling)),
})
const lineWithTellings: Codec<ProfileLine> = {
  read: (fields) => {
    const { toldBy = [], ...line } = profileLine.read(fields)
    return toldBy.length === 0 ? line : { ...line, tellings: toldBy }
  },
  write: ({ tellings, ...line }) => profileLine.write({ ...line, toldBy: tellings }),
}

export const CODECS = {
  header,
  conversation: codecOf<Conversation>({
    conversationId: id,
    projectRoot: text,
    createdAt: time,
    lastActive: time,
    summary: orNull(text),
    turnCount: wholeFrom(0),
    lastTurnId: wholeFrom(0),
    isMuted: { read: ({ values }, name) => values[name] === true || undefined, write: (value) => value || undefined },
  }),
  turn: inside<ExportedTurn>(
    codecOf<Omit<ExportedTurn, 'conversationId'>>({
      turnId: wholeFrom(1),
      role: oneOf(ROLES),
      content: id,
      speaker: ifAny(text),
      createdAt: time,
      externalId: ifAny(text),
      metadata: ifAny(object),
      isCollected: since(flag, false),
    }),
  ),
  summary: inside<Summary>(
    codecOf<Omit<Summary, 'conversationId'>>({
      summaryId: wholeFrom(1),
      startTurn: wholeFrom(1),
      endTurn: {
        read: (fields, name) => wholeFrom(wholeFrom(1).read(fields, 'start_turn')).read(fields, name),
        write: (value) => value,
      },
      summary: id,
      keySymbols: texts,
      keyDecisions: texts,
      createdAt: time,
    }),
  ),
  memory: {
    read: (fields: RecordFields) => ({ memory: memory.read(fields), edits: history.read(fields, 'history') }),
    write: (value: RestoredMemory) => ({ ...memory.write(value.memory), history: history.write(value.edits) }),
  } satisfies Codec<RestoredMemory>,
  working_memory: codecOf<WorkingMemory>({
    sessionId: id,
    currentTopic: orNull(text),
    contextVariables: object,
    turnCount: wholeFrom(0),
    lastEmotion: orNull(text),
    createdAt: time,
    updatedAt: time,
  }),
  session_summary: codecOf<SessionSummary>({
    conversationId: id,
    title: text,
    snippet: text,
    createdAt: time,
    updatedAt: time,
    edited: flag,
  }),
  profile: codecOf<Profile>({ text, updatedAt: orNull(time), lines: many('profile line', lineWithTellings) }),
  /** Settings by name; their values are checked where they are set. */
  settings: {
    read: ({ values: { type: _, ...settings } }: RecordFields) => settings,
    write: (settings: Readonly<Record<string, unknown>>) => settings,
  },
}

export type OuterKind = Exclude<keyof typeof CODECS, 'turn' | 'summary'>

export function isOuterKind(word: unknown): word is OuterKind {
  return typeof word === 'string' && Object.hasOwn(CODECS, word) && word !== 'turn' && word !== 'summary'
}

export function readRecord(kind: OuterKind, fields: RecordFields): ExportRecord {
  return { kind, value: CODECS[kind].read(fields) } as ExportRecord
}

export function countIn(fields: RecordFields, name: string): number {
  return wholeFrom(0).read(fields, name)
}
