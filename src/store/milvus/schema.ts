/**
 * The collection of specification 002, R1.2, and whether one that is there already is it. Fields of ours beyond those of
 * the specification are dynamic, so that any program made for the specification's collection can read and filter it.
 */
import type { ResolvedMilvusOptions } from './options.ts'
import type { SdkAnswer } from './sdk.ts'

/** Bytes that Milvus takes at most in one text. */
export const TEXT_BYTES = 65_535
/** Bytes of a JSON field, and of all dynamic fields of a row together. */
export const JSON_BYTES = 65_536
/** 1,024 characters of four bytes. */
const ID_BYTES = 4096
const KIND_BYTES = 32

/** A field as it is wanted; the names of types are those of Milvus. */
export interface WantedField {
  readonly name: string
  readonly data_type: 'Int64' | 'VarChar' | 'FloatVector' | 'JSON'
  readonly is_primary_key?: boolean
  readonly autoID?: boolean
  readonly is_partition_key?: boolean
  readonly max_length?: number
  readonly dim?: number
}

/** The fields, in the order of the specification. */
export function wantedFields(dimension: number, partitionByUser: boolean): readonly WantedField[] {
  return [
    { name: 'id', data_type: 'Int64', is_primary_key: true, autoID: true },
    {
      name: 'user_id',
      data_type: 'VarChar',
      max_length: ID_BYTES,
      ...(partitionByUser ? { is_partition_key: true } : {}),
    },
    { name: 'memory_type', data_type: 'VarChar', max_length: KIND_BYTES },
    { name: 'ts', data_type: 'Int64' },
    { name: 'chat_id', data_type: 'VarChar', max_length: ID_BYTES },
    { name: 'who', data_type: 'VarChar', max_length: ID_BYTES },
    { name: 'text', data_type: 'VarChar', max_length: TEXT_BYTES },
    { name: 'vector', data_type: 'FloatVector', dim: dimension },
    { name: 'hit_count', data_type: 'Int64' },
    { name: 'metadata', data_type: 'JSON' },
  ]
}

/** A field as the server describes it. */
interface DescribedField {
  readonly name?: unknown
  readonly data_type?: unknown
  readonly is_primary_key?: unknown
  readonly autoID?: unknown
  readonly max_length?: unknown
  readonly dim?: unknown
  readonly nullable?: unknown
}

/**
 * Every way in which the collection is not what is wanted, as sentences; empty when it fits. A null dimension fits any;
 * a longer text than wanted, and another kind of index, fit too. A field besides ours must not be there: a row would
 * lack it.
 */
export function differences(
  description: SdkAnswer,
  index: SdkAnswer | null,
  dimension: number | null,
  options: Pick<ResolvedMilvusOptions, 'metric' | 'index'>,
): readonly string[] {
  const schema = record(description.schema)
  const present = new Map(
    list(schema.fields).map((field) => [String(record(field).name), record(field) as DescribedField]),
  )
  const wanted = wantedFields(dimension ?? 0, false)
  const found = wanted.flatMap((field) => fieldDifferences(field, present.get(field.name), dimension))
  const names = new Set(wanted.map(({ name }) => name))
  const others = [...present.keys()].filter((name) => !names.has(name) && name !== '$meta')
  return [
    ...found,
    ...others.map((name) => `${name}: is a field that 002 does not name`),
    ...(schema.enable_dynamic_field === true ? [] : ['dynamic fields: are off, wanted on']),
    ...(index === null ? [] : indexDifferences(index, options)),
  ]
}

function fieldDifferences(
  wanted: WantedField,
  present: DescribedField | undefined,
  dimension: number | null,
): readonly string[] {
  const { name, data_type: type } = wanted
  if (present === undefined) return [`${name}: is missing, wanted ${type}`]
  if (present.data_type !== type) return [`${name}: is ${present.data_type}, wanted ${type}`]
  const said: string[] = []
  if (wanted.is_primary_key === true && present.is_primary_key !== true) said.push(`${name}: is not the primary key`)
  if (wanted.autoID === true && present.autoID !== true) said.push(`${name}: auto_id is off, wanted on`)
  if (wanted.max_length !== undefined && Number(present.max_length) < wanted.max_length)
    said.push(`${name}: takes ${present.max_length} bytes, wanted ${wanted.max_length}`)
  if (type === 'FloatVector' && dimension !== null && Number(present.dim) !== dimension)
    said.push(`${name}: has ${present.dim} dimensions, wanted ${dimension}`)
  return said
}

function indexDifferences(index: SdkAnswer, { metric, index: type }: Pick<ResolvedMilvusOptions, 'metric' | 'index'>) {
  const settings = indexSettings(index)
  if (settings === null) return []
  return [
    ...(settings.metric === metric ? [] : [`metric: is ${settings.metric}, wanted ${metric}`]),
    ...(type === undefined || settings.type === type ? [] : [`index: is ${settings.type}, wanted ${type}`]),
  ]
}

/** Kind and metric of the index over the vectors; null when there is none yet. */
export function indexSettings(index: SdkAnswer): { readonly type: string; readonly metric: string } | null {
  const ofVectors = list(index.index_descriptions)
    .map(record)
    .find(({ field_name }) => field_name === 'vector')
  if (ofVectors === undefined) return null
  const settings = new Map(list(ofVectors.params).map((pair) => [record(pair).key, String(record(pair).value)]))
  return { type: settings.get('index_type') ?? '', metric: settings.get('metric_type') ?? '' }
}

/** The number of dimensions of a collection that is there. */
export function dimensionOf(description: SdkAnswer): number {
  const fields = list(record(description.schema).fields).map(record)
  return Number(fields.find(({ name }) => name === 'vector')?.dim)
}

/** An object, or an empty one. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A list, or an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
