/** Rows for a mirror: the record of a vector, the first filling in order of writing, and their comparison. */
import { isDeepStrictEqual } from 'node:util'
import type {
  MirrorDifferences,
  MirroredVector,
  MirrorRow,
  OutboxOutcome,
  WholeMirrorRow,
} from '../../../domain/contracts/vector-index.ts'
import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/scheduling.ts'
import { type Connection, sql } from '../file/connection.ts'
import { number, type Row, recordOf, text, textOrNull, time } from '../file/rows.ts'
import { writePatiently } from '../file/wait-for-lock.ts'
import { MEMORY_COLUMNS, memoryOf } from '../memories/memory-rows.ts'
import { floatsOf, kindOf, readSpace, type VectorSpace } from '../vector-index/write-vectors.ts'

/** The columns of the table `vectors v` that `mirroredOf` needs. */
const VECTOR_COLUMNS = 'v.vector_no, v.id, v.kind, v.conversation_id, v.who, v.time, v.floats'
/** Vectors without a row in the mirror: a change sent meanwhile has its row already. */
const WITHOUT_ROW = `FROM vectors v WHERE vector_no > ? AND vector_no <= ?
  AND NOT EXISTS (SELECT 1 FROM vector_rows r WHERE r.vector_no = v.vector_no)`
const LAST = `SELECT max(vector_no) FROM (SELECT vector_no ${WITHOUT_ROW} ORDER BY vector_no LIMIT ?)`
const NOTE = `INSERT OR IGNORE INTO vector_outbox (user_no, id, noted_at)
  SELECT user_no, id, CAST(unixepoch('subsec') * 1000 AS INTEGER) ${WITHOUT_ROW}`

/** The id that marks this file's rows in the mirror; undefined without a mirror. */
export function readStoreId(connection: Connection): string | undefined {
  return connection.one((row) => text(row, 'store_id'), 'SELECT store_id FROM vector_mirror') ?? undefined
}

export function isOwner(connection: Connection, owner: string): boolean {
  return connection.get('SELECT 1 FROM vector_mirror WHERE owner = ?', owner) !== undefined
}

export function isFilling(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM vector_mirror WHERE fill_from < fill_to') !== undefined
}

/** Notes the next vectors of the first filling as changes, at most `limit`; false when it is done. Inside a write. */
export function noteFilling(connection: Connection, { firstVector }: VectorSpace, limit: number): boolean {
  if (!isFilling(connection)) return false
  const { fill_from, fill_to } = connection.get('SELECT fill_from, fill_to FROM vector_mirror')!
  // Vectors of an earlier model are sent to nobody.
  const from = BigInt(Math.max(Number(fill_from), firstVector - 1))
  const upTo = connection.count(LAST, from, BigInt(Number(fill_to)), limit) || Number(fill_to)
  connection.run(NOTE, from, BigInt(upTo))
  connection.run('UPDATE vector_mirror SET fill_from = ?', upTo)
  return true
}

/** Notes which row a vector has now, and which have to go. Call it in a write. */
export function noteRows(connection: Connection, { entry, rowId, strays }: OutboxOutcome): void {
  const userNo = connection.count('SELECT user_no FROM users WHERE user_id = ?', entry.userId)
  const goes = (row: string): void => {
    connection.run(
      sql`INSERT OR IGNORE INTO vector_gone (user_no, id, row_id) VALUES (${userNo}, ${entry.id}, ${BigInt(row)})`,
    )
  }
  for (const stray of strays) goes(stray)
  if (rowId === null || entry.record === null) return
  // The vector may have been replaced or removed while its row was on the way.
  const { version } = entry.record
  if (connection.get('SELECT 1 FROM vectors WHERE vector_no = ?', version) === undefined) goes(rowId)
  else {
    const before = connection.get('SELECT CAST(row_id AS TEXT) AS row_id FROM vector_rows WHERE vector_no = ?', version)
    if (before !== undefined) goes(text(before, 'row_id'))
    connection.run('INSERT OR REPLACE INTO vector_rows (vector_no, row_id) VALUES (?, ?)', version, BigInt(rowId))
  }
}

const VECTOR = `SELECT ${VECTOR_COLUMNS} FROM vectors v
  WHERE user_no = ? AND id = ? AND vector_no >= ?`
const TURN = `SELECT t.content, t.speaker, t.created_at, c.public_id FROM turns t
  JOIN conversations c ON c.id = t.conversation_id WHERE t.id = ? AND t.user_no = ?`
const PREFIX = 'turn:'

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

function mirroredOf(
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
  return { ...common, ...(turn === undefined ? VECTOR_FACTS.of(vector) : TURN_FACTS.of(turn)) }
}

type Facts = Pick<MirroredVector, 'kind' | 'conversationId' | 'who' | 'time' | 'text'> &
  Partial<Pick<MirroredVector, 'memory'>>

function ofMemory(row: Row): Facts {
  const memory = memoryOf(row)
  const { memoryType: kind, conversationId, who, occurredAt: time, text } = memory
  return { kind, conversationId, who, time, text, memory }
}

