/** A caller's filter: equality, mem0's operators, AND, OR and NOT; and the projects in which memories hold. */
import { check } from '../../domain/checks.ts'
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { ComparedField, MemoryFilter, StoredCondition } from '../../domain/contracts/memory-store.ts'
import { invalid } from '../../domain/errors.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory, pathsAbove } from '../../domain/memory.ts'
import { lazy } from '../../domain/scheduling.ts'

type MemoryPredicate = (memory: Memory) => boolean

/** A filter ready for use: all of `stored`, which a store applies itself, and `accepts` must hold. */
export interface CompiledFilter {
  readonly stored: MemoryFilter
  /** null when `stored` says it all. */
  readonly accepts: MemoryPredicate | null
}

/** A filter for a list, of which a store may do more. */
export interface ListFilter extends CompiledFilter {
  /** The part of `accepts` that a store can apply by itself: everything accepted meets it. */
  readonly where: StoredCondition | null
  /** true: whatever meets `where` is accepted. */
  readonly isExact: boolean
}

interface Condition extends Pick<ListFilter, 'where' | 'isExact'> {
  readonly accepts: MemoryPredicate
}

type Scalar = string | number | boolean | null
type Operand = (field: string, value: unknown) => Scalar

interface Field {
  readonly name: string
  readonly read: (memory: Memory) => unknown
  readonly operand: Operand
}

const OPERATORS = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'contains', 'icontains'] as const
const DEEPEST = 16
const STORED: readonly (keyof MemoryFilter)[] = [
  'memoryType',
  'category',
  'source',
  'conversationId',
  'key',
  'who',
  'tag',
  'externalId',
]

const each = (names: string, operand: Operand): Readonly<Record<string, Operand>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, operand]))

/** The fields of a memory that a filter may name, and what they are compared with. */
const FIELDS: Readonly<Record<string, Operand>> = {
  memoryType: oneOf(MEMORY_TYPES),
  category: oneOf(CATEGORIES),
  source: oneOf(MEMORY_SOURCES),
  ...each('conversationId key who tag externalId projectRoot', word),
  ...each('createdAt updatedAt occurredAt validTo buriedAt suspectSince', check.time),
  ...each('confidence importance accessCount', figure),
  supersededBy: word,
}
/** Parts of an episode's metadata that a store may keep as a mark. */
const REPEATED: ReadonlySet<string> = new Set(['thing', 'time', 'chatid', 'who'])
const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const FIELD_NAMES = [...Object.keys(FIELDS), 'metadata.NAME', 'AND', 'OR', 'NOT'].join(', ')

const EVERYTHING: ListFilter = { stored: {}, accepts: null, where: null, isExact: true }

/** Compiles a filter; undefined and null let everything pass. Throws `invalid` naming the part that is wrong. */
export function compileFilter(filters: unknown): ListFilter {
  if (filters === undefined || filters === null) return EVERYTHING
  const record = check.record('filters', filters)
  const condition = all(Object.entries(record).map(([name, value]) => conditionOf(`filters.${name}`, name, value, 1)))
  const stored: Record<string, string> = {}
  for (const name of STORED) {
    const value = record[name]
    if (typeof value === 'string') stored[name] = value
  }
  const isWhole = Object.keys(record).every((name) => name in stored)
  return isWhole ? { stored, accepts: null, where: null, isExact: true } : { stored, ...condition }
}

/** Throws `invalid`, naming `at`, where this is no condition on this field. */
export function checkCondition(at: string, name: string, value: unknown): void {
  conditionOf(at, name, value, 1)
}

