/** The rows of vectors and chunks: the casts of vector-index, and the numbers of kinds. */
import { VECTOR_KINDS, type VectorIdentity, type VectorKind } from '../../../domain/contracts/vector-index.ts'
import type { Row } from '../rows.ts'
import { bytes, number, text, textOrNull } from '../rows.ts'
import { type Chunk, factsOver, type SlotFacts } from './chunk.ts'

/** The model that the vectors come from, as its row says. */
export interface VectorSpace extends VectorIdentity {
  readonly spaceNo: number
  readonly chunkSlots: number
  readonly firstVector: number
  readonly firstChunk: number
  readonly turnsTo: number
}

/** A row of vector_spaces. */
export function spaceOf(row: Row): VectorSpace {
  return {
    spaceNo: number(row, 'space_no'),
    model: text(row, 'model'),
    dimension: number(row, 'dimension'),
    chunkSlots: number(row, 'chunk_slots'),
    firstVector: number(row, 'first_vector'),
    firstChunk: number(row, 'first_chunk'),
    turnsTo: number(row, 'turns_to'),
  }
}

/** A user's counters; all 0 for a user without a row. */
export interface VectorUser {
  readonly vectors: number
  readonly epoch: number
  readonly version: number
  readonly tailVersion: number
  readonly flushedTo: number
}

/** A row of vector_users; undefined: zeros. */
export function vectorUserOf(row: Row | undefined): VectorUser {
  if (row === undefined) return { vectors: 0, epoch: 0, version: 0, tailVersion: 0, flushedTo: 0 }
  return {
    vectors: number(row, 'vectors'),
    epoch: number(row, 'epoch'),
    version: number(row, 'version'),
    tailVersion: number(row, 'tail_version'),
    flushedTo: number(row, 'flushed_to'),
  }
}

/** The floats of a vector, as bytes for the database. */
export function floatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** The floats in a row's column. */
export function floatsOf(row: Row, column = 'floats'): Float32Array {
  const stored = bytes(row, column)
  const aligned = stored.byteOffset % 4 === 0 ? stored : stored.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}

/** A chunk in a row with `used`, `facts` and `codes`; its arrays are the row's own. */
export function chunkOf(row: Row): Chunk {
  const codes = bytes(row, 'codes')
  return {
    used: number(row, 'used'),
    facts: factsOver(bytes(row, 'facts')),
    codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
  }
}

/** The slot of the vector in a row. */
export function slotOf(row: Row): SlotFacts {
  return {
    vectorNo: number(row, 'vector_no'),
    time: number(row, 'time'),
    conversationId: textOrNull(row, 'conversation_id'),
    who: textOrNull(row, 'who'),
    kind: kindOf(row),
  }
}

/** The kind of the vector in a row. */
export function kindOf(row: Row): VectorKind {
  const kind = VECTOR_KINDS[number(row, 'kind')]
  if (kind === undefined) throw new TypeError('column kind holds no kind of vector')
  return kind
}
