/**
 * Removes vectors for good: their rows, and their codes from the chunks, which are rewritten. Call it in the write
 * transaction that removes the memories or turns themselves.
 */
import type { Connection } from '../file/connection.ts'
import { number } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import {
  type Chunk,
  chunkBefore,
  chunkHolding,
  copySlots,
  newChunk,
  readVectorUser,
  rewriteChunk,
  type StoredChunk,
} from './chunk.ts'
import { takeTurnsBack, turnVectorId } from './pending.ts'
import { readSpace } from './spaces.ts'

/** Removes the vectors of these ids, of any model, and returns the number of those of the present model. */
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
export interface GoneTurn {
  readonly row: number
  /** turns.conversation_id */
  readonly conversationKey: string
  readonly turnNumber: number
}

/**
 * Removes the vectors of removed turns, and those of their successors, made with their words and now pending again.
 * Call it after the rows of the turns are gone.
 */
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
