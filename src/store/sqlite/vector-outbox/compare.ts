/** Compares a mirror with the record, in pieces, with one bit per vector seen. */

import { isDeepStrictEqual } from 'node:util'
import type { MirrorDifferences, MirroredVector, WholeMirrorRow } from '../../../domain/contracts/vector-mirror.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from '../file/connection.ts'
import { writePatiently } from '../file/patient.ts'
import { number } from '../file/rows.ts'
import { sql } from '../file/sql.ts'
import type { Users } from '../file/users.ts'
import { readSpace } from '../vector-index/spaces.ts'
import { readStoreId } from './filling.ts'
import { noteGone, readMirrored } from './mirrored-record.ts'

const VECTORS_A_PIECE = 2000
/** Greatest difference of equal floats, which the mirror keeps as the store does. */
const SAME_FLOAT = 1e-6

type Counts = { -readonly [Name in keyof MirrorDifferences]: number }

/** See VectorOutbox.compare. */
export async function compareMirror(
  connection: Connection,
  users: Users,
  pieces: AsyncIterable<readonly WholeMirrorRow[]>,
  repair: boolean,
  signal?: AbortSignal,
): Promise<MirrorDifferences> {
  const counts: Counts = { vectors: 0, equal: 0, missing: 0, stale: 0, leftOver: 0, foreign: 0 }
  const space = readSpace(connection)
  const storeId = readStoreId(connection)
  if (storeId === undefined) return counts
  const seen = new SeenNumbers()

  function lookAt(row: WholeMirrorRow): void {
    const { userId, id, rowId } = row
    const userNo = users.find(userId)
    const isUnknown = userNo === undefined || space === undefined
    const wanted = isUnknown ? null : readMirrored(connection, space, { userNo, userId, storeId: row.storeId }, id)
    if (wanted === null || wanted.version !== row.version || seen.has(wanted.version)) {
      counts.leftOver += 1
      if (repair) noteGone(connection, users, row)
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
  if (record.vector.some((value, at) => Math.abs(value - wanted.vector[at]!) > SAME_FLOAT)) return false
  if (record.vector.length !== wanted.vector.length) return false
  const isTextSame = shortened.includes('text') ? wanted.text.startsWith(record.text) : wanted.text === record.text
  if (!isTextSame) return false
  const facts = ({ kind, conversationId, who, time }: MirroredVector): readonly unknown[] => [
    kind,
    conversationId,
    who,
    time,
  ]
  return isDeepStrictEqual(facts(wanted), facts(record)) && isSameMemory(wanted, record, new Set(shortened))
}

function isSameMemory(a: MirroredVector, b: MirroredVector, shortened: ReadonlySet<string>): boolean {
  // A vector added for itself has the fields of a memory in its row all the same, all empty.
  if (a.memory === undefined) return true
  if (b.memory === undefined) return false
  const whole = (memory: object): object =>
    Object.fromEntries(
      Object.entries(memory)
        .filter(([name]) => name !== 'text' && !shortened.has(name))
        // Missing metadata and empty metadata are the same row.
        .map(([name, value]) => [name, name === 'metadata' && isDeepStrictEqual(value, {}) ? null : value]),
    )
  // Through JSON, which is what either side keeps.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(whole(a.memory))), JSON.parse(JSON.stringify(whole(b.memory))))
}

/** A set of whole numbers from 0, one bit each. */
class SeenNumbers {
  #bits = new Uint8Array(1024)

  has(value: number): boolean {
    return ((this.#bits[Math.floor(value / 8)] ?? 0) & (1 << (value & 7))) !== 0
  }

  add(value: number): void {
    const place = Math.floor(value / 8)
    if (place >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(this.#bits.length * 2, place + 1))
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[place]! |= 1 << (value & 7)
  }
}
