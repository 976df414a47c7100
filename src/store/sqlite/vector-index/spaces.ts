/** The models that vectors come from, each a space of its own, and the columns of a vector's row. */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import { VECTOR_KINDS, type VectorIdentity, type VectorKind } from '../../../domain/contracts/vector-index.ts'
import { breathe } from '../../../domain/pieces.ts'
import { type Connection, sql } from '../file/connection.ts'
import { patiently, writePatiently } from '../file/patient.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { bytes, number, type Row, text } from '../file/rows.ts'

/** The model that the vectors come from, as its row says. */
export interface VectorSpace extends VectorIdentity {
  readonly spaceNo: number
  /** Vectors below this number are of an earlier model. */
  readonly firstVector: number
  readonly turnsTo: number
}

function spaceOf(row: Row): VectorSpace {
  return {
    spaceNo: number(row, 'space_no'),
    model: text(row, 'model'),
    dimension: number(row, 'dimension'),
    firstVector: number(row, 'first_vector'),
    turnsTo: number(row, 'turns_to'),
  }
}

export function floatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function floatsOf(row: Row, column = 'floats'): Float32Array {
  const stored = bytes(row, column)
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
  return connection.one(spaceOf, 'SELECT * FROM vector_spaces ORDER BY space_no DESC LIMIT 1') ?? undefined
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