function conditionOf(at: string, name: string, value: unknown, depth: number): Condition {
  if (depth > DEEPEST) throw invalid(at, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
  if (name === 'AND') return all(group(at, value, depth))
  if (name === 'OR') return any(group(at, value, depth))
  if (name === 'NOT') return not(any(group(at, Array.isArray(value) ? value : [value], depth)))
  const field = fieldOf(at, name)
  if (typeof value !== 'object' || value === null || value instanceof Date) return comparison(field, at, 'eq', value)
  if (Array.isArray(value))
    throw invalid(at, 'must be one value or operators, not a list', `Write { in: [...] } for any of several values.`)
  const entries = Object.entries(check.record(at, value))
  if (entries.length === 0) throw invalid(at, 'names no operator', `Use one of: ${OPERATORS.join(', ')}.`)
  return all(entries.map(([operator, inner]) => comparison(field, `${at}.${operator}`, operator, inner)))
}

function group(at: string, value: unknown, depth: number): readonly Condition[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(at, 'must be a list of filters with something in it', 'Pass a list such as [{ category: "fact" }].')
  return value.map((part: unknown, index) => {
    const place = `${at}[${index}]`
    return all(
      Object.entries(check.record(place, part)).map(([name, inner]) =>
        conditionOf(`${place}.${name}`, name, inner, depth + 1),
      ),
    )
  })
}

function fieldOf(at: string, name: string): Field {
  if (name.startsWith('metadata.') && name.length > 'metadata.'.length) {
    const path = name.slice('metadata.'.length)
    return { name, read: ({ metadata }) => valueAt(metadata, path), operand: scalar }
  }
  const operand = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (operand === undefined) throw invalid(at, 'is not a filter', `Use one of: ${FIELD_NAMES}.`)
  if (name === 'tag') return { name, read: ({ tags }) => tags, operand }
  if (name === 'suspectSince') return { name, read: ({ suspect }) => suspect?.since, operand }
  return { name, read: (memory) => memory[name as keyof Memory], operand }
}

/** A name as it stands, else a way through nested objects ("project.name"). */
function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const record: Record<string, unknown> = { ...value }
  if (Object.hasOwn(record, path)) return record[path]
  const dot = path.indexOf('.')
  return dot < 0 ? undefined : valueAt(record[path.slice(0, dot)], path.slice(dot + 1))
}

function comparison(field: Field, at: string, name: string, value: unknown): Condition {
  const { read, operand } = field
  const operator = OPERATORS.find((candidate) => candidate === name)
  if (operator === undefined) throw invalid(at, 'is not an operator', `Use one of: ${OPERATORS.join(', ')}.`)
  if (operator === 'in' || operator === 'nin') {
    if (!Array.isArray(value)) throw invalid(at, 'must be a list', 'Pass a list of values.')
    const found = any(value.map((one: unknown, index) => comparison(field, `${at}[${index}]`, 'eq', one)))
    return operator === 'in' ? found : not(found)
  }
  if (operator === 'contains' || operator === 'icontains') return contains(field, at, value, operator === 'icontains')
  const wanted = operandOrNull(at, value, operand)
  // A store does not compare lists.
  const isStored = Object.hasOwn(FIELDS, field.name) && field.name !== 'tag'
  if (operator === 'eq' || operator === 'ne') {
    // A list is equal to a value that is in it: tags, lists in metadata.
    const accepts: MemoryPredicate = (memory) => {
      const actual = read(memory)
      return Array.isArray(actual) ? actual.includes(wanted) : (actual ?? null) === wanted
    }
    const same: Condition = isStored
      ? { accepts, where: compared(field, '=', wanted), isExact: true }
      : { accepts, where: metadataWith(field, wanted), isExact: false }
    return operator === 'eq' ? same : not(same)
  }
  if (typeof wanted !== 'number' && typeof wanted !== 'string')
    throw invalid(at, 'has nothing to compare with', 'Pass a number, a text or a time.')
  // Texts are in another order in a store.
  const isExact = isStored && typeof wanted === 'number'
  const accepts: MemoryPredicate = (memory) => {
    const actual = read(memory)
    if (typeof actual !== typeof wanted || (typeof actual !== 'number' && typeof actual !== 'string')) return false
    if (operator === 'gt') return actual > wanted
    if (operator === 'gte') return actual >= wanted
    return operator === 'lt' ? actual < wanted : actual <= wanted
  }
  return { accepts, where: isExact ? compared(field, SIGNS[operator], wanted) : null, isExact }
}

function compared({ name }: Field, is: '=' | (typeof SIGNS)[keyof typeof SIGNS], value: Scalar): StoredCondition {
  return { field: name as ComparedField, is, value: value as Exclude<Scalar, boolean> }
}

/** Where a text is a value of metadata, it stands in the metadata. */
function metadataWith({ name }: Field, wanted: Scalar): StoredCondition | null {
  const isText = typeof wanted === 'string' && name.startsWith('metadata.')
  return isText && !REPEATED.has(name.slice('metadata.'.length)) ? { metadata: wanted } : null
}

