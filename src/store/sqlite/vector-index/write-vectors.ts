/** Adds vectors with their codes, each in the space of its model; and tells the memories and turns without one. */
import { createHash } from 'node:crypto'
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import {
  type PendingEmbedding,
  type TurnVectorId,
  VECTOR_KINDS,
  type VectorIdentity,
  type VectorKind,
  type VectorRecord,
} from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { termKey } from '../../segments/term-chunks.ts'
import { type Connection, sql } from '../file/connection.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { bytes, number, type Row, recordOf, text, textOrNull, time, wordOf } from '../file/rows.ts'
import { patiently, writePatiently } from '../file/wait-for-lock.ts'
import { quantize, strideOf } from './quantized-vectors.ts'

export function textHash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}

/** The number for a name in the codes of a vector; 0 for none, which no name has. */
export function filterKey(name: string | null): number {
  return name === null ? 0 : termKey(name) || 1
}

/** Writes checked records, each id once. Call it in a write transaction. */
export function writeVectors(
  connection: Connection,
  userNo: number,
  { spaceNo }: VectorSpace,
  records: readonly VectorRecord[],
): void {
  for (const record of records) {
    if (!isStillSaid(connection, userNo, record)) continue
    const { id, conversationId, who, vector } = record
    const [kind, time] = [VECTOR_KINDS.indexOf(record.kind), BigInt(Math.trunc(record.time))]
    connection.run('DELETE FROM vectors WHERE user_no = ? AND id = ?', userNo, id)
    const { lastInsertRowid: vectorNo } =
      connection.run(sql`INSERT INTO vectors (user_no, id, kind, conversation_id, who,
      time, text_hash, floats) VALUES (${userNo}, ${id}, ${kind}, ${conversationId}, ${who}, ${time},
      ${record.text === undefined ? null : textHash(record.text)}, ${floatBytes(vector)})`)
    writeCodes(connection, { vectorNo, userNo, kind, time, conversationId, who }, vector)
    if (record.kind !== 'turn')
      connection.run('UPDATE memories SET vector_space = ? WHERE user_no = ? AND id = ?', spaceNo, userNo, id)
  }
}

/** The facts of a vector that its codes are filtered by. */
interface CodedVector {
  readonly vectorNo: number
  readonly userNo: number
  readonly kind: number
  readonly time: bigint
  readonly conversationId: string | null
  readonly who: string | null
}

const CODED = recordOf<CodedVector>({
  ...{ vectorNo: number, userNo: number, kind: number, time: (row, column) => BigInt(number(row, column)) },
  ...{ conversationId: textOrNull, who: textOrNull },
})

function writeCodes(
  connection: Connection,
  { vectorNo, userNo, kind, time, conversationId, who }: CodedVector,
  vector: Float32Array,
): void {
  const codes = new Int8Array(strideOf(vector.length))
  const { scale, error } = quantize(vector, codes, 0)
  connection.run(sql`INSERT OR REPLACE INTO vector_codes (vector_no, user_no, kind, time, conversation, who, scale, error,
    codes) VALUES (${vectorNo}, ${userNo}, ${kind}, ${time}, ${BigInt(filterKey(conversationId))},
    ${BigInt(filterKey(who))}, ${scale}, ${error}, ${new Uint8Array(codes.buffer)})`)
}

const CODED_A_PIECE = 500
const UNCODED = `SELECT ${CODED.named()}, floats FROM vectors
  WHERE vector_no > ? AND (?2 IS NULL OR user_no = ?2) ORDER BY vector_no LIMIT ${CODED_A_PIECE}`

/** Makes the codes of a user's vectors anew, null: of everybody's. */
export async function rebuildCodes(connection: Connection, userNo: number | null, signal?: AbortSignal): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await writePatiently(connection, () => {
      const rows = connection.all(UNCODED, BigInt(from), userNo)
      for (const row of rows) writeCodes(connection, CODED.of(row), floatsOf(row))
      return rows.length === 0 ? undefined : number(rows.at(-1)!, 'vector_no')
    })
    await breathe(signal)
  }
}

/** Makes the codes of vectors that an older program wrote. */
export async function ensureCodes(connection: Connection): Promise<void> {
  const isDue = connection.get(`SELECT 1 FROM counters WHERE name = 'codes_due'`) !== undefined
  if (!isDue) return
  await rebuildCodes(connection, null)
  connection.write(() => connection.run(`DELETE FROM counters WHERE name = 'codes_due'`))
}

/** Was the memory or turn edited or removed since its text was read? */
function isStillSaid(connection: Connection, userNo: number, { id, kind, text }: VectorRecord): boolean {
  if (text === undefined) return true
  if (kind === 'turn') return readTurnText(connection, userNo, Number(id.slice(id.indexOf(':') + 1))) === text
  return connection.get('SELECT text FROM memories WHERE user_no = ? AND id = ?', userNo, id)?.text === text
}

