/** A chunk of one user's vectors: blobs `codes` (a byte a dimension) and `facts` (44 bytes a slot); and the spaces. */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import { VECTOR_KINDS, type VectorIdentity, type VectorKind } from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import { termKey } from '../../segments/term-filter.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { patiently, writePatiently } from '../file/patient.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { bytes, number, type Row, text, textOrNull } from '../file/rows.ts'
import { quantize, strideOf } from './quantize.ts'

const FACT_BYTES = 44
/** Approximate size of a chunk, which a removal rewrites and a search reads as a whole. */
const CHUNK_BYTES = 98_304
const FEWEST_SLOTS = 16
const MOST_SLOTS = 256

/** Slots of a chunk for vectors of this many bytes: a multiple of four, as the kernel wants it. */
function slotsFor(stride: number): number {
  return Math.max(FEWEST_SLOTS, Math.min(MOST_SLOTS, 4 * Math.floor(CHUNK_BYTES / stride / 4)))
}

/** Columns over the facts of a chunk, by slot. */
export interface Facts {
  readonly blob: Uint8Array
  /** vectors.vector_no, ascending. */
  readonly vectorNo: Float64Array
  /** Milliseconds since the epoch. */
  readonly time: Float64Array
  /** `filterKey` of the conversation. */
  readonly conversation: Float64Array
  /** `filterKey` of who. */
  readonly who: Float64Array
  readonly scale: Float32Array
  readonly error: Float32Array
  /** Place in VECTOR_KINDS. */
  readonly kind: Uint32Array
}

/** Columns over a blob, or over room for `slots` vectors. */
function factsOver(stored: Uint8Array): Facts {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const blob = stored.byteOffset % 8 === 0 ? stored : stored.slice()
  const slots = blob.byteLength / FACT_BYTES
  const { buffer, byteOffset: start } = blob
  return {
    blob,
    vectorNo: new Float64Array(buffer, start, slots),
    time: new Float64Array(buffer, start + slots * 8, slots),
    conversation: new Float64Array(buffer, start + slots * 16, slots),
    who: new Float64Array(buffer, start + slots * 24, slots),
    scale: new Float32Array(buffer, start + slots * 32, slots),
    error: new Float32Array(buffer, start + slots * 36, slots),
    kind: new Uint32Array(buffer, start + slots * 40, slots),
  }
}

/** A chunk in memory that can be changed. */
export interface Chunk {
  used: number
  readonly facts: Facts
  readonly codes: Int8Array
}

/** An empty chunk. */
export function newChunk(slots: number, stride: number): Chunk {
  return { used: 0, facts: factsOver(new Uint8Array(slots * FACT_BYTES)), codes: new Int8Array(slots * stride) }
}

/** The content of a slot. */
export interface SlotFacts {
  readonly vectorNo: number
  readonly time: number
  readonly conversationId: string | null
  readonly who: string | null
  readonly kind: VectorKind
}

/** The number for a name in the facts; 0 for none, which no name has. */
export function filterKey(name: string | null): number {
  return name === null ? 0 : termKey(name) + 1
}

/** Puts a vector behind the last. */
export function pushSlot(chunk: Chunk, slot: SlotFacts, vector: Float32Array): void {
  const at = chunk.used
  const { facts, codes } = chunk
  const { scale, error } = quantize(vector, codes, at * (codes.length / facts.vectorNo.length))
  facts.vectorNo[at] = slot.vectorNo
  facts.time[at] = slot.time
  facts.conversation[at] = filterKey(slot.conversationId)
  facts.who[at] = filterKey(slot.who)
  facts.scale[at] = scale
  facts.error[at] = error
  facts.kind[at] = VECTOR_KINDS.indexOf(slot.kind)
  chunk.used = at + 1
}

/** Appends the slots `keep` accepts of one chunk to another. */
export function copySlots(from: Chunk, to: Chunk, keep: (vectorNo: number) => boolean): void {
  const stride = from.codes.length / from.facts.vectorNo.length
  for (let slot = 0; slot < from.used; slot += 1) {
    if (!keep(from.facts.vectorNo[slot]!)) continue
    const at = to.used
    to.codes.set(from.codes.subarray(slot * stride, (slot + 1) * stride), at * stride)
    for (const column of ['vectorNo', 'time', 'conversation', 'who', 'scale', 'error', 'kind'] as const)
      to.facts[column][at] = from.facts[column][slot]!
    to.used = at + 1
  }
}

