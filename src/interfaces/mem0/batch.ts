/** mem0's batches: every part is looked at before the first one is done. */
import { checkId, checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { Access } from './access.ts'
import { deleteRecord, UPDATE_FIELDS, updateRecord } from './change.ts'
import { type Fields, type FieldTable, readFields } from './fields.ts'
import { getRecord } from './read.ts'

/** Options of a batch. */
export const BATCH_FIELDS: FieldTable = { known: ['memories'], needed: ['memories'] }
const MOST = 1000
/** Options of one of them. */
export const PART_FIELDS: FieldTable = {
  ...UPDATE_FIELDS,
  known: ['memory_id', ...UPDATE_FIELDS.known],
  needed: ['memory_id'],
}

/** Updates several; how many. */
export async function updateBatch(access: Access, fields: Fields): Promise<number> {
  const parts = await readParts(access, fields)
  for (const { id, rest } of parts)
    if (Object.keys(rest).every((name) => name === 'user_id'))
      throw invalid('memories', `change nothing of ${id}`, 'Pass text, metadata or expiration_date with every memory.')
  for (const { id, rest } of parts) await updateRecord(access, id, rest)
  return parts.length
}

/** Deletes several; how many. */
export async function deleteBatch(access: Access, fields: Fields): Promise<number> {
  const parts = await readParts(access, fields)
  for (const { id, rest } of parts) await deleteRecord(access, id, rest)
  return parts.length
}

async function readParts(
  access: Access,
  { memories }: Fields,
): Promise<readonly { readonly id: string; readonly rest: Fields }[]> {
  if (!Array.isArray(memories) || memories.length === 0 || memories.length > MOST)
    throw invalid('memories', `must be a list of 1 to ${MOST}`, 'Pass a list of { memory_id }.')
  const parts = memories.map((part: unknown, index) => {
    const at = `memories[${index}]`
    const given = typeof part === 'string' ? { memory_id: part } : checkRecord(at, part)
    const { memory_id: id, ...rest } = readFields(given, PART_FIELDS)
    return { id: checkId(`${at}.memory_id`, id), rest }
  })
  for (const { id } of parts)
    if (parts.filter((part) => part.id === id).length > 1)
      throw invalid('memories', `name ${id} twice`, 'Name each memory once.')
  for (const { id, rest } of parts) await getRecord(access, id, rest)
  return parts
}
