/**
 * What does a row of the collection say? Other programs may write rows, so missing or mistyped values count as absent,
 * and a row not from Mneme has an empty store.
 */

import { VECTOR_KINDS, type VectorKind } from '../../domain/contracts/vector-index.ts'
import type { MirroredVector, MirrorRow, WholeMirrorRow } from '../../domain/contracts/vector-mirror.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../../domain/memory.ts'
import { list, record } from './collection.ts'
import { MEMORY_FIELDS } from './write-row.ts'

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

/** The vector that a row belongs to. */
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

/** The whole content of a row. */
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
