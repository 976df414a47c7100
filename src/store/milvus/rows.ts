/** A row of Milvus as it is sent and read: the fields of 002, and ours beside them as dynamic ones. */
import {
  type MirroredVector,
  type MirrorRow,
  VECTOR_KINDS,
  type VectorKind,
  type WholeMirrorRow,
} from '../../domain/contracts/vector-index.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../../domain/memory.ts'

/** Dynamic fields that say what 002 has no field for. */
const MEMORY_FIELDS: Readonly<Record<string, (memory: Memory) => unknown>> = {
  category: ({ category }) => category,
  key: ({ key }) => key,
  value: ({ value }) => value ?? null,
  tags: ({ tags }) => tags,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  confidence: ({ confidence }) => confidence,
  source: ({ source }) => source,
  importance: ({ importance }) => importance,
  last_accessed: ({ lastAccessed }) => lastAccessed,
  valid_from: ({ validFrom }) => validFrom,
  valid_to: ({ validTo }) => validTo,
  superseded_by: ({ supersededBy }) => supersededBy,
  suspect_reason: ({ suspect }) => suspect?.reason ?? null,
  suspect_since: ({ suspect }) => suspect?.since ?? null,
  source_turn_ids: ({ sourceTurnIds }) => sourceTurnIds,
  external_id: ({ externalId }) => externalId,
  project_root: ({ projectRoot }) => projectRoot,
}

/** Fields that `mirrorRowOf` reads. */
export const ROW_FIELDS = ['id', 'user_id', 'memory_id', 'vector_no', 'store_id']
const FIXED = ['id', 'user_id', 'memory_type', 'ts', 'chat_id', 'who', 'text', 'vector', 'hit_count', 'metadata']
const DYNAMIC = ['memory_id', 'vector_no', 'vector_model', 'store_id', 'shortened', ...Object.keys(MEMORY_FIELDS)]
/** Fields that `wholeRowOf` reads. */
export const WHOLE_FIELDS = [...FIXED, ...DYNAMIC]

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
  const common: MirroredVector = {
    userId: named.userId,
    id: named.id,
    version: named.version,
    storeId: named.storeId,
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
  return {
    id,
    memoryType: MEMORY_TYPES.find((type) => type === kind) ?? 'semantic',
    text: said,
    category: word(fields.category, CATEGORIES) ?? 'fact',
    key: text(fields.key),
    value: fields.value ?? null,
    tags: texts(fields.tags),
    conversationId,
    who,
    occurredAt: time,
    createdAt: whole(fields.created_at) ?? time,
    updatedAt: whole(fields.updated_at) ?? time,
    confidence: typeof fields.confidence === 'number' ? fields.confidence : 1,
    source: word(fields.source, MEMORY_SOURCES) ?? 'system',
    importance: whole(fields.importance) ?? 0,
    accessCount: whole(fields.hit_count) ?? 0,
    lastAccessed: whole(fields.last_accessed),
    validFrom: whole(fields.valid_from) ?? time,
    validTo: whole(fields.valid_to),
    supersededBy: text(fields.superseded_by),
    suspect: reason === null ? null : { reason, since: whole(fields.suspect_since) ?? time },
    sourceTurnIds: list(fields.source_turn_ids).filter((turn) => typeof turn === 'number'),
    externalId: text(fields.external_id),
    metadata: metadataOf(fields.metadata),
    projectRoot: text(fields.project_root),
  }
}

function metadataOf(value: unknown): Memory['metadata'] {
  const found = record(value)
  return Object.keys(found).length === 0 ? null : found
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
const CUT_FIRST: Readonly<Record<string, keyof Memory>> = {
  value: 'value',
  source_turn_ids: 'sourceTurnIds',
  tags: 'tags',
  suspect_reason: 'suspect',
  external_id: 'externalId',
  key: 'key',
}

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
    ...(memory === undefined
      ? {}
      : Object.fromEntries(Object.entries(MEMORY_FIELDS).map(([name, of]) => [name, of(memory)]))),
  }
  for (const [name, ofMemory] of Object.entries(CUT_FIRST)) {
    const json = JSON.stringify(shortened.length === 0 ? fields : { ...fields, shortened })
    if (fits(json)) return json
    if (fields[name] === undefined || fields[name] === null) continue
    fields[name] = null
    shortened.push(ofMemory)
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
