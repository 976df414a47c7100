/**
 * How do a vector and its memory lie in a row? As the fields of 002, with ours as dynamic fields; values that are too
 * long are cut and named in `shortened`.
 */
import type { MirroredVector } from '../../domain/contracts/vector-mirror.ts'
import type { Memory } from '../../domain/memory.ts'
import { JSON_BYTES, TEXT_BYTES } from './collection.ts'

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
  /** JSON of the dynamic fields. */
  readonly $meta: string
}

type DynamicFields = Readonly<Record<string, unknown>>

/** Dynamic fields that say what 002 has no field for. */
export const MEMORY_FIELDS: Readonly<Record<string, (memory: Memory) => unknown>> = {
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

/** Dynamic fields that can be large, largest first: they go in this order when there is no room for all. */
const CUT_FIRST = ['value', 'source_turn_ids', 'tags', 'suspect_reason', 'external_id', 'key'] as const
/** The names of the fields above in a memory. */
const MEMORY_NAMES: Readonly<Record<string, keyof Memory>> = {
  value: 'value',
  source_turn_ids: 'sourceTurnIds',
  tags: 'tags',
  suspect_reason: 'suspect',
  external_id: 'externalId',
  key: 'key',
}

/** The row of a vector. */
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
    ...(memory === undefined ? {} : memoryFields(memory)),
  }
  for (const name of CUT_FIRST) {
    const json = JSON.stringify(shortened.length === 0 ? fields : { ...fields, shortened })
    if (fits(json)) return json
    if (fields[name] === undefined || fields[name] === null) continue
    fields[name] = null
    shortened.push(MEMORY_NAMES[name]!)
  }
  return JSON.stringify({ ...fields, shortened })
}

/** A character takes three bytes at most, so that most need not be counted. */
function fits(json: string): boolean {
  return json.length * 3 <= JSON_BYTES || Buffer.byteLength(json) <= JSON_BYTES
}

function memoryFields(memory: Memory): DynamicFields {
  return Object.fromEntries(Object.entries(MEMORY_FIELDS).map(([name, of]) => [name, of(memory)]))
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
