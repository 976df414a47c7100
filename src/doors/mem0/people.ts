/** mem0's entities: the users with memories, and deletion of an entity's memories. */
import { checkId, checkInteger } from '../../domain/checks.ts'
import { MnemeError } from '../../domain/errors.ts'
import { deleteScope } from './change.ts'
import type { Fields, FieldTable } from './fields.ts'
import type { Access } from './scope.ts'
import { type EntityName, isEntityName } from './scope.ts'

/** Options of `users`. */
export const USERS_FIELDS: FieldTable = { known: ['page', 'page_size'] }

/** A user as mem0 lists one. */
export interface UserRecord {
  readonly id: string
  readonly name: string
  readonly type: 'user'
  readonly owner: null
  readonly total_memories: number
  readonly created_at: string
  readonly updated_at: string
}

/** A page of users who have memories, by name. */
export async function userRecords(
  { memory }: Pick<Access, 'memory'>,
  fields: Fields,
): Promise<{ readonly results: readonly UserRecord[]; readonly total: number; page: number; pageSize: number }> {
  const page = fields.page === undefined ? 1 : checkInteger('page', fields.page, 1, 1_000_000_000)
  const pageSize = fields.page_size === undefined ? 100 : checkInteger('page_size', fields.page_size, 1, 10_000)
  const { items, total } = await memory.owners.list({ limit: pageSize, offset: (page - 1) * pageSize })
  return {
    results: items.map(({ userId, memories, createdAt, updatedAt }) => ({
      id: userId,
      name: userId,
      type: 'user',
      owner: null,
      total_memories: memories,
      created_at: createdAt,
      updated_at: updatedAt,
    })),
    total,
    page,
    pageSize,
  }
}

/**
 * Deletes all memories of a user, or of an agent, app or run of the caller's user. Rejects `not_found` when there are
 * none.
 */
export async function deleteEntity(access: Access, type: string, name: unknown): Promise<void> {
  const field = `${type}_id`
  if (!isEntityName(field))
    throw new MnemeError('not_found', `There is no kind of entity ${JSON.stringify(type)}.`, {
      remedy: 'Use one of: user, agent, app, run.',
    })
  const scope: { readonly [Name in EntityName]?: string } = { [field]: checkId(field, name) }
  if ((await deleteScope(access, scope)) === 0)
    throw new MnemeError('not_found', `There are no memories of the ${type} ${JSON.stringify(name)}.`, {
      remedy: 'Look the name up; they may have been deleted.',
    })
}

/** The profile of a user, in mem0's form. */
export async function profileRecord({ memory, whose }: Access, name: unknown): Promise<Record<string, unknown>> {
  const userId = whose.user(checkId('entity_id', name))
  const { text, updatedAt } = await memory.profile.get({ userId })
  return {
    profile: text === '' ? {} : { text },
    status: text === '' ? 'insufficient_data' : 'succeeded',
    entity_type: 'user',
    entity_id: userId,
    updated_at: updatedAt,
    generation_count: text === '' ? 0 : 1,
    error: null,
  }
}