/** A chunk with its row. */
interface StoredChunk {
  readonly chunkNo: number
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
  return (
    connection.one(
      (row) => ({ chunkNo: number(row, 'chunk_no'), chunk: chunkOf(row) }),
      `SELECT chunk_no, used, facts, codes FROM vector_chunks INDEXED BY vector_chunks_first
       WHERE user_no = ? AND first_vector <= ? AND used > 0 ORDER BY first_vector DESC LIMIT 1`,
      userNo,
      BigInt(vectorNo),
    ) ?? undefined
  )
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

function spaceOf(row: Row): VectorSpace {
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

export function slotOf(row: Row): SlotFacts {
  return {
    vectorNo: number(row, 'vector_no'),
    time: number(row, 'time'),
    conversationId: textOrNull(row, 'conversation_id'),
    who: textOrNull(row, 'who'),
    kind: kindOf(row),
  }
}

export function kindOf(row: Row): VectorKind {
  const kind = VECTOR_KINDS[number(row, 'kind')]
  if (kind === undefined) throw new TypeError('column kind holds no kind of vector')
  return kind
}

const CHUNKS_A_PIECE = 16
const VECTORS_A_PIECE = 500

/** The space that counts now; undefined before the first. */
export function readSpace(connection: Connection): VectorSpace | undefined {
  return connection.one(spaceOf, 'SELECT * FROM vector_spaces ORDER BY space_no DESC LIMIT 1') ?? undefined
}

/** Makes this identity the one that counts. Call it in a write transaction. */
export function beginSpace(connection: Connection, { model, dimension }: VectorIdentity): 'new' | 'kept' | 'changed' {
  connection.exec('CREATE INDEX IF NOT EXISTS memories_vector_space ON memories(vector_space)')
  const before = readSpace(connection)
  if (before !== undefined && before.model === model && before.dimension === dimension) return 'kept'
  connection.run(sql`INSERT INTO vector_spaces (model, dimension, chunk_slots, first_vector, first_chunk)
     SELECT ${model}, ${dimension}, ${slotsFor(strideOf(dimension))},
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0) + 1,
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vector_chunks'), 0) + 1`)
  if (before === undefined) return 'new'
  connection.run(
    `UPDATE vector_users SET vectors = 0, epoch = epoch + 1, tail_version = tail_version + 1,
       flushed_to = (SELECT max(first_vector) - 1 FROM vector_spaces)`,
  )
  return 'changed'
}

/** See StoredVectorIndex.discardOld. */
export async function discardOldSpaces(connection: Connection, { signal, onProgress }: Work = {}): Promise<number> {
  const space = readSpace(connection)
  if (space === undefined) return 0
  const { firstChunk, firstVector, spaceNo } = space
  for (;;) {
    const gone = await removeBelow(connection, 'vector_chunks', 'chunk_no', firstChunk, CHUNKS_A_PIECE)
    if (gone === 0) break
    await breathe(signal)
  }
  let removed = 0
  for (;;) {
    const gone = await removeBelow(connection, 'vectors', 'vector_no', firstVector, VECTORS_A_PIECE)
    if (gone === 0) break
    removed += gone
    onProgress?.(removed, null)
    await breathe(signal)
  }
  await writePatiently(connection, () => connection.run('DELETE FROM vector_spaces WHERE space_no < ?', spaceNo))
  return removed
}

async function removeBelow(
  connection: Connection,
  table: string,
  column: string,
  first: number,
  most: number,
): Promise<number> {
  const found = connection.get(
    sql`SELECT count(*) AS found FROM (SELECT 1 FROM ${raw(table)} WHERE ${raw(column)} < ${BigInt(first)} LIMIT 1)`,
  )
  if (found === undefined || number(found, 'found') === 0) return 0
  await patiently(connection, () => noteWipeDue(connection))
  return writePatiently(
    connection,
    () =>
      connection.run(sql`DELETE FROM ${raw(table)} WHERE ${raw(column)} IN
           (SELECT ${raw(column)} FROM ${raw(table)} WHERE ${raw(column)} < ${BigInt(first)} ORDER BY ${raw(column)}
           LIMIT ${most})`).changes,
  )
}
