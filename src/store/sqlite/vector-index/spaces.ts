/** The newest row of vector_spaces names the present model; all before its `first_…` numbers is removed in pieces. */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type { VectorIdentity } from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { patiently, writePatiently } from '../file/patient.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { number } from '../file/rows.ts'
import { slotsFor, spaceOf, type VectorSpace } from './chunk.ts'
import { strideOf } from './quantize.ts'

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