/** Removes the vectors of these ids, of any model; the number of the present one's. Inside the removing write. */
export function eraseVectors(connection: Connection, userNo: number, ids: readonly string[]): number {
  const firstVector = readSpace(connection)?.firstVector ?? 1
  let present = 0
  for (const id of ids) {
    const row = connection.get('DELETE FROM vectors WHERE user_no = ? AND id = ? RETURNING vector_no', userNo, id)
    if (row !== undefined && number(row, 'vector_no') >= firstVector) present += 1
  }
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

export async function pendingEmbeddings(connection: Connection, limit: number): Promise<readonly PendingEmbedding[]> {
  const space = readSpace(connection)
  if (space === undefined) return []
  const memories = connection.all(MEMORIES, space.spaceNo, limit).map(PENDING_MEMORY.of)
  const turns = memories.length === limit ? [] : await pendingTurns(connection, space, limit - memories.length)
  return [...memories, ...turns]
}

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
    pending.push(...rows.filter((row) => number(row, 'has') === 0).map(PENDING_TURN.of))
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

const KINDS = VECTOR_KINDS.filter((kind) => kind !== 'turn')
const PENDING_MEMORY = recordOf<Omit<PendingEmbedding, 'memory'>>({
  ...{ userId: text, id: text, text, kind: ['memory_type', wordOf(KINDS)] },
  ...{ conversationId: textOrNull, who: textOrNull, time: ['occurred_at', time] },
})
const PENDING_TURN = recordOf<Omit<PendingEmbedding, 'memory'>>({
  userId: text,
  id: (row, column) => turnVectorId(number(row, column)),
  text: (row) => textOf(row),
  kind: () => 'turn',
  ...{ conversationId: ['public_id', text], who: ['speaker', textOrNull], time: ['created_at', time] },
})

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

/** The model that the vectors come from, as its row says. */
export interface VectorSpace extends VectorIdentity {
  readonly spaceNo: number
  /** Vectors below this number are of an earlier model. */
  readonly firstVector: number
  readonly turnsTo: number
}

const SPACE = recordOf<VectorSpace>({
  ...{ spaceNo: number, model: text, dimension: number, firstVector: number, turnsTo: number },
})

function floatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function floatsOf(row: Row): Float32Array {
  const stored = bytes(row, 'floats')
  const aligned = stored.byteOffset % 4 === 0 ? stored : stored.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}

export function kindOf(row: Row): VectorKind {
  const kind = VECTOR_KINDS[number(row, 'kind')]
  if (kind === undefined) throw new TypeError('column kind holds no kind of vector')
  return kind
}

const VECTORS_A_PIECE = 500

/** The space that counts now; undefined before the first. */
export function readSpace(connection: Connection): VectorSpace | undefined {
  return connection.one(SPACE.of, 'SELECT * FROM vector_spaces ORDER BY space_no DESC LIMIT 1') ?? undefined
}

/** Makes this identity the one that counts. Call it in a write transaction. */
export function beginSpace(connection: Connection, { model, dimension }: VectorIdentity): 'new' | 'kept' | 'changed' {
  connection.exec('CREATE INDEX IF NOT EXISTS memories_vector_space ON memories(vector_space)')
  const before = readSpace(connection)
  if (before !== undefined && before.model === model && before.dimension === dimension) return 'kept'
  connection.run(sql`INSERT INTO vector_spaces (model, dimension, first_vector) VALUES (${model}, ${dimension},
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0) + 1)`)
  return before === undefined ? 'new' : 'changed'
}

export async function discardOldSpaces(connection: Connection, { signal, onProgress }: Work = {}): Promise<number> {
  const space = readSpace(connection)
  if (space === undefined) return 0
  const { firstVector, spaceNo } = space
  let removed = 0
  while (connection.get('SELECT 1 FROM vectors WHERE vector_no < ? LIMIT 1', BigInt(firstVector)) !== undefined) {
    await patiently(connection, () => noteWipeDue(connection))
    removed += await writePatiently(
      connection,
      () =>
        connection.run(sql`DELETE FROM vectors WHERE vector_no IN (SELECT vector_no FROM vectors
          WHERE vector_no < ${BigInt(firstVector)} ORDER BY vector_no LIMIT ${VECTORS_A_PIECE})`).changes,
    )
    onProgress?.(removed, null)
    await breathe(signal)
  }
  await writePatiently(connection, () => connection.run('DELETE FROM vector_spaces WHERE space_no < ?', spaceNo))
  return removed
}
