/** The SQL of chunks and of a user's counters. Everything that writes is called in a write transaction. */
import type { Connection } from '../connection.ts'
import { number } from '../rows.ts'
import type { Chunk } from './chunk.ts'
import { chunkOf, type VectorUser, vectorUserOf } from './vector-rows.ts'

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
    'INSERT INTO vector_users (user_no, flushed_to) VALUES (?, ?) ON CONFLICT DO NOTHING',
    userNo,
    firstVector - 1,
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
    `INSERT INTO vector_chunks (user_no, version, first_vector, used, facts, codes) VALUES (?, ?, ?, ?, ?, ?)`,
    userNo,
    raiseVersion(connection, userNo),
    BigInt(chunk.facts.vectorNo[0]!),
    chunk.used,
    chunk.facts.blob,
    codesOf(chunk),
  )
}

/** Replaces a chunk; an empty one keeps its row, so that other processes notice. */
export function rewriteChunk(connection: Connection, userNo: number, chunkNo: number, chunk: Chunk): void {
  const empty = new Uint8Array(0)
  connection.run(
    'UPDATE vector_chunks SET version = ?, used = ?, facts = ?, codes = ? WHERE chunk_no = ?',
    raiseVersion(connection, userNo),
    chunk.used,
    chunk.used === 0 ? empty : chunk.facts.blob,
    chunk.used === 0 ? empty : codesOf(chunk),
    chunkNo,
  )
}

function codesOf({ codes }: Chunk): Uint8Array {
  return new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)
}

function raiseVersion(connection: Connection, userNo: number): number {
  const row = connection.get(
    'UPDATE vector_users SET version = version + 1 WHERE user_no = ? RETURNING version',
    userNo,
  )
  if (row === undefined) throw new TypeError(`user ${userNo} has chunks of vectors but no row in vector_users`)
  return number(row, 'version')
}
