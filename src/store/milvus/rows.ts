/** A row of Milvus as it is sent and read: the fields of 002, and ours beside them as dynamic ones. */
import {
  type MirroredVector,
  type MirrorRow,
  VECTOR_KINDS,
  type VectorKind,
  type WholeMirrorRow,
} from '../../domain/contracts/vector-index.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../../domain/memory.ts'

const orTime = (value: unknown, time: number): number => whole(value) ?? time

/** Fields that 002 lacks, and how each is read from the dynamic field of its name; `time`: of the memory. */
const READ = {
  category: (value) => word(value, CATEGORIES) ?? 'fact',
  key: text,
  value: (value) => value ?? null,
  tags: texts,
  createdAt: orTime,
  updatedAt: orTime,
  confidence: (value) => (typeof value === 'number' ? value : 1),
  source: (value) => word(value, MEMORY_SOURCES) ?? 'system',
  importance: (value) => whole(value) ?? 0,
  lastAccessed: whole,
  validFrom: orTime,
  validTo: whole,
  supersededBy: text,
  sourceTurnIds: (value) => list(value).filter((turn) => typeof turn === 'number'),
  externalId: text,
  projectRoot: text,
} as const satisfies { readonly [Name in keyof Memory]?: (value: unknown, time: number) => Memory[Name] }
const NAMES = Object.keys(READ) as (keyof typeof READ)[]

function fieldOf(name: keyof Memory): string {
  return name === 'suspect' ? 'suspect_reason' : name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** Fields that `mirrorRowOf` reads. */
export const ROW_FIELDS = ['id', 'user_id', 'memory_id', 'vector_no', 'store_id']
const FIXED = ['id', 'user_id', 'memory_type', 'ts', 'chat_id', 'who', 'text', 'vector', 'hit_count', 'metadata']
const DYNAMIC = ['memory_id', 'vector_no', 'vector_model', 'store_id', 'shortened', 'suspect_reason', 'suspect_since']
/** Fields that `wholeRowOf` reads. */
export const WHOLE_FIELDS = [...FIXED, ...DYNAMIC, ...NAMES.map(fieldOf)]

type Fields = Readonly<Record<string, unknown>>

/** Dynamic fields come under $meta from a query and beside the others from a search. */
export function fieldsOf(row: unknown): Fields {
  const fields = record(row)
  return { ...fields, ...record(fields.$meta) }
}

export function mirrorRowOf(row: unknown): MirrorRow {
  const fields = fieldsOf(row)
  return {
    rowId: String(fields.id),
    userId: text(fields.user_id) ?? '',
    id: text(fields.memory_id) ?? '',
    version: whole(fields.vector_no) ?? 0,
    storeId: text(fields.store_id) ?? '',
  }
}

export function wholeRowOf(row: unknown): WholeMirrorRow {
  const fields = fieldsOf(row)
  const named = mirrorRowOf(row)
  const kind: VectorKind = word(fields.memory_type, VECTOR_KINDS) ?? 'semantic'
  const { rowId: _, ...own } = named
  const common: MirroredVector = {
    ...own,
    model: text(fields.vector_model) ?? '',
    vector: Float32Array.from(list(fields.vector), Number),
    kind,
    conversationId: text(fields.chat_id),
    who: text(fields.who),
    time: whole(fields.ts) ?? 0,
    text: typeof fields.text === 'string' ? fields.text : '',
  }
  return {
    ...named,
    record: kind === 'turn' ? common : { ...common, memory: memoryOf(fields, common) },
    shortened: texts(fields.shortened),
  }
}

function memoryOf(fields: Fields, { id, kind, conversationId, who, time, text: said }: MirroredVector): Memory {
  const reason = text(fields.suspect_reason)
  const metadata = record(fields.metadata)
  const read = Object.fromEntries(NAMES.map((name) => [name, READ[name](fields[fieldOf(name)], time)]))
  return {
    ...(read as Pick<Memory, keyof typeof READ>),
    ...{ id, text: said, conversationId, who, occurredAt: time, accessCount: whole(fields.hit_count) ?? 0 },
    memoryType: MEMORY_TYPES.find((type) => type === kind) ?? 'semantic',
    suspect: reason === null ? null : { reason, since: orTime(fields.suspect_since, time) },
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** INT64 comes as text; ours are times and counts, which a number holds exactly. */
function whole(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string')
}

function word<T extends string>(value: unknown, words: readonly T[]): T | null {
  return words.find((candidate) => candidate === value) ?? null
}

/** A row as it is sent: a value for each field of 002 but `id`, which Milvus gives, and ours in `$meta`. */
export interface SentRow {
  readonly user_id: string
  readonly memory_type: string
  /** Milliseconds since the epoch. */
  readonly ts: number
  readonly chat_id: string
  readonly who: string
  readonly text: string
  readonly vector: Float32Array
  readonly hit_count: number
  /** JSON. */
  readonly metadata: string
  readonly $meta: string
}

/** Dynamic fields that can be large, largest first: they go in this order when there is no room for all. */
const CUT_FIRST = ['value', 'sourceTurnIds', 'tags', 'suspect', 'externalId', 'key'] as const

export function rowOf(record: MirroredVector): SentRow {
  const shortened: string[] = []
  const text = beginning(record.text, TEXT_BYTES)
  if (text !== record.text) shortened.push('text')
  const metadata = JSON.stringify(record.memory?.metadata ?? {})
  const hasRoom = fits(metadata)
  if (!hasRoom) shortened.push('metadata')
  return {
    user_id: record.userId,
    memory_type: record.kind,
    ts: record.time,
    chat_id: record.conversationId ?? '',
    who: record.who ?? '',
    text,
    vector: record.vector,
    hit_count: record.memory?.accessCount ?? 0,
    metadata: hasRoom ? metadata : '{}',
    $meta: dynamicFields(record, shortened),
  }
}

function dynamicFields(record: MirroredVector, shortened: string[]): string {
  const { memory } = record
  const fields: Record<string, unknown> = {
    memory_id: record.id,
    vector_no: record.version,
    vector_model: record.model,
    store_id: record.storeId,
  }
  if (memory !== undefined) {
    const { reason = null, since = null } = memory.suspect ?? {}
    for (const name of NAMES) fields[fieldOf(name)] = memory[name] ?? null
    Object.assign(fields, { suspect_reason: reason, suspect_since: since })
  }
  for (const name of CUT_FIRST) {
    const json = JSON.stringify(shortened.length === 0 ? fields : { ...fields, shortened })
    if (fits(json)) return json
    const field = fieldOf(name)
    if (fields[field] === undefined || fields[field] === null) continue
    fields[field] = null
    shortened.push(name)
  }
  return JSON.stringify({ ...fields, shortened })
}

/** A character takes three bytes at most, so that most need not be counted. */
function fits(json: string): boolean {
  return json.length * 3 <= JSON_BYTES || Buffer.byteLength(json) <= JSON_BYTES
}

/** As much of the text as fits into so many bytes of UTF-8; no character is cut in two. */
export function beginning(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  const encoded = Buffer.from(text)
  let end = bytes
  // Bytes after the first of a character begin with the bits 10.
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end -= 1
  return encoded.subarray(0, end).toString()
}

/** Bytes that Milvus takes at most in one text. */
export const TEXT_BYTES = 65_535
/** Bytes of a JSON field, and of all dynamic fields of a row together. */
const JSON_BYTES = 65_536

/** An object, or an empty one. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A list, or an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
