/**
 * Maps mem0's ids: a user owns every memory, agent and app are marks on it, and a run is a conversation. A call without
 * any of the four is an error.
 */
import { checkId } from '../../domain/checks.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import { ENTITIES, type Fields } from './fields.ts'

/** The ids that a call names. */
export type Scope = { readonly [Name in (typeof ENTITIES)[number]]?: string }

/** An open memory, and the users that the caller may act for. */
export interface Access {
  readonly memory: OpenMemory
  /** The user of a call, given the `named` one. Throws where no user can be determined. */
  readonly user: (named: string | undefined) => string
  /** The owner of the memory with this id. Rejects with `not_found` without one. */
  readonly ownerOf: (id: string, named?: string) => Promise<string>
  /** true: a user is named outside the call's options, as in the header X-User-Id. */
  readonly isNamed: boolean
}

/** Whether this is the name of an id. */
export function isEntityName(name: string): name is keyof Scope {
  return ENTITIES.some((known) => known === name)
}

/** The ids among options. */
export function scopeOf(fields: Fields): Scope {
  return Object.fromEntries(
    ENTITIES.filter((name) => fields[name] !== undefined).map((name) => [name, checkId(name, fields[name])]),
  )
}

/** The union of two scopes; throws `invalid` where they differ. */
export function joinScopes(one: Scope, other: Scope): Scope {
  for (const name of ENTITIES)
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name])
      throw invalid(name, 'is named twice, differently', 'Name it once.')
  return { ...one, ...other }
}

/** Throws `invalid` when a call names no id. */
export function requireScope(scope: Scope): void {
  if (Object.keys(scope).length === 0)
    throw invalid('user_id', 'is missing', `Name at least one of: ${ENTITIES.join(', ')}.`)
}

/** The user of a call that must name an id. */
export function userOf({ user, isNamed }: Access, scope: Scope): string {
  if (!isNamed) requireScope(scope)
  return user(scope.user_id)
}

/** The id and owner of the memory that a call is about. */
export async function ownedBy(access: Access, id: unknown, fields: Fields): Promise<{ id: string; userId: string }> {
  const memoryId = checkId('memory_id', id)
  return { id: memoryId, userId: await access.ownerOf(memoryId, scopeOf(fields).user_id) }
}

/**
 * The only owner of this memory, for callers that may act for every user, since mem0 names no user. Rejects with
 * `not_found` without an owner, and with `invalid` when several have it from an import.
 */
export async function onlyOwner(memory: OpenMemory, id: string): Promise<string> {
  const [owner, another] = await memory.owners.of(id)
  if (owner === undefined)
    throw notFound('memory', id, 'Look the id up with getAll or search; it may have been deleted.')
  if (another !== undefined) throw invalid('user_id', 'is missing: several users have this id', 'Name the user.')
  return owner
}
