/** mem0's `search`, `getAll`, `get`, `history`, `users` and `getProfile`; past memories are left out unless requested. */

import { createHash } from 'node:crypto'
import { checkId, checkNumber } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { Memories, MemoryEventView, MemoryView } from '../library/index.ts'
import { createdBetween, type Fields, flag, mostOf, pageOf, readMoment } from './fields.ts'
import {
  type Access,
  categoryCondition,
  joinConditions,
  joinScopes,
  metadataConditions,
  ownedBy,
  readFilters,
  scopeConditions,
  scopeOf,
  userOf,
} from './filters.ts'

const SEARCH_RESULTS = 20
const LIST_RESULTS = 100

export interface Page<Item> {
  readonly results: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

export async function searchRecords(access: Access, fields: Fields): Promise<readonly Partial<MemoryRecord>[]> {
  const { userId, ...which } = whichOf(access, fields)
  const { query, threshold, reference_date: now } = fields
  const least = threshold === undefined ? 0 : checkNumber('threshold', threshold, 0, 1)
  if (typeof query !== 'string') throw invalid('query', 'is missing', 'Pass what to search for.')
  const { results } = await access.memory.search(query, {
    ...which,
    userId,
    limit: mostOf(fields, SEARCH_RESULTS),
    explain: flag(fields, 'explain'),
    ...(now === undefined ? {} : { now: readMoment('reference_date', now) }),
  })
  return results
    .map(({ score, explanation, ...found }) => ({
      ...memoryRecord(found, userId),
      score: Math.min(1, score),
      ...(explanation === undefined ? {} : { score_details: explanation }),
    }))
    .filter(({ score }) => score >= least)
    .map(shownFields(fields))
}

export async function listRecords(access: Access, fields: Fields): Promise<Page<Partial<MemoryRecord>>> {
  const { userId, ...which } = whichOf(access, fields)
  const { page, pageSize } = pageOf(fields, LIST_RESULTS)
  const range = { limit: pageSize, offset: (page - 1) * pageSize }
  const { items, total } = await access.memory.getAll({ ...which, userId, ...range })
  return {
    results: items.map((item) => memoryRecord(item, userId)).map(shownFields(fields)),
    total,
    page,
    pageSize,
  }
}

export async function getRecord(access: Access, named: unknown, fields: Fields): Promise<MemoryRecord> {
  const { id, userId } = await ownedBy(access, named, fields)
  return memoryRecord(await access.memory.get(id, { userId }), userId)
}

export async function historyRecords(
  access: Access,
  named: unknown,
  fields: Fields,
): Promise<readonly HistoryRecord[]> {
  const { id, userId } = await ownedBy(access, named, fields)
  return (await access.memory.history(id, { userId })).map((line, index) => historyRecord(line, userId, index))
}

export async function userRecords({ memory }: Access, fields: Fields): Promise<Page<object>> {
  const { page, pageSize } = pageOf(fields, LIST_RESULTS)
  const { items, total } = await memory.owners.list({ limit: pageSize, offset: (page - 1) * pageSize })
  const results = items.map(({ userId, memories, createdAt, updatedAt }) => ({
    id: userId,
    name: userId,
    type: 'user',
    owner: null,
    total_memories: memories,
    created_at: createdAt,
    updated_at: updatedAt,
  }))
  return { results, total, page, pageSize }
}

export async function profileRecord({ memory, user }: Access, name: unknown): Promise<object> {
  const userId = user(checkId('entity_id', name))
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

function whichOf(access: Access, fields: Fields) {
  const read = readFilters(fields.filters)
  const scope = joinScopes(scopeOf(fields), read.scope)
  const withExpired = flag(fields, 'show_expired')
  const withSuperseded = fields.latest_only !== undefined && !flag(fields, 'latest_only')
  const created = createdBetween(fields)
  const filters = joinConditions([
    ...scopeConditions(scope),
    ...read.conditions,
    ...metadataConditions(fields.metadata),
    ...(fields.categories === undefined ? [] : [categoryCondition(words('categories', fields.categories))]),
    ...(created === undefined ? [] : [created]),
    ...(withExpired && !withSuperseded ? [{ supersededBy: null }] : []),
  ])
  return {
    userId: userOf(access, scope),
    includePast: withExpired || withSuperseded,
    revealSecrets: flag(fields, 'reveal_secrets'),
    ...(filters === undefined ? {} : { filters }),
  }
}

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

/** Memories and their histories in mem0's form, with Mneme's own fields added: snake_case, and as its TypeScript writes it. */
export type MemoryRecord = ReturnType<typeof memoryRecord> & {
  readonly score?: number
  readonly score_details?: unknown
}

/** A memory of this user. `categories` are its category and tags, `expiration_date` is the last valid day or null. */
export function memoryRecord(memory: MemoryView, userId: string) {
  const { agent_id: agent, app_id: app, run_id: run, ...metadata } = memory.metadata ?? {}
  return {
    id: memory.id,
    memory: memory.text,
    hash: createHash('md5').update(memory.text).digest('hex'),
    user_id: userId,
    agent_id: textOrNull(agent),
    app_id: textOrNull(app),
    run_id: memory.conversationId ?? textOrNull(run),
    metadata: metadata as Readonly<Record<string, unknown>>,
    categories: [memory.category, ...memory.tags] as readonly string[],
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    expiration_date:
      memory.validTo === null ? null : new Date(Date.parse(memory.validTo) - 1).toISOString().slice(0, 10),
    superseded_by: memory.supersededBy,
    suspect: memory.suspect,
  }
}

/** A memory as mem0's `Memory` shows it: times in camelCase, ids in both spellings. */
export interface MemoryItem extends Omit<MemoryRecord, 'created_at' | 'updated_at'> {
  readonly createdAt: string
  readonly updatedAt: string
  readonly userId: string
  readonly agentId: string | null
  readonly appId: string | null
  readonly runId: string | null
  readonly expirationDate: string | null
}

export function memoryItem(record: Partial<MemoryRecord>): MemoryItem {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = record
  const { user_id: userId, agent_id: agentId, app_id: appId, run_id: runId, expiration_date: expirationDate } = rest
  const item = { ...rest, createdAt, updatedAt, userId, agentId, appId, runId, expirationDate }
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as unknown as MemoryItem
}

/** The result for one added memory; `event` appears twice, for older and newer callers. */
export type AddedRecord = ReturnType<typeof addedRecord>

export function addedRecord({ event: what, ...added }: Awaited<ReturnType<Memories['add']>>['results'][number]) {
  const event: string = what === 'SUPERSEDE' ? 'ADD' : what
  return { ...added, event, data: { memory: added.memory }, metadata: { event } }
}

/** One line of a memory's history, under the names of mem0's library and platform. */
export type HistoryRecord = ReturnType<typeof historyRecord>

function historyRecord(line: MemoryEventView, userId: string, index: number) {
  return {
    id: `${line.memoryId}:${index + 1}`,
    memory_id: line.memoryId,
    user_id: userId,
    previous_value: line.previousText,
    new_value: line.newText,
    action: line.event as string,
    old_memory: line.previousText,
    new_memory: line.newText,
    event: line.event as string,
    created_at: line.createdAt,
    updated_at: line.createdAt,
    is_deleted: line.event === 'DELETE',
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
