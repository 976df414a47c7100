/** The mirror's record of a vector: the vector itself, and the memory or turn that it stands for, as they are now. */
import type { MirroredVector, MirrorRow } from '../../../domain/contracts/vector-mirror.ts'
import type { Connection } from '../file/connection.ts'
import { number, type Row, text, textOrNull, time } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import type { Users } from '../file/users.ts'
import { MEMORY_COLUMNS, memoryOf } from '../memories/memory-rows.ts'
import { floatsOf, kindOf, type VectorSpace } from '../vector-index/chunk.ts'

/** The columns of the table `vectors v` that `mirroredOf` needs. */
export const VECTOR_COLUMNS = 'v.vector_no, v.id, v.kind, v.conversation_id, v.who, v.time, v.floats'
const VECTOR = `SELECT ${VECTOR_COLUMNS} FROM vectors v
  WHERE user_no = ? AND id = ? AND vector_no >= ?`
const TURN = `SELECT t.content, t.speaker, t.created_at, c.public_id FROM turns t
  JOIN conversations c ON c.id = t.conversation_id WHERE t.id = ? AND t.user_no = ?`
const PREFIX = 'turn:'

/** The user and the store of a vector. */
export interface MirroredOwner {
  readonly userNo: number
  readonly userId: string
  readonly storeId: string
}

/** The record of a vector; null when no such vector of the present model exists, or its record is gone. */
export function readMirrored(
  connection: Connection,
  space: VectorSpace,
  owner: MirroredOwner,
  id: string,
): MirroredVector | null {
  const vector = connection.get(VECTOR, owner.userNo, id, BigInt(space.firstVector))
  return vector === undefined ? null : mirroredOf(connection, space, owner, vector)
}

/** The vector in a row of VECTOR_COLUMNS, with its memory or turn. */
export function mirroredOf(
  connection: Connection,
  { model }: VectorSpace,
  { userNo, userId, storeId }: MirroredOwner,
  vector: Row,
): MirroredVector {
  const id = text(vector, 'id')
  const common = { userId, id, storeId, model, version: number(vector, 'vector_no'), vector: floatsOf(vector) }
  const record = connection.get(`SELECT ${MEMORY_COLUMNS} FROM memories m WHERE user_no = ? AND id = ?`, userNo, id)
  if (record !== undefined) return { ...common, ...ofMemory(record) }
  const turn = id.startsWith(PREFIX) ? connection.get(TURN, Number(id.slice(PREFIX.length)), userNo) : undefined
  return { ...common, ...(turn === undefined ? ofVector(vector) : ofTurn(turn)) }
}

type Facts = Pick<MirroredVector, 'kind' | 'conversationId' | 'who' | 'time' | 'text'> &
  Partial<Pick<MirroredVector, 'memory'>>

function ofMemory(row: Row): Facts {
  const memory = memoryOf(row)
  return {
    kind: memory.memoryType,
    conversationId: memory.conversationId,
    who: memory.who,
    time: memory.occurredAt,
    text: memory.text,
    memory,
  }
}

function ofTurn(row: Row): Facts {
  return {
    kind: 'turn',
    conversationId: text(row, 'public_id'),
    who: textOrNull(row, 'speaker'),
    time: time(row, 'created_at'),
    text: text(row, 'content'),
  }
}

/** The facts of a vector added for itself, of which only the filter fields are known. */
function ofVector(row: Row): Facts {
  return {
    kind: kindOf(row),
    conversationId: textOrNull(row, 'conversation_id'),
    who: textOrNull(row, 'who'),
    time: number(row, 'time'),
    text: '',
  }
}

/** Notes a row that the mirror must remove. Call it in a write. */
export function noteGone(
  connection: Connection,
  users: Users,
  { userId, id, rowId }: Pick<MirrorRow, 'userId' | 'id' | 'rowId'>,
): void {
  connection.run(
    sql`INSERT OR IGNORE INTO vector_gone (user_no, id, row_id)
      VALUES (${users.ensure(userId)}, ${id}, ${BigInt(rowId)})`,
  )
}
