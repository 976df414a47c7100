/** mem0's `search`, `getAll`, `get` and `history`; past memories are left out unless requested. */
import { checkId, checkInteger, checkNumber } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { createdBetween, type Fields, type FieldTable, flag, mostOf, readMoment } from './fields.ts'
import {
  type Condition,
  categoryCondition,
  joinConditions,
  metadataConditions,
  readFilters,
  scopeConditions,
} from './filters.ts'
import { type HistoryRecord, historyRecord, type MemoryRecord, memoryRecord } from './records.ts'
import type { Access } from './scope.ts'
import { joinScopes, scopeOf, userOf } from './scope.ts'

const WHICH = [
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'filters',
  'metadata',
  'categories',
  'top_k',
  'limit',
  'show_expired',
  'latest_only',
  'fields',
  'reveal_secrets',
] as const

/** Options of `search`. */
export const SEARCH_FIELDS: FieldTable = {
  known: ['query', ...WHICH, 'threshold', 'explain', 'reference_date'],
  needed: ['query'],
}
/** Options of `getAll`. */
export const LIST_FIELDS: FieldTable = { known: [...WHICH, 'page', 'page_size', 'start_date', 'end_date'] }
/** Options of a call about one memory. */
export const ONE_FIELDS: FieldTable = { known: ['user_id'] }

const SEARCH_RESULTS = 20
const LIST_RESULTS = 100

/** A page of memories. */
export interface ListRecord {
  readonly results: readonly Partial<MemoryRecord>[]
  /** Number of memories on all pages. */
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** Memories, best first. `score` is 0 to 1, and comparable within one answer. */
export async function searchRecords(
  { memory, whose }: Access,
  fields: Fields,
): Promise<readonly Partial<MemoryRecord>[]> {
  const { userId, ...which } = whichOf({ memory, whose }, fields)
  const { query, threshold, reference_date: now } = fields
  const least = threshold === undefined ? 0 : checkNumber('threshold', threshold, 0, 1)
  if (typeof query !== 'string') throw invalid('query', 'is missing', 'Pass what to search for.')
  const { results } = await memory.search(query, {
    ...which,
    userId,
    limit: mostOf(fields, SEARCH_RESULTS),
    explain: flag(fields, 'explain'),
    ...(now === undefined ? {} : { now: readMoment('reference_date', now) }),
  })
  const show = shownFields(fields)
  return results
    .map(({ score, explanation, ...found }) => ({
      ...memoryRecord(found, userId),
      score: Math.min(1, score),
      ...(explanation === undefined ? {} : { score_details: explanation }),
    }))
    .filter(({ score }) => score >= least)
    .map(show)
}

/** Memories, last changed first. */
export async function listRecords(access: Access, fields: Fields): Promise<ListRecord> {
  const { userId, ...which } = whichOf(access, fields)
  const pageSize =
    fields.page_size === undefined
      ? mostOf(fields, LIST_RESULTS)
      : checkInteger('page_size', fields.page_size, 1, 10_000)
  const page = fields.page === undefined ? 1 : checkInteger('page', fields.page, 1, 1_000_000_000)
  const { items, total } = await access.memory.getAll({
    ...which,
    userId,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  })
  const show = shownFields(fields)
  return { results: items.map((item) => show(memoryRecord(item, userId))), total, page, pageSize }
}

/** One memory, current or past. */
export async function getRecord({ memory, whose }: Access, id: unknown, fields: Fields): Promise<MemoryRecord> {
  const memoryId = checkId('memory_id', id)
  const userId = await whose.ownerOf(memoryId, scopeOf(fields).user_id)
  return memoryRecord(await memory.get(memoryId, { userId }), userId)
}

/** The history of a memory, oldest first. */
export async function historyRecords(
  { memory, whose }: Access,
  id: unknown,
  fields: Fields,
): Promise<readonly HistoryRecord[]> {
  const memoryId = checkId('memory_id', id)
  const userId = await whose.ownerOf(memoryId, scopeOf(fields).user_id)
  return (await memory.history(memoryId, { userId })).map((line, index) => historyRecord(line, userId, index))
}

/** User, filters and inclusion of past memories for a call. */
function whichOf({ whose }: Access, fields: Fields) {
  const read = readFilters(fields.filters)
  const scope = joinScopes(scopeOf(fields), read.scope)
  const withExpired = flag(fields, 'show_expired')
  const withSuperseded = fields.latest_only !== undefined && !flag(fields, 'latest_only')
  const created = createdBetween(fields.start_date, fields.end_date)
  const conditions: Condition[] = [
    ...scopeConditions(scope),
    ...read.conditions,
    ...metadataConditions(fields.metadata),
    ...(fields.categories === undefined ? [] : [categoryCondition(words('categories', fields.categories))]),
    ...(created === undefined ? [] : [created]),
    ...(withExpired && !withSuperseded ? [{ supersededBy: null }] : []),
  ]
  const filters = joinConditions(conditions)
  return {
    userId: userOf(whose, scope),
    includePast: withExpired || withSuperseded,
    revealSecrets: flag(fields, 'reveal_secrets'),
    ...(filters === undefined ? {} : { filters }),
  }
}

/** Reduces a record to the requested fields and its id. */
function shownFields({ fields }: Fields): (record: MemoryRecord) => Partial<MemoryRecord> {
  if (fields === undefined) return (record) => record
  const names = ['id', ...words('fields', fields)]
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

function words(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(field, 'must be a list of names with something in it', 'Pass a list of strings.')
  return value.map((word: unknown, index) => checkId(`${field}[${index}]`, word))
}
