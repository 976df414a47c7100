/** Adds vectors, first as rows of the tail, then in chunks; and tells the memories and turns without one. */
import { createHash } from 'node:crypto'
import {
  type PendingEmbedding,
  type TurnVectorId,
  VECTOR_KINDS,
  type VectorRecord,
} from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import { type Connection, sql } from '../file/connection.ts'
import { writePatiently } from '../file/patient.ts'
import { number, type Row, text, textOrNull, time } from '../file/rows.ts'
import {
  chunkHolding,
  copySlots,
  ensureVectorUser,
  floatBytes,
  floatsOf,
  insertChunk,
  newChunk,
  pushSlot,
  readSpace,
  readVectorUser,
  rewriteChunk,
  slotOf,
  type VectorSpace,
} from './chunk.ts'
import { strideOf } from './quantize.ts'

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
  const firstVector = readSpace(connection)?.firstVector ?? 1
  eraseFromChunks(
    connection,
    userNo,
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

/** Removes vectors of removed turns and of their successors, now pending again, once the turns' rows are gone. */
export function eraseTurnVectors(
  connection: Connection,
  userNo: number,
  turns: readonly { readonly row: number; readonly conversationKey: string; readonly turnNumber: number }[],
): void {
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

function eraseFromChunks(connection: Connection, userNo: number, numbers: readonly number[]): void {
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
    if (rest.used < chunk.used) rewriteChunk(connection, userNo, stored.chunkNo, rest)
  }
}

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
function readTurnText(connection: Connection, userNo: number, row: number): string | undefined {
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
function takeTurnsBack(connection: Connection, rows: readonly number[]): void {
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

function turnVectorId(row: number): TurnVectorId {
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
