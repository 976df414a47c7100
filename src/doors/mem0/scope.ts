/**
 * Maps mem0's ids: a user owns every memory, agent and app are marks on it, and a run is a conversation. A call without
 * any of the four is an error.
 */
import { checkId } from '../../domain/checks.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Fields } from './fields.ts'

/** Names of mem0's ids. */
const ENTITY_NAMES = ['user_id', 'agent_id', 'app_id', 'run_id'] as const
export type EntityName = (typeof ENTITY_NAMES)[number]

/**
 * Ids that are marks in a memory's metadata. A run is one although it is the conversation, so that memories of
 * different runs are not merged.
 */
export const MARKS = ['agent_id', 'app_id', 'run_id'] as const

/** The ids that a call names. */
export type Scope = { readonly [Name in EntityName]?: string }

/** The users that a caller may act for. */
export interface Whose {
  /** The user of a call, given the `named` one. Throws where no user can be determined. */
  user(named: string | undefined): string
  /** The owner of the memory with this id. Rejects with `not_found` without one. */
  ownerOf(id: string, named?: string): Promise<string>
  /** true: a user is named outside the call's options, as in the header X-User-Id. */
  readonly isNamed: boolean
}

/** Whether this is the name of an id. */
export function isEntityName(name: string): name is EntityName {
  return ENTITY_NAMES.some((known) => known === name)
}

/** The ids among options. */
export function scopeOf(fields: Fields): Scope {
  return Object.fromEntries(
    ENTITY_NAMES.filter((name) => fields[name] !== undefined).map((name) => [name, checkId(name, fields[name])]),
  )
}

/** The union of two scopes; throws `invalid` where they differ. */
export function joinScopes(one: Scope, other: Scope): Scope {
  for (const name of ENTITY_NAMES)
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name])
      throw invalid(name, 'is named twice, differently', 'Name it once.')
  return { ...one, ...other }
}

/** Throws `invalid` when a call names no id. */
export function requireScope(scope: Scope): void {
  if (Object.keys(scope).length === 0)
    throw invalid('user_id', 'is missing', `Name at least one of: ${ENTITY_NAMES.join(', ')}.`)
}

/** The user of a call that must name an id. */
export function userOf(whose: Whose, scope: Scope): string {
  if (!whose.isNamed) requireScope(scope)
  return whose.user(scope.user_id)
}

/** An open memory and the caller's users. */
export interface Access {
  readonly memory: OpenMemory
  readonly whose: Whose
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