function contains({ read }: Field, at: string, value: unknown, anyCase: boolean): Condition {
  if (typeof value !== 'string') throw invalid(at, 'must be text', 'Pass the text to look for.')
  const fold = (text: string): string => (anyCase ? text.toLowerCase() : text)
  const wanted = fold(value)
  const accepts: MemoryPredicate = (memory) => {
    const actual = read(memory)
    return (Array.isArray(actual) ? actual : [actual]).some(
      (one: unknown) => typeof one === 'string' && fold(one).includes(wanted),
    )
  }
  return { accepts, where: null, isExact: false }
}

function all(parts: readonly Condition[]): Condition {
  return {
    accepts: (memory) => parts.every(({ accepts }) => accepts(memory)),
    where: { all: parts.flatMap(({ where }) => where ?? []) },
    isExact: parts.every(({ isExact }) => isExact),
  }
}

function any(parts: readonly Condition[]): Condition {
  const stored = parts.flatMap(({ where }) => where ?? [])
  return {
    accepts: (memory) => parts.some(({ accepts }) => accepts(memory)),
    where: stored.length === parts.length ? { any: stored } : null,
    isExact: parts.every(({ isExact }) => isExact),
  }
}

function not({ accepts, where, isExact }: Condition): Condition {
  return { accepts: (memory) => !accepts(memory), where: isExact && where !== null ? { not: where } : null, isExact }
}

function operandOrNull(at: string, value: unknown, operand: Operand): Scalar {
  return value === null ? null : operand(at, value)
}

function oneOf(words: readonly string[]): Operand {
  return (at, value) => check.oneOf(at, value, words)
}

function word(at: string, value: unknown): Scalar {
  if (typeof value !== 'string') throw invalid(at, 'must be text', 'Pass a string.')
  return value
}

function figure(at: string, value: unknown): Scalar {
  if (typeof value !== 'number' || Number.isNaN(value)) throw invalid(at, 'must be a number', 'Pass a number.')
  return value
}

function scalar(at: string, value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw invalid(at, 'must be text, a number, true or false', 'Pass a plain value.')
}

export type KnownProjects = Pick<ConversationLog, 'firstProject' | 'conversation'>

// Loaded late: it brings the tables of attributes, and some processes only store.
const deciding = lazy(() => import('../../thinking/scope/scope-of.ts'))

/** The longest known root that contains the path; the path itself where none does. */
export async function projectOf(
  log: Pick<ConversationLog, 'firstProject'>,
  userId: string,
  path: string | null,
): Promise<string | null> {
  return path === null ? null : ((await log.firstProject(userId, pathsAbove(path))) ?? path)
}

/** The project of a conversation; null where it has none, or there is no such conversation. */
export async function projectOfConversation(
  log: Pick<ConversationLog, 'conversation'>,
  userId: string,
  conversationId: string,
): Promise<string | null> {
  return (await log.conversation(userId, conversationId))?.projectRoot || null
}

/** The project of an addition: the named one, else that of its conversation. */
export async function projectOfAddition(
  log: KnownProjects,
  userId: string,
  { projectRoot, conversationId }: Pick<Memory, 'projectRoot' | 'conversationId'>,
): Promise<string | null> {
  if (projectRoot !== null || conversationId === null) return projectOf(log, userId, projectRoot)
  return projectOfConversation(log, userId, conversationId)
}

/** The filter, and besides it that a memory holds in this project. */
export function boundTo<T extends CompiledFilter>(project: string | null, filter: T): T {
  return project === null ? filter : { ...filter, stored: { ...filter.stored, projectRoot: project } }
}

/** A memory that was said in this project, with the project in which it holds. `scope`: as a model said; absent: the rules decide. */
export async function inScope<T extends Pick<Memory, 'text' | 'key' | 'projectRoot'>>(
  memory: T,
  project: string | null,
  scope?: 'user' | 'project',
): Promise<T> {
  if (project === null || scope === 'user') return { ...memory, projectRoot: null }
  if (scope === 'project') return { ...memory, projectRoot: project }
  const { scopeOf } = await deciding()
  return { ...memory, projectRoot: scopeOf(memory, project) }
}
