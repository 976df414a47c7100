/** mem0's `update`, `delete`, `deleteAll` and `reset`. Deleting is for good, its story too. */
import { checkContent, checkId } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { UpdateMemoryInput } from '../../engine/memories.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Access } from './access.ts'
import { ownMetadata } from './add.ts'
import { type Fields, type FieldTable, flag } from './fields.ts'
import { joinConditions, scopeConditions } from './filters.ts'
import { type MemoryRecord, memoryRecord } from './records.ts'
import { requireScope, scopeOf, userOf } from './scope.ts'
import { endOfDay, readMoment } from './times.ts'

/** Options of `update`; `expiration_date: null` takes an end away. */
export const UPDATE_FIELDS: FieldTable = {
  known: ['user_id', 'text', 'data', 'memory', 'metadata', 'timestamp', 'expiration_date'],
  clearable: ['expiration_date'],
}
/** Options of `delete`. */
export const DELETE_FIELDS: FieldTable = { known: ['user_id', 'delete_linked'] }
/** Options of `deleteAll`. */
export const DELETE_ALL_FIELDS: FieldTable = {
  known: ['user_id', 'agent_id', 'app_id', 'run_id'],
  unsupported: { filters: 'Pass user_id, agent_id, app_id or run_id themselves.' },
}

/** Changes what is named; metadata is put into what is there. */
export async function updateRecord({ memory, whose }: Access, id: unknown, fields: Fields): Promise<MemoryRecord> {
  const memoryId = checkId('memory_id', id)
  const scope = scopeOf(fields)
  const texts = ['text', 'data', 'memory'].filter((name) => fields[name] !== undefined)
  if (texts.length > 1) throw invalid(texts[1]!, 'and text say the same', 'Give one of them.')
  const [name = ''] = texts
  const patch: UpdateMemoryInput = {
    ...(name === '' ? {} : { text: checkContent(name, fields[name]) }),
    ...(fields.timestamp === undefined ? {} : { occurredAt: readMoment('timestamp', fields.timestamp) }),
    ...(fields.expiration_date === undefined ? {} : { validTo: endOrNever(fields.expiration_date) }),
  }
  if (fields.metadata === undefined && Object.keys(patch).length === 0)
    throw invalid('text', 'is missing', 'Pass at least one of: text, metadata, timestamp, expiration_date.')
  const userId = await whose.ownerOf(memoryId, scope.user_id)
  if (fields.metadata === undefined) return memoryRecord(await memory.update(memoryId, patch, { userId }), userId)
  const { metadata: before } = await memory.get(memoryId, { userId })
  const metadata = { ...before, ...ownMetadata(fields.metadata, { ...before, user_id: userId }) }
  return memoryRecord(await memory.update(memoryId, { ...patch, metadata }, { userId }), userId)
}

/** Deletes one; with `delete_linked` also those whose place it took, and those before them. */
export async function deleteRecord({ memory, whose }: Access, id: unknown, fields: Fields): Promise<void> {
  const memoryId = checkId('memory_id', id)
  const userId = await whose.ownerOf(memoryId, scopeOf(fields).user_id)
  const linked = flag(fields, 'delete_linked') ? await forerunners(memory, memoryId, userId) : []
  for (const one of [memoryId, ...linked]) await memory.delete(one, { userId })
}

/** Deletes all memories that the named ids share. Throws `invalid` where none is named: nothing means nothing. */
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

function endOrNever(date: unknown): Date | null {
  return date === null ? null : endOfDay('expiration_date', date)
}

/** Ids of the memories that led to this one. */
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
