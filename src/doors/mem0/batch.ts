/** mem0's batches: every part is checked before the first one is carried out. */
import { checkId, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import {
  type PlannedDeletion,
  type PlannedUpdate,
  planDeletion,
  planUpdate,
  UPDATE_FIELDS,
  writeUpdate,
} from './change.ts'
import { type Fields, type FieldTable, readFields } from './fields.ts'
import type { Access } from './scope.ts'

/** Options of a batch. */
export const BATCH_FIELDS: FieldTable = { known: ['memories'], needed: ['memories'] }
const MOST = 1000
/** Options of one of them. */
export const PART_FIELDS: FieldTable = {
  ...UPDATE_FIELDS,
  known: ['memory_id', ...UPDATE_FIELDS.known],
  needed: ['memory_id'],
}

/** Updates several memories, all or none; resolves to their number. */
export async function updateBatch(access: Access, fields: Fields): Promise<number> {
  const parts = await readParts(fields)
  const planned: PlannedUpdate[] = []
  for (const { at, id, rest } of parts) planned.push(await placed(at, () => planUpdate(access, id, rest)))
  for (const one of planned) await writeUpdate(access, one)
  return parts.length
}

/** Deletes several memories, all or none; resolves to their number. */
export async function deleteBatch(access: Access, fields: Fields): Promise<number> {
  const parts = await readParts(fields)
  const planned: PlannedDeletion[] = []
  for (const { at, id, rest } of parts) planned.push(await placed(at, () => planDeletion(access, id, rest)))
  for (const { userId, memoryIds } of planned) for (const id of memoryIds) await access.memory.delete(id, { userId })
  return parts.length
}

interface Part {
  /** Its place in the list: `memories[0]`. */
  readonly at: string
  readonly id: string
  readonly rest: Fields
}

async function readParts({ memories }: Fields): Promise<readonly Part[]> {
  if (!Array.isArray(memories) || memories.length === 0 || memories.length > MOST)
    throw invalid('memories', `must be a list of 1 to ${MOST}`, 'Pass a list of { memory_id }.')
  const parts: Part[] = []
  const ids = new Set<string>()
  for (const [index, part] of memories.entries() as ArrayIterator<[number, unknown]>) {
    const at = `memories[${index}]`
    const given = typeof part === 'string' ? { memory_id: part } : checkRecord(at, part)
    const { memory_id: named, ...rest } = await placed(at, () => readFields(given, PART_FIELDS))
    const id = checkId(`${at}.memory_id`, named)
    if (ids.has(id)) throw invalid(`${at}.memory_id`, `names ${id} a second time`, 'Name each memory once.')
    ids.add(id)
    parts.push({ at, id, rest })
  }
  return parts
}

/** Runs one part of a batch; an input error is prefixed with the part's place. */
async function placed<T>(at: string, look: () => T | Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof MnemeError) || error.field === undefined) throw error
    const { code, message, remedy, field } = error
    throw new MnemeError(code, `${at}.${message}`, { remedy, field: `${at}.${field}`, cause: error })
  }
}
