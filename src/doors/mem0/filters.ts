/** Converts mem0's filters to the library's. The user must stand at the top or in an AND, since no query crosses users. */
import { check } from '../../domain/checks.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import { checkCondition } from '../../usecases/matching/filter.ts'
import type { OpenMemory } from '../library/index.ts'
import { snakeName } from '../operations/field-names.ts'
import { ENTITIES, type Fields } from './options.ts'

export type Condition = Readonly<Record<string, unknown>>

/** The ids that a call names: a user owns every memory, agent and app are marks on it, a run is a conversation. */
export type Scope = Pick<Fields, (typeof ENTITIES)[number]>

/** Deepest nesting: each level may use two of the library's sixteen. */
const DEEPEST = 7
const OWN_FIELDS: Readonly<Record<string, string>> = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  timestamp: 'occurredAt',
  run_id: 'conversationId',
  agent_id: 'metadata.agent_id',
  app_id: 'metadata.app_id',
}
const NO_FILTERS: Readonly<Record<string, string>> = {
  keywords: 'Ask for the words with search.',
  memory_ids: 'Get each memory by its id.',
  expiration_date: 'Expired memories are left out; show_expired brings them back.',
  categories: 'Put a mark of your own into metadata, and ask for that.',
}

/** The ids that filters name for all that is asked, and the conditions besides. */
export function readFilters(filters: unknown): { readonly scope: Scope; readonly conditions: readonly Condition[] } {
  let scope: Scope = {}
  const name = (ids: Scope): void => {
    scope = joinScopes(scope, ids)
  }
  const conditions = filters === undefined ? [] : conditionsOf('filters', filters, 1, name)
  return { scope, conditions }
}

/** `nameIds`: takes the ids of the group; absent where other groups may hold instead of it. */
function conditionsOf(at: string, group: unknown, depth: number, nameIds?: (ids: Scope) => void): readonly Condition[] {
  if (depth > DEEPEST) throw invalid(at, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
  return Object.entries(check.record(at, group)).flatMap(([written, value]) => {
    const place = `${at}.${written}`
    const name = snakeName(written)
    if (value === undefined) return []
    if (written === 'AND' || written === 'OR' || written === 'NOT') {
      const isAnd = written === 'AND'
      const groups = groupsOf(place, written === 'NOT' && !Array.isArray(value) ? [value] : value).map((inner, index) =>
        conditionsOf(`${place}[${index}]`, inner, depth + 1, isAnd ? nameIds : undefined),
      )
      return isAnd ? groups.flat() : [{ [written]: groups.map((parts) => ({ AND: parts })) }]
    }
    if (isEntityName(name) && nameIds !== undefined) {
      // Clients send unused ids as null; any other null is kept, since dropping it would widen the query.
      if (value === null) return []
      const id = oneId(place, value)
      if (id !== undefined) {
        nameIds({ [name]: id })
        return []
      }
    }
    return conditionOn(place, written, name, value)
  })
}

function conditionOn(at: string, written: string, name: string, value: unknown): readonly Condition[] {
  if (name === 'user_id')
    throw invalid(
      at,
      'must name exactly one user',
      'Nothing is asked across users: put one user_id beside or inside AND.',
    )
  const remedy = Object.hasOwn(NO_FILTERS, name) ? NO_FILTERS[name] : undefined
  if (remedy !== undefined) throw new MnemeError('unsupported', `${at}: is no filter here`, { field: at, remedy })
  if (name === 'metadata')
    return Object.entries(check.record(at, value)).map(([key, one]) => test(`${at}.${key}`, `metadata.${key}`, one))
  const field = Object.hasOwn(OWN_FIELDS, name) ? OWN_FIELDS[name]! : `metadata.${written}`
  return [test(at, field, value)]
}

export function scopeConditions({ user_id: _, ...narrower }: Scope): readonly Condition[] {
  return Object.entries(narrower).map(([name, id]) => ({ [OWN_FIELDS[name] ?? name]: id }))
}

export function joinConditions(conditions: readonly Condition[]): { readonly filters?: Condition } {
  const [first, ...others] = conditions
  if (first === undefined) return {}
  return { filters: others.length === 0 ? first : { AND: conditions } }
}

/** One condition of the library, where a list means any of its values. Errors name the caller's place. */
function test(at: string, field: string, value: unknown): Condition {
  if (!Array.isArray(value)) checkCondition(at, field, value)
  else check.list(at, value, (place, one) => checkCondition(place, field, one))
  return { [field]: Array.isArray(value) ? { in: value } : value }
}

function oneId(at: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return check.id(at, value)
  const several = Array.isArray(value) ? value : 'in' in value ? value.in : undefined
  if (Array.isArray(several)) return several.length === 1 ? check.id(at, several[0]) : undefined
  return 'eq' in value && Object.keys(value).length === 1 ? check.id(at, value.eq) : undefined
}

function groupsOf(at: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(at, 'must be a list of filters with something in it', 'Pass a list such as [{ user_id: "anna" }].')
  return value
}

export function isEntityName(name: string): name is keyof Scope {
  return ENTITIES.some((known) => known === name)
}

export function scopeOf(fields: Fields): Scope {
  return Object.fromEntries(ENTITIES.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}

export function joinScopes(one: Scope, other: Scope): Scope {
  for (const name of ENTITIES)
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name])
      throw invalid(name, 'is named twice, differently', 'Name it once.')
  return { ...one, ...other }
}

export interface Access {
  readonly memory: OpenMemory
  /** The user of a call, given the `named` one. Throws where no user can be determined. */
  readonly user: (named: string | undefined) => string
  /** The owner of the memory with this id. Rejects with `not_found` without one. */
  readonly ownerOf: (id: string, named?: string) => Promise<string>
  /** true: a user is named outside the call's options, as in the header X-User-Id. */
  readonly isNamed: boolean
}

export function requireScope(scope: Scope): void {
  if (Object.keys(scope).length === 0)
    throw invalid('user_id', 'is missing', `Name at least one of: ${ENTITIES.join(', ')}.`)
}

export function userOf({ user, isNamed }: Access, scope: Scope): string {
  if (!isNamed) requireScope(scope)
  return user(scope.user_id)
}

export async function ownedBy({ ownerOf }: Access, fields: Fields): Promise<{ id: string; userId: string }> {
  const id = check.id('memory_id', fields.memory_id)
  return { id, userId: await ownerOf(id, fields.user_id) }
}

/** The only owner of this memory, since mem0 names no user. Rejects without one, and where an import left several. */
export async function onlyOwner(memory: OpenMemory, id: string): Promise<string> {
  const [owner, another] = await memory.owners.of(id)
  if (owner === undefined)
    throw notFound('memory', id, 'Look the id up with getAll or search; it may have been deleted.')
  if (another !== undefined) throw invalid('user_id', 'is missing: several users have this id', 'Name the user.')
  return owner
}
