/** Memories and turns without a vector: a memory carries its vector's space, turns have them up to a number. */
import type { PendingEmbedding, TurnVectorId } from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from '../file/connection.ts'
import { number, type Row, text, textOrNull, time } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import type { VectorSpace } from './chunk.ts'
import { readSpace } from './spaces.ts'

/** Turns looked at before others get their turn. */
const TURNS_A_LOOK = 500
const MEMORIES = `SELECT u.user_id, m.id, m.text, m.memory_type, m.conversation_id, m.who, m.occurred_at
  FROM memories m JOIN users u ON u.user_no = m.user_no
  WHERE m.vector_space < ? ORDER BY m.vector_space LIMIT ?`

const BEFORE = `LEFT JOIN turns b ON b.id = (SELECT p.id FROM turns p WHERE p.conversation_id = t.conversation_id
  AND p.turn_number < t.turn_number ORDER BY p.turn_number DESC LIMIT 1)`
const SAID = 't.content, t.speaker, b.content AS content_before, b.speaker AS speaker_before'

const TURNS = `SELECT t.id, ${SAID}, t.created_at, c.public_id, u.user_id,
    EXISTS (SELECT 1 FROM vectors v WHERE v.user_no = t.user_no AND v.id = 'turn:' || t.id AND v.vector_no >= ?1) AS has
  FROM turns t ${BEFORE} JOIN conversations c ON c.id = t.conversation_id JOIN users u ON u.user_no = t.user_no
  WHERE t.id > ?2 ORDER BY t.id LIMIT ${TURNS_A_LOOK}`

/** See StoredVectorIndex.pendingEmbeddings. */
export async function pendingEmbeddings(connection: Connection, limit: number): Promise<readonly PendingEmbedding[]> {
  const space = readSpace(connection)
  if (space === undefined) return []
  const memories = connection.all(MEMORIES, space.spaceNo, limit).map(ofMemory)
  const turns = memories.length === limit ? [] : await pendingTurns(connection, space, limit - memories.length)
  return [...memories, ...turns]
}

/** See StoredVectorIndex.pendingCount. */
export function pendingCount(connection: Connection): number {
  const space = readSpace(connection)
  if (space === undefined) return 0
  return connection.count(
    sql`SELECT (SELECT count(*) FROM memories WHERE vector_space < ${space.spaceNo}) + (SELECT count(*) FROM turns
      WHERE id > ${BigInt(space.turnsTo)}) AS n`,
  )
}

/** The text that is embedded for the turn of this row; undefined when the user has no such turn (any more). */
export function readTurnText(connection: Connection, userNo: number, row: number): string | undefined {
  return (
    connection.one(textOf, `SELECT ${SAID} FROM turns t ${BEFORE} WHERE t.id = ? AND t.user_no = ?`, row, userNo) ??
    undefined
  )
}

/** Notes on its way how far all turns have their vectors, so that they are not looked at again. */
async function pendingTurns(
  connection: Connection,
  space: VectorSpace,
  limit: number,
): Promise<readonly PendingEmbedding[]> {
  const pending: PendingEmbedding[] = []
  let after = space.turnsTo
  for (;;) {
    // The transaction keeps turns from being taken back between reading and noting.
    const rows = connection.write(() => {
      const found = connection.all(TURNS, BigInt(space.firstVector), BigInt(after))
      if (pending.length === 0) noteTurnsTo(connection, space, after, found)
      return found
    })
    pending.push(...rows.filter((row) => number(row, 'has') === 0).map(ofTurn))
    if (pending.length >= limit || rows.length < TURNS_A_LOOK) return pending.slice(0, limit)
    after = number(rows.at(-1)!, 'id')
    await breathe()
  }
}

/** Notes the turns, unless a turn before them was taken back since. */
function noteTurnsTo(connection: Connection, { spaceNo }: VectorSpace, after: number, rows: readonly Row[]): void {
  const missing = rows.findIndex((row) => number(row, 'has') === 0)
  const last = missing < 0 ? rows.at(-1) : rows[missing - 1]
  if (last !== undefined)
    connection.run(
      sql`UPDATE vector_spaces SET turns_to = ${number(last, 'id')}
        WHERE space_no = ${spaceNo} AND turns_to = ${after}`,
    )
}

/** Marks these turns as pending, without a vector. Call it in a write transaction. */
export function takeTurnsBack(connection: Connection, rows: readonly number[]): void {
  if (rows.length === 0) return
  connection.run(
    sql`UPDATE vector_spaces SET turns_to = min(turns_to,
      ${rows.reduce((least, row) => Math.min(least, row), Number.MAX_SAFE_INTEGER) - 1})`,
  )
}

function ofMemory(row: Row): PendingEmbedding {
  return {
    userId: text(row, 'user_id'),
    id: text(row, 'id'),
    text: text(row, 'text'),
    kind: text(row, 'memory_type') === 'semantic' ? 'semantic' : 'episodic',
    conversationId: textOrNull(row, 'conversation_id'),
    who: textOrNull(row, 'who'),
    time: time(row, 'occurred_at'),
  }
}

function ofTurn(row: Row): PendingEmbedding {
  return {
    userId: text(row, 'user_id'),
    id: turnVectorId(number(row, 'id')),
    text: textOf(row),
    kind: 'turn',
    conversationId: text(row, 'public_id'),
    who: textOrNull(row, 'speaker'),
    time: time(row, 'created_at'),
  }
}

export function turnVectorId(row: number): TurnVectorId {
  return `turn:${row}`
}

function textOf(row: Row): string {
  const before = textOrNull(row, 'content_before')
  return turnText(
    { content: text(row, 'content'), speaker: textOrNull(row, 'speaker') },
    before === null ? null : { content: before, speaker: textOrNull(row, 'speaker_before') },
  )
}

/** Characters from the end of the turn before, which is being answered, that are embedded with a turn. */
const PREVIOUS_CHARACTERS = 400

/** A turn as it is embedded. */
interface SpokenTurn {
  readonly content: string
  readonly speaker: string | null
}

/** The text to embed; `previous` is null for the first turn of a conversation. */
export function turnText(turn: SpokenTurn, previous: SpokenTurn | null): string {
  if (previous === null) return spoken(turn)
  const end = previous.content.slice(-PREVIOUS_CHARACTERS).toWellFormed()
  return `${spoken({ ...previous, content: end })}\n${spoken(turn)}`
}

function spoken({ content, speaker }: SpokenTurn): string {
  return speaker === null ? content : `${speaker}: ${content}`
}
