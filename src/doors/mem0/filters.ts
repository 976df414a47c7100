/** Converts mem0's filters to the library's. The user must stand at the top or in an AND, since no query crosses users. */
import { checkId, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError, notFound, withField } from '../../domain/errors.ts'
import { CATEGORIES } from '../../domain/memory.ts'
import { compileFilter as checkFilter } from '../../usecases/memories/filter.ts'
import type { OpenMemory } from '../library/index.ts'
import { snakeName } from '../operations/names.ts'
import { ENTITIES, type Fields, readMoment } from './fields.ts'

export type Condition = Readonly<Record<string, unknown>>

interface ReadFilters {
  readonly scope: Scope
  readonly conditions: readonly Condition[]
}

/** Deepest nesting: each level may use two of the library's sixteen. */
const DEEPEST = 7
/** Fields of times, whose numbers are seconds since the epoch. */
const TIMES: readonly string[] = ['created_at', 'updated_at', 'timestamp']
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
}

export function readFilters(filters: unknown): ReadFilters {
  return filters === undefined ? { scope: {}, conditions: [] } : readGroup('filters', filters, 1)
}

export function metadataConditions(metadata: unknown): readonly Condition[] {
  return metadata === undefined ? [] : [condition('metadata', 'metadata', metadata, 1)]
}

export function categoryCondition(words: readonly string[]): Condition {
  return { OR: words.map((word) => (CATEGORIES.some((known) => known === word) ? { category: word } : { tag: word })) }
}

export function joinConditions(conditions: readonly Condition[]): Condition | undefined {
  const [first, ...others] = conditions
  return others.length === 0 ? first : { AND: conditions }
}

function readGroup(at: string, group: unknown, depth: number): ReadFilters {
  checkDepth(at, depth)
  let scope: Scope = {}
  const conditions: Condition[] = []
  for (const [written, value] of Object.entries(checkRecord(at, group))) {
    const place = `${at}.${written}`
    const name = snakeName(written)
    // Clients send unused ids as null; any other null is kept, since dropping it would widen the query.
    if (value === undefined || (value === null && isEntityName(name))) continue
    if (written === 'AND')
      for (const part of groupsOf(place, value)) {
        const inner = readGroup(part.at, part.group, depth + 1)
        scope = joinScopes(scope, inner.scope)
        conditions.push(...inner.conditions)
      }
    else if (isEntityName(name)) {
      const id = oneId(place, value)
      if (id !== undefined) scope = joinScopes(scope, { [name]: id })
      else if (name === 'user_id') throw severalUsers(place)
      else conditions.push(condition(place, written, value, depth))
    } else conditions.push(condition(place, written, value, depth))
  }
  return { scope, conditions }
}

export function scopeConditions(scope: Scope): readonly Condition[] {
  const { user_id: _, ...narrower } = scope
  return Object.entries(narrower).map(([name, id]) => ({ [OWN_FIELDS[name] ?? name]: id }))
}

function condition(at: string, written: string, value: unknown, depth: number): Condition {
  checkDepth(at, depth)
  if (written === 'AND' || written === 'OR' || written === 'NOT') {
    const groups = groupsOf(at, written === 'NOT' && !Array.isArray(value) ? [value] : value)
    return {
      [written]: groups.map(({ at: place, group }) => {
        const parts = Object.entries(checkRecord(place, group))
        return { AND: parts.map(([name, inner]) => condition(`${place}.${name}`, name, inner, depth + 1)) }
      }),
    }
  }
  const name = snakeName(written)
  if (name === 'user_id') throw severalUsers(at)
  const remedy = Object.hasOwn(NO_FILTERS, name) ? NO_FILTERS[name] : undefined
  if (remedy !== undefined) throw new MnemeError('unsupported', `${at}: is no filter here`, { field: at, remedy })
  if (name === 'categories') return categoryCondition(words(at, value))
  if (name === 'metadata') {
    const parts = Object.entries(checkRecord(at, value))
    return { AND: parts.map(([key, inner]) => test(`${at}.${key}`, `metadata.${key}`, inner)) }
  }
  const field = Object.hasOwn(OWN_FIELDS, name) ? OWN_FIELDS[name]! : `metadata.${written}`
  return test(at, field, TIMES.includes(name) ? withMoments(at, value) : value)
}

