/** How does a question become a Search message of Milvus's gRPC interface, and what does its answer say of the rows? */
import { LENGTH, tag, VARINT, varint } from './protobuf.ts'
import { list, record } from './schema.ts'
import type { SdkAnswer } from './sdk.ts'

/** A question for the nearest rows. */
export interface SearchQuestion {
  readonly collection: string
  readonly vector: Float32Array
  readonly metric: string
  readonly limit: number
  readonly filter: string
  /** Of the index: `ef`, `nprobe` … */
  readonly params: Readonly<Record<string, number>>
  readonly outputFields: readonly string[]
  readonly consistency: 'Strong' | 'Bounded'
}

/** schema.DataType of the vectors, and common.DslType of the filters. */
const FLOAT_VECTOR = 101
const BOOLEAN_EXPRESSION = 1
/** Field numbers: PlaceholderGroup.placeholders, and those of PlaceholderValue. */
const PLACEHOLDERS = 1
const PLACEHOLDER = { tag: 1, type: 2, values: 3 }
const NAME = Buffer.from('$0')

/** A SearchRequest, as an object that the SDK can encode. */
export function searchRequest(question: SearchQuestion): object {
  const { collection, vector, metric, limit, filter, params, outputFields, consistency } = question
  const settings = { anns_field: 'vector', topk: limit, metric_type: metric, params: JSON.stringify(params), offset: 0 }
  return {
    collection_name: collection,
    dsl: filter,
    dsl_type: BOOLEAN_EXPRESSION,
    placeholder_group: placeholderGroup(vector),
    nq: 1,
    output_fields: outputFields,
    search_params: Object.entries({ ...settings, ...params }).map(([key, value]) => ({ key, value: String(value) })),
    consistency_level: consistency,
  }
}

/** The rows of a SearchResults message: a score and the asked fields each, in the order in which they came. */
export function foundRows(answer: SdkAnswer): readonly Readonly<Record<string, unknown>>[] {
  const { scores, fields_data: columns } = record(answer.results)
  const rows = list(scores).map((score): Record<string, unknown> => ({ score }))
  for (const column of list(columns).map(record)) {
    const values = valuesOf(column)
    for (const [at, row] of rows.entries())
      if (column.is_dynamic === true || column.field_name === '$meta') Object.assign(row, record(values[at]))
      else row[String(column.field_name)] = values[at]
  }
  return rows
}

/** The vector as the one placeholder `$0` of a PlaceholderGroup. */
function placeholderGroup(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  const head = [
    ...tag(PLACEHOLDER.tag, LENGTH),
    ...varint(NAME.length),
    ...NAME,
    ...tag(PLACEHOLDER.type, VARINT),
    ...varint(FLOAT_VECTOR),
    ...tag(PLACEHOLDER.values, LENGTH),
    ...varint(bytes.length),
  ]
  const outer = [...tag(PLACEHOLDERS, LENGTH), ...varint(head.length + bytes.length)]
  return Buffer.concat([Buffer.from([...outer, ...head]), bytes])
}

/** The one list of values that a FieldData holds. */
function valuesOf(column: Readonly<Record<string, unknown>>): readonly unknown[] {
  const scalars = record(column.scalars)
  const json = record(scalars.json_data).data
  if (json !== undefined) return list(json).map((bytes) => JSON.parse(String(bytes)) as unknown)
  const data = ['string_data', 'long_data', 'int_data'].map((name) => record(scalars[name]).data)
  return list(data.find((values) => values !== undefined))
}
