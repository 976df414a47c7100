/** The rows of vectors, chunks and a user's counters. Everything that writes is called in a write transaction. */

import { VECTOR_KINDS, type VectorIdentity, type VectorKind } from '../../../domain/contracts/vector-index.ts'
import type { Connection } from '../file/connection.ts'
import { bytes, number, type Row, text, textOrNull } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import { type Chunk, factsOver, type SlotFacts } from './chunk.ts'

/** A chunk with its row. */
export interface StoredChunk {
  readonly chunkNo: number
  /** Number of its first vector when it was made, even if that was removed. */
  readonly firstVector: number
  readonly chunk: Chunk
}

/** A user's counters; of a user without vectors those of nobody. */
export function readVectorUser(connection: Connection, userNo: number): VectorUser {
  return vectorUserOf(connection.get('SELECT * FROM vector_users WHERE user_no = ?', userNo))
}

/** Makes the user's row, once. */
export function ensureVectorUser(connection: Connection, userNo: number, firstVector: number): void {
  connection.run(
    sql`INSERT INTO vector_users (user_no, flushed_to) VALUES (${userNo}, ${firstVector - 1}) ON CONFLICT DO NOTHING`,
  )
}

/** The chunk that a vector older than the tail lies in; undefined when it is gone. */
export function chunkHolding(connection: Connection, userNo: number, vectorNo: number): StoredChunk | undefined {
  return readOne(connection, userNo, 'first_vector <= ?', vectorNo)
}

/** The chunk before this one, empty ones passed over. */
export function chunkBefore(connection: Connection, userNo: number, firstVector: number): StoredChunk | undefined {
  return readOne(connection, userNo, 'first_vector < ?', firstVector)
}

function readOne(connection: Connection, userNo: number, where: string, bound: number): StoredChunk | undefined {
  const row = connection.get(
    `SELECT chunk_no, first_vector, used, facts, codes FROM vector_chunks INDEXED BY vector_chunks_first
     WHERE user_no = ? AND ${where} AND used > 0 ORDER BY first_vector DESC LIMIT 1`,
    userNo,
    BigInt(bound),
  )
  return row === undefined
    ? undefined
    : { chunkNo: number(row, 'chunk_no'), firstVector: number(row, 'first_vector'), chunk: chunkOf(row) }
}

/** Writes a full new chunk behind the others. */
export function insertChunk(connection: Connection, userNo: number, chunk: Chunk): void {
  connection.run(
    sql`INSERT INTO vector_chunks (user_no, version, first_vector, used, facts, codes)
      VALUES (${userNo}, ${raiseVersion(connection, userNo)}, ${BigInt(chunk.facts.vectorNo[0]!)}, ${chunk.used},
      ${chunk.facts.blob}, ${codesOf(chunk)})`,
  )
}

/** Replaces a chunk; an empty one keeps its row, so that other processes notice. */
export function rewriteChunk(connection: Connection, userNo: number, chunkNo: number, chunk: Chunk): void {
  const empty = new Uint8Array(0)
  connection.run(
    sql`UPDATE vector_chunks SET version = ${raiseVersion(connection, userNo)}, used = ${chunk.used},
      facts = ${chunk.used === 0 ? empty : chunk.facts.blob}, codes = ${chunk.used === 0 ? empty : codesOf(chunk)}
      WHERE chunk_no = ${chunkNo}`,
  )
}

function codesOf({ codes }: Chunk): Uint8Array {
  return new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)
}

function raiseVersion(connection: Connection, userNo: number): number {
  const row = connection.get(
    sql`UPDATE vector_users SET version = version + 1 WHERE user_no = ${userNo} RETURNING version`,
  )
  if (row === undefined) throw new TypeError(`user ${userNo} has chunks of vectors but no row in vector_users`)
  return number(row, 'version')
}

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
interface VectorUser {
  readonly vectors: number
  readonly epoch: number
  readonly version: number
  readonly tailVersion: number
  readonly flushedTo: number
}

/** A row of vector_users; undefined: zeros. */
function vectorUserOf(row: Row | undefined): VectorUser {
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