/** One library condition, where a list means any of its values. Errors use the caller's names. */
function test(at: string, field: string, value: unknown): Condition {
  const one = { [field]: Array.isArray(value) ? { in: value } : value }
  try {
    checkFilter(one)
  } catch (error) {
    if (!(error instanceof MnemeError) || error.field === undefined) throw error
    const own = `filters.${field}`
    // The caller did not write the list's `in`.
    const rest = error.field.slice(own.length).replace(Array.isArray(value) ? /^\.in(?=\[)/ : /^$/, '')
    throw withField(error, at + rest)
  }
  return one
}

function withMoments(at: string, value: unknown): unknown {
  if (typeof value === 'number') return readMoment(at, value)
  if (Array.isArray(value)) return value.map((one, index) => withMoments(`${at}[${index}]`, one))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withMoments(`${at}.${name}`, inner)]))
}

function oneId(at: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return checkId(at, value)
  const several = Array.isArray(value) ? value : 'in' in value ? value.in : undefined
  if (Array.isArray(several)) return several.length === 1 ? checkId(at, several[0]) : undefined
  return 'eq' in value && Object.keys(value).length === 1 ? checkId(at, value.eq) : undefined
}

function words(at: string, value: unknown): readonly string[] {
  const record = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  const inner: unknown = record === undefined ? value : (Object.values(record)[0] as unknown)
  const isKnown = record === undefined || ['in', 'eq', 'contains'].includes(Object.keys(record).join())
  const list = Array.isArray(inner) ? inner : [inner]
  if (!isKnown || list.length === 0)
    throw invalid(at, 'must be a word or a list of words', 'Pass { in: [...] } for any of several.')
  return list.map((word, index) => checkId(`${at}[${index}]`, word))
}

function groupsOf(at: string, value: unknown): readonly { readonly at: string; readonly group: unknown }[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(at, 'must be a list of filters with something in it', 'Pass a list such as [{ user_id: "anna" }].')
  return value.map((group: unknown, index) => ({ at: `${at}[${index}]`, group }))
}

function checkDepth(at: string, depth: number): void {
  if (depth > DEEPEST) throw invalid(at, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
}

function severalUsers(at: string): MnemeError {
  const remedy = 'Nothing is asked across users: put one user_id beside or inside AND.'
  return invalid(at, 'must name exactly one user', remedy)
}

/** The ids that a call names: a user owns every memory, agent and app are marks on it, a run is a conversation. */
export type Scope = { readonly [Name in (typeof ENTITIES)[number]]?: string }

export interface Access {
  readonly memory: OpenMemory
  /** The user of a call, given the `named` one. Throws where no user can be determined. */
  readonly user: (named: string | undefined) => string
  /** The owner of the memory with this id. Rejects with `not_found` without one. */
  readonly ownerOf: (id: string, named?: string) => Promise<string>
  /** true: a user is named outside the call's options, as in the header X-User-Id. */
  readonly isNamed: boolean
}

export function isEntityName(name: string): name is keyof Scope {
  return ENTITIES.some((known) => known === name)
}

export function scopeOf(fields: Fields): Scope {
  return Object.fromEntries(
    ENTITIES.filter((name) => fields[name] !== undefined).map((name) => [name, checkId(name, fields[name])]),
  )
}

export function joinScopes(one: Scope, other: Scope): Scope {
  for (const name of ENTITIES)
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name])
      throw invalid(name, 'is named twice, differently', 'Name it once.')
  return { ...one, ...other }
}

export function requireScope(scope: Scope): void {
  if (Object.keys(scope).length === 0)
    throw invalid('user_id', 'is missing', `Name at least one of: ${ENTITIES.join(', ')}.`)
}

export function userOf({ user, isNamed }: Access, scope: Scope): string {
  if (!isNamed) requireScope(scope)
  return user(scope.user_id)
}

export async function ownedBy(access: Access, id: unknown, fields: Fields): Promise<{ id: string; userId: string }> {
  const memoryId = checkId('memory_id', id)
  return { id: memoryId, userId: await access.ownerOf(memoryId, scopeOf(fields).user_id) }
}

/** The only owner of this memory, since mem0 names no user. Rejects without one, and where an import left several. */
export async function onlyOwner(memory: OpenMemory, id: string): Promise<string> {
  const [owner, another] = await memory.owners.of(id)
  if (owner === undefined)
    throw notFound('memory', id, 'Look the id up with getAll or search; it may have been deleted.')
  if (another !== undefined) throw invalid('user_id', 'is missing: several users have this id', 'Name the user.')
  return owner
}
