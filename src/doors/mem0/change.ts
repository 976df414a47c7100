/** mem0's `update`, `delete`, `deleteAll` and `reset`. Deletion is permanent, and includes the history. */
import { checkContent, checkId, checkMetadata } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { UpdateMemoryInput } from '../../usecases/memories-edit.ts'
import type { OpenMemory } from '../library/index.ts'
import { ownMetadata } from './add.ts'
import { endOfDay, type Fields, type FieldTable, flag, readMoment } from './fields.ts'
import { joinConditions, scopeConditions } from './filters.ts'
import { type MemoryRecord, memoryRecord } from './records.ts'
import type { Access } from './scope.ts'
import { requireScope, scopeOf, userOf } from './scope.ts'

/** Names of the new text: mem0's current one, its older one, and the memory's field. */
const TEXT_NAMES = ['text', 'data', 'memory'] as const
/** Options of `update`; `expiration_date: null` removes the expiry. */
export const UPDATE_FIELDS: FieldTable = {
  known: ['user_id', ...TEXT_NAMES, 'metadata', 'timestamp', 'expiration_date'],
  clearable: ['expiration_date'],
}
/** Options of `delete`. */
export const DELETE_FIELDS: FieldTable = { known: ['user_id', 'delete_linked'] }
/** Options of `deleteAll`. */
export const DELETE_ALL_FIELDS: FieldTable = {
  known: ['user_id', 'agent_id', 'app_id', 'run_id'],
  unsupported: { filters: 'Pass user_id, agent_id, app_id or run_id themselves.' },
}

/** A checked change that is not written yet. */
export interface PlannedUpdate {
  readonly userId: string
  readonly memoryId: string
  readonly patch: UpdateMemoryInput
}

/** Checks a change without writing; metadata is merged. Rejects an impossible change. */
export async function planUpdate({ memory, whose }: Access, id: unknown, fields: Fields): Promise<PlannedUpdate> {
  const memoryId = checkId('memory_id', id)
  const scope = scopeOf(fields)
  const text = newText(fields)
  const patch: UpdateMemoryInput = {
    ...(text === undefined ? {} : { text }),
    ...(fields.timestamp === undefined ? {} : { occurredAt: readMoment('timestamp', fields.timestamp) }),
    ...(fields.expiration_date === undefined ? {} : { validTo: endOrNever(fields.expiration_date) }),
  }
  if (fields.metadata === undefined && Object.keys(patch).length === 0)
    throw invalid('text', 'is missing', 'Pass at least one of: text, metadata, timestamp, expiration_date.')
  const userId = await whose.ownerOf(memoryId, scope.user_id)
  const { metadata: before, supersededBy } = await memory.get(memoryId, { userId })
  if (patch.validTo !== undefined && supersededBy !== null)
    throw invalid('expiration_date', 'was set by the memory that took its place', `Edit the memory ${supersededBy}.`)
  if (fields.metadata === undefined) return { userId, memoryId, patch }
  const metadata = { ...before, ...ownMetadata(fields.metadata, { ...before, user_id: userId }) }
  return { userId, memoryId, patch: { ...patch, metadata: checkMetadata('metadata', metadata) } }
}

/** Writes a planned change; resolves to the changed memory. */
export async function writeUpdate(
  { memory }: Pick<Access, 'memory'>,
  { userId, memoryId, patch }: PlannedUpdate,
): Promise<MemoryRecord> {
  return memoryRecord(await memory.update(memoryId, patch, { userId }), userId)
}

/** Changes the named fields; metadata is merged. */
export async function updateRecord(access: Access, id: unknown, fields: Fields): Promise<MemoryRecord> {
  return writeUpdate(access, await planUpdate(access, id, fields))
}

/** The ids that a deletion will remove. */
export interface PlannedDeletion {
  readonly userId: string
  readonly memoryIds: readonly string[]
}

/** The memories that a deletion removes: this one and, with `delete_linked`, those that it replaced, and so on back. */
export async function planDeletion({ memory, whose }: Access, id: unknown, fields: Fields): Promise<PlannedDeletion> {
  const memoryId = checkId('memory_id', id)
  const isLinked = flag(fields, 'delete_linked')
  const userId = await whose.ownerOf(memoryId, scopeOf(fields).user_id)
  await memory.get(memoryId, { userId })
  return { userId, memoryIds: [memoryId, ...(isLinked ? await forerunners(memory, memoryId, userId) : [])] }
}

/** Deletes a memory and, with `delete_linked`, those that it replaced, and so on back. */
export async function deleteRecord(access: Access, id: unknown, fields: Fields): Promise<void> {
  const { userId, memoryIds } = await planDeletion(access, id, fields)
  for (const one of memoryIds) await access.memory.delete(one, { userId })
}

/** Deletes all memories with the named ids. Throws `invalid` when none is named. */
export async function deleteScope({ memory, whose }: Access, fields: Fields): Promise<number> {
  const scope = scopeOf(fields)
  requireScope(scope)
  const filters = joinConditions(scopeConditions(scope))
  const userId = userOf(whose, scope)
  return (await memory.deleteAll({ userId, ...(filters === undefined ? {} : { filters }) })).deleted
}

/** Deletes all memories of every user. */
export async function deleteEverything(memory: OpenMemory): Promise<number> {
  let deleted = 0
  for (;;) {
    const { items } = await memory.owners.list({ limit: 1000 })
    if (items.length === 0) return deleted
    for (const { userId } of items) deleted += (await memory.deleteAll({ userId })).deleted
  }
}

/** The new text under any of its names; several names must agree. */
function newText(fields: Fields): string | undefined {
  const [name, ...others] = TEXT_NAMES.filter((one) => fields[one] !== undefined)
  if (name === undefined) return undefined
  for (const other of others)
    if (fields[other] !== fields[name]) throw invalid(other, `and ${name} are two texts`, 'Give one of them.')
  return checkContent(name, fields[name])
}

function endOrNever(date: unknown): Date | null {
  return date === null ? null : endOfDay('expiration_date', date)
}

/** Ids of the memories that this one replaced, directly or indirectly. */
async function forerunners(memory: OpenMemory, id: string, userId: string): Promise<readonly string[]> {
  const story = new Set((await memory.history(id, { userId })).map(({ memoryId }) => memoryId))
  const others = await Promise.all([...story].filter((one) => one !== id).map((one) => memory.get(one, { userId })))
  const found = new Set([id])
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const { id: other, supersededBy } of others)
      if (supersededBy !== null && found.has(supersededBy)) found.add(other)
  }
  found.delete(id)
  return [...found]
}
