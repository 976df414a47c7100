/**
 * How does a seal lie in a collection? As a row of no user beside the turns, unseen by readers of memories, with the
 * seal as its text and a vector never searched.
 */
import type { MirrorSeal } from '../../domain/contracts/vector-mirror.ts'
import { literal } from './expression.ts'
import { fieldsOf } from './read-row.ts'
import type { SentRow } from './write-row.ts'

const KIND = 'seal'
/** A name that no user can have. */
const NOBODY = ''

/** Accepts every row but seals. */
export const NO_SEAL = `memory_type != ${literal(KIND)}`
/** Fields that `sealOf` reads. */
export const SEAL_FIELDS = ['id', 'text']

/** Accepts the seals of a store. */
export function sealsOf(storeId: string): string {
  return `user_id == ${literal(NOBODY)} and memory_type == ${literal(KIND)} and chat_id == ${literal(storeId)}`
}

/** The row of a seal. */
export function sealRow(storeId: string, seal: string, dimension: number): SentRow {
  const vector = new Float32Array(dimension)
  vector[0] = 1
  return {
    user_id: NOBODY,
    memory_type: KIND,
    ts: 0,
    chat_id: storeId,
    who: '',
    text: seal,
    vector,
    hit_count: 0,
    metadata: '{}',
    $meta: '{}',
  }
}

/** The seal in a row of SEAL_FIELDS. */
export function sealOf(row: unknown): MirrorSeal {
  const { id, text } = fieldsOf(row)
  return { rowId: String(id), seal: String(text) }
}
