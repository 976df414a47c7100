/**
 * How do rows become one Insert message of Milvus's gRPC interface? The SDK's own insert copies each vector several times,
 * twice as JSON; here the columns of text and numbers are encoded by the SDK, and the vectors follow as the bytes that
 * they are, since the parts of a repeated field may stand anywhere in a protobuf message.
 */
import { LENGTH, tag, VARINT, varint } from './protobuf.ts'
import { wantedFields } from './schema.ts'
import type { SentRow } from './write-row.ts'

/** Field numbers: InsertRequest.fields_data, and those of FieldData, VectorField and FloatArray. */
const FIELDS_DATA = 5
const FIELD = { type: 1, name: 2, vectors: 4 }
const VECTORS = { dimension: 1, floats: 2 }
const FLOATS = 1
/** schema.DataType */
const FLOAT_VECTOR = 101
const NAME = Buffer.from('vector')

/** The columns besides the vectors, as the SDK encodes them. */
export function scalarColumns(rows: readonly SentRow[]): readonly object[] {
  const columns = wantedFields(0, false).filter(({ name }) => name !== 'id' && name !== 'vector')
  return [...columns, { name: '$meta', data_type: 'JSON' } as const].map(({ name, data_type: type }) => {
    const values = rows.map((row) => row[name as keyof SentRow])
    const column = { type, field_name: name, is_dynamic: name === '$meta' }
    if (type === 'Int64') return { ...column, scalars: { long_data: { data: values } } }
    if (type === 'VarChar') return { ...column, scalars: { string_data: { data: values } } }
    return { ...column, scalars: { json_data: { data: values.map((json) => Buffer.from(String(json))) } } }
  })
}

/**
 * The encoded request with the vectors behind it.
 * @param request an InsertRequest without them
 */
export function withVectors(request: Uint8Array, rows: readonly SentRow[]): Buffer {
  const dimension = rows[0]?.vector.length ?? 0
  const bytes = rows.length * dimension * 4
  const floats = [...tag(FLOATS, LENGTH), ...varint(bytes)]
  const vectors = [
    ...tag(VECTORS.dimension, VARINT),
    ...varint(dimension),
    ...tag(VECTORS.floats, LENGTH),
    ...varint(floats.length + bytes),
    ...floats,
  ]
  const field = [
    ...tag(FIELD.type, VARINT),
    ...varint(FLOAT_VECTOR),
    ...tag(FIELD.name, LENGTH),
    ...varint(NAME.length),
    ...NAME,
    ...tag(FIELD.vectors, LENGTH),
    ...varint(vectors.length + bytes),
    ...vectors,
  ]
  const head = [...tag(FIELDS_DATA, LENGTH), ...varint(field.length + bytes), ...field]
  const message = Buffer.allocUnsafe(request.length + head.length + bytes)
  message.set(request)
  message.set(head, request.length)
  let at = request.length + head.length
  for (const { vector } of rows) {
    message.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), at)
    at += vector.byteLength
  }
  return message
}
