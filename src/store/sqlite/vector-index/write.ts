/** Adds vectors: a new one is a row of the tail, of which the oldest become a chunk when there are enough. */
import { createHash } from 'node:crypto'
import { VECTOR_KINDS, type VectorRecord } from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from '../file/connection.ts'
import { writePatiently } from '../file/patient.ts'
import { number } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import {
  type Chunk,
  chunkBefore,
  chunkHolding,
  copySlots,
  ensureVectorUser,
  floatBytes,
  floatsOf,
  insertChunk,
  newChunk,
  pushSlot,
  readVectorUser,
  rewriteChunk,
  type StoredChunk,
  slotOf,
  type VectorSpace,
} from './chunk.ts'
import { readTurnText, takeTurnsBack, turnVectorId } from './pending.ts'
import { strideOf } from './quantize.ts'
import { readSpace } from './spaces.ts'

/** The hash by which a text is found again. */
export function textHash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}

/** Writes checked records, each id once. Call it in a write transaction. */
export function writeVectors(
  connection: Connection,
  userNo: number,
  space: VectorSpace,
  records: readonly VectorRecord[],
): void {
  ensureVectorUser(connection, userNo, space.firstVector)
  const wanted = records.filter((record) => isStillSaid(connection, userNo, record))
  forgetReplaced(connection, userNo, space, wanted)
  for (const record of wanted) {
    connection.run(sql`INSERT INTO vectors (user_no, id, kind, conversation_id, who, time, text_hash, floats)
       VALUES (${userNo}, ${record.id}, ${VECTOR_KINDS.indexOf(record.kind)}, ${record.conversationId}, ${record.who},
       ${BigInt(Math.trunc(record.time))}, ${record.text === undefined ? null : textHash(record.text)},
       ${floatBytes(record.vector)})`)
    if (record.kind !== 'turn')
      connection.run(
        sql`UPDATE memories SET vector_space = ${space.spaceNo} WHERE user_no = ${userNo} AND id = ${record.id}`,
      )
  }
  connection.run('UPDATE vector_users SET vectors = vectors + ? WHERE user_no = ?', wanted.length, userNo)
  while (flushOne(connection, userNo, space)) {
    // Chunks are made one by one, until the rest is less than one.
  }
}

/** Was the memory or turn edited or removed since its text was read? */
function isStillSaid(connection: Connection, userNo: number, { id, kind, text }: VectorRecord): boolean {
  if (text === undefined) return true
  if (kind === 'turn') return readTurnText(connection, userNo, Number(id.slice(id.indexOf(':') + 1))) === text
  return connection.get('SELECT text FROM memories WHERE user_no = ? AND id = ?', userNo, id)?.text === text
}

/** Chunks of an earlier model are removed as a whole, so that nothing is cut out of them here. */
function forgetReplaced(
  connection: Connection,
  userNo: number,
  { firstVector }: VectorSpace,
  records: readonly VectorRecord[],
): void {
  const present: string[] = []
  for (const { id } of records) {
    const row = connection.get('SELECT vector_no FROM vectors WHERE user_no = ? AND id = ?', userNo, id)
    if (row === undefined) continue
    const vectorNo = number(row, 'vector_no')
    if (vectorNo >= firstVector) present.push(id)
    else connection.run('DELETE FROM vectors WHERE vector_no = ?', vectorNo)
  }
  eraseVectors(connection, userNo, present)
}

/** Makes the oldest of the tail a chunk; false when there are too few. Call it in a write transaction. */
function flushOne(connection: Connection, userNo: number, { chunkSlots, dimension }: VectorSpace): boolean {
  const { flushedTo } = readVectorUser(connection, userNo)
  const waiting = connection.get(sql`SELECT count(*) AS n FROM
       (SELECT 1 FROM vectors INDEXED BY vectors_user WHERE user_no = ${userNo} AND vector_no > ${BigInt(flushedTo)}
       LIMIT ${chunkSlots})`)
  if (waiting === undefined || number(waiting, 'n') < chunkSlots) return false
  const chunk = newChunk(chunkSlots, strideOf(dimension))
  const rows = connection.all(`${TAIL_ROWS} LIMIT ${chunkSlots}`, userNo, BigInt(flushedTo))
  for (const row of rows) pushSlot(chunk, slotOf(row), floatsOf(row))
  insertChunk(connection, userNo, chunk)
  connection.run(
    sql`UPDATE vector_users SET flushed_to = ${BigInt(chunk.facts.vectorNo[chunk.used - 1]!)}, tail_version =
      tail_version + 1 WHERE user_no = ${userNo}`,
  )
  return true
}

/** Rows of a user newer than a number, in order: what pushSlot needs of each. */
export const TAIL_ROWS = `SELECT vector_no, time, conversation_id, who, kind, floats FROM vectors
  INDEXED BY vectors_user WHERE user_no = ? AND vector_no > ? ORDER BY vector_no`

const CHUNKS_A_PIECE = 16