const TURN_FACTS = recordOf<Omit<Facts, 'memory'>>({
  ...{ kind: () => 'turn', conversationId: ['public_id', text], who: ['speaker', textOrNull] },
  ...{ time: ['created_at', time], text: ['content', text] },
})
/** The facts of a vector added for itself, of which only the filter fields are known. */
const VECTOR_FACTS = recordOf<Omit<Facts, 'memory'>>({
  ...{ kind: kindOf, conversationId: textOrNull, who: textOrNull, time: number, text: () => '' },
})

/** Notes a row that the mirror must remove. Call it in a write. */
export function noteGone(
  connection: Connection,
  { userId, id, rowId }: Pick<MirrorRow, 'userId' | 'id' | 'rowId'>,
): void {
  connection.run(
    sql`INSERT OR IGNORE INTO vector_gone (user_no, id, row_id)
      VALUES (${connection.users.ensure(userId)}, ${id}, ${BigInt(rowId)})`,
  )
}

const VECTORS_A_PIECE = 2000
/** Greatest difference of equal floats, which the mirror keeps as the store does. */
const SAME_FLOAT = 1e-6

type Counts = { -readonly [Name in keyof MirrorDifferences]: number }

export async function compareMirror(
  connection: Connection,
  pieces: AsyncIterable<readonly WholeMirrorRow[]>,
  repair: boolean,
  signal?: AbortSignal,
): Promise<MirrorDifferences> {
  const counts: Counts = { vectors: 0, equal: 0, missing: 0, stale: 0, leftOver: 0, foreign: 0 }
  const space = readSpace(connection)
  const storeId = readStoreId(connection)
  if (storeId === undefined) return counts
  const seen = new Set<number>()

  function lookAt(row: WholeMirrorRow): void {
    const { userId, id, rowId } = row
    const userNo = connection.users.find(userId)
    const isUnknown = userNo === undefined || space === undefined
    const wanted = isUnknown ? null : readMirrored(connection, space, { userNo, userId, storeId: row.storeId }, id)
    if (wanted === null || wanted.version !== row.version || seen.has(wanted.version)) {
      counts.leftOver += 1
      if (repair) noteGone(connection, row)
      return
    }
    const { version } = wanted
    seen.add(version)
    const isEqual = isSameRecord(wanted, row)
    counts[isEqual ? 'equal' : 'stale'] += 1
    if (!repair) return
    connection.run('INSERT OR REPLACE INTO vector_rows (vector_no, row_id) VALUES (?, ?)', version, BigInt(rowId))
    if (!isEqual) noteChange(connection, version)
  }

  for await (const rows of pieces) {
    const ours = rows.filter((row) => row.storeId === storeId)
    counts.foreign += rows.length - ours.length
    if (repair) await writePatiently(connection, () => ours.forEach(lookAt))
    else connection.read(() => ours.forEach(lookAt))
    await breathe(signal)
  }
  for (let after = space === undefined ? undefined : space.firstVector - 1; after !== undefined; ) {
    const sql = `SELECT vector_no FROM vectors WHERE vector_no > ? ORDER BY vector_no LIMIT ${VECTORS_A_PIECE}`
    const numbers = connection.all(sql, BigInt(after)).map((row) => number(row, 'vector_no'))
    const missing = numbers.filter((vectorNo) => !seen.has(vectorNo))
    counts.vectors += numbers.length
    counts.missing += missing.length
    if (repair && missing.length > 0)
      await writePatiently(connection, () => {
        for (const vectorNo of missing) {
          connection.run('DELETE FROM vector_rows WHERE vector_no = ?', vectorNo)
          noteChange(connection, vectorNo)
        }
      })
    after = numbers.at(-1)
    await breathe(signal)
  }
  if (repair) await writePatiently(connection, () => connection.run('UPDATE vector_mirror SET unknown = 0'))
  return counts
}

function noteChange(connection: Connection, vectorNo: number): void {
  connection.run(sql`INSERT OR REPLACE INTO vector_outbox (user_no, id, noted_at)
     SELECT user_no, id, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM vectors WHERE vector_no = ${vectorNo}`)
}

/** true when the row says what it should, as far as the mirror had room for it. */
function isSameRecord(wanted: MirroredVector, { record, shortened }: WholeMirrorRow): boolean {
  // Of a memory these change without each other. A vector added for itself has its fields all the same, all empty.
  const suspectOf = (memory: Memory | undefined) => (shortened.includes('suspect') ? null : memory?.suspect)
  const factsOf = ({ kind, conversationId, who, time, vector, memory }: MirroredVector): readonly unknown[] => [
    ...[kind, conversationId, who, time, vector.length],
    ...(wanted.memory === undefined ? [] : [memory?.updatedAt, memory?.accessCount, memory?.supersededBy]),
    ...(wanted.memory === undefined ? [] : [memory?.projectRoot, suspectOf(memory)]),
  ]
  if (!isDeepStrictEqual(factsOf(wanted), factsOf(record))) return false
  if (record.vector.some((value, at) => Math.abs(value - wanted.vector[at]!) > SAME_FLOAT)) return false
  return shortened.includes('text') ? wanted.text.startsWith(record.text) : wanted.text === record.text
}