/** Rebuilds the chunks; vectors in no chunk belong to the tail, so that searches in between are right, only slower. */
export async function rebuildChunks(connection: Connection, userNo: number, signal?: AbortSignal): Promise<void> {
  const space = readSpace(connection)
  if (space === undefined) return
  await writePatiently(connection, () => {
    connection.run('DELETE FROM vector_chunks WHERE user_no = ? AND chunk_no >= ?', userNo, BigInt(space.firstChunk))
    connection.run(
      `UPDATE vector_users SET epoch = epoch + 1, tail_version = tail_version + 1, flushed_to = ?2,
         vectors = (SELECT count(*) FROM vectors WHERE user_no = ?1 AND vector_no > ?2) WHERE user_no = ?1`,
      userNo,
      BigInt(space.firstVector - 1),
    )
  })
  let more = true
  while (more) {
    more = await writePatiently(connection, () => {
      const now = readSpace(connection)
      if (now?.spaceNo !== space.spaceNo) return false
      for (let done = 0; done < CHUNKS_A_PIECE; done += 1) if (!flushOne(connection, userNo, space)) return false
      return true
    })
    await breathe(signal)
  }
}

/** Removes the vectors of these ids, of any model; the number of the present one's. Inside the removing write. */
export function eraseVectors(connection: Connection, userNo: number, ids: readonly string[]): number {
  const numbers: number[] = []
  for (const id of ids) {
    const row = connection.get('DELETE FROM vectors WHERE user_no = ? AND id = ? RETURNING vector_no', userNo, id)
    if (row !== undefined) numbers.push(number(row, 'vector_no'))
  }
  if (numbers.length === 0) return 0
  const { flushedTo } = readVectorUser(connection, userNo)
  const { firstVector = 1, firstChunk = 1 } = readSpace(connection) ?? {}
  eraseFromChunks(
    connection,
    userNo,
    firstChunk,
    numbers.filter((vectorNo) => vectorNo <= flushedTo),
  )
  const present = numbers.filter((vectorNo) => vectorNo >= firstVector).length
  const tail = numbers.some((vectorNo) => vectorNo > flushedTo) ? 1 : 0
  connection.run(
    sql`UPDATE vector_users SET vectors = vectors - ${present}, tail_version = tail_version + ${tail}
      WHERE user_no = ${userNo}`,
  )
  return present
}

/** A removed turn: its row, and its place, by which the turn after it is found. */
interface GoneTurn {
  readonly row: number
  /** turns.conversation_id */
  readonly conversationKey: string
  readonly turnNumber: number
}

/** Removes vectors of removed turns and of their successors, now pending again, once the turns' rows are gone. */
export function eraseTurnVectors(connection: Connection, userNo: number, turns: readonly GoneTurn[]): void {
  if (readSpace(connection) === undefined) return
  const followers = new Set<number>()
  for (const { conversationKey, turnNumber } of turns) {
    const row = connection.get(
      sql`SELECT id FROM turns WHERE conversation_id = ${conversationKey} AND turn_number > ${turnNumber}
        ORDER BY turn_number LIMIT 1`,
    )
    if (row !== undefined) followers.add(number(row, 'id'))
  }
  eraseVectors(connection, userNo, [...turns.map(({ row }) => row), ...followers].map(turnVectorId))
  takeTurnsBack(connection, [...followers])
}

function eraseFromChunks(connection: Connection, userNo: number, firstChunk: number, numbers: readonly number[]): void {
  const gone = new Set(numbers)
  while (gone.size > 0) {
    const [vectorNo] = gone
    const stored = chunkHolding(connection, userNo, vectorNo!)
    gone.delete(vectorNo!)
    if (stored === undefined) continue
    const { chunk } = stored
    const slots = chunk.facts.vectorNo.length
    const rest = newChunk(slots, chunk.codes.length / slots)
    copySlots(chunk, rest, (held) => held !== vectorNo && !gone.delete(held))
    if (rest.used === chunk.used) continue
    writeRest(connection, userNo, firstChunk, stored, rest)
  }
}

/** Writes the rest of a chunk; a chunk at most a quarter full joins the one before when both fit. */
function writeRest(
  connection: Connection,
  userNo: number,
  firstChunk: number,
  { chunkNo, firstVector }: StoredChunk,
  rest: Chunk,
): void {
  const slots = rest.facts.vectorNo.length
  if (rest.used > 0 && rest.used <= slots / 4) {
    const before = chunkBefore(connection, userNo, firstVector)
    if (before !== undefined && before.chunkNo >= firstChunk && joins(before.chunk, rest)) {
      copySlots(rest, before.chunk, () => true)
      rewriteChunk(connection, userNo, before.chunkNo, before.chunk)
      rewriteChunk(connection, userNo, chunkNo, newChunk(0, 0))
      return
    }
  }
  rewriteChunk(connection, userNo, chunkNo, rest)
}

function joins(before: Chunk, rest: Chunk): boolean {
  return before.codes.length === rest.codes.length && before.used + rest.used <= before.facts.vectorNo.length
}
