/** mem0's `search`, `getAll`, `get`, `history`, `users` and `getProfile`; past memories are left out unless requested. */

import { createHash } from 'node:crypto'
import { check } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { Memories, MemoryView } from '../library/index.ts'
import { type CamelNames, camelNames } from '../operations/names.ts'
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
import type { Fields } from './options.ts'

const SEARCH_RESULTS = 20
const LIST_RESULTS = 100

export interface Page<Item> {
  readonly results: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

export async function searchRecords(access: Access, fields: Fields): Promise<readonly MemoryRecord[]> {
  const { userId, ...which } = whichOf(access, fields)
  const { query, threshold = 0, top_k: limit = SEARCH_RESULTS, explain = false, reference_date: now } = fields
  if (query === undefined) throw invalid('query', 'is missing', 'Pass what to search for.')
  const { results } = await access.memory.search(query, { ...which, userId, limit, explain, now })
  return results
    .map(({ score, explanation, ...found }) => ({
      ...memoryRecord(found, userId),
      score: Math.min(1, score),
      ...(explanation === undefined ? {} : { score_details: explanation }),
    }))
    .filter(({ score }) => score >= threshold)
    .map((record) => shownFields(fields, record))
}

export async function listRecords(access: Access, fields: Fields): Promise<Page<MemoryRecord>> {
  const { userId, ...which } = whichOf(access, fields)
  return pageOf(fields, async (range) => {
    const { items, total } = await access.memory.getAll({ ...which, userId, ...range })
    return { results: items.map((item) => shownFields(fields, memoryRecord(item, userId))), total }
  })
}

export async function getRecord(access: Access, fields: Fields): Promise<MemoryRecord> {
  const { id, userId } = await ownedBy(access, fields)
  return memoryRecord(await access.memory.get(id, { userId }), userId)
}

/** A memory's history, under the names of mem0's library and platform. */
export async function historyRecords(access: Access, fields: Fields) {
  const { id, userId } = await ownedBy(access, fields)
  return (await access.memory.history(id, { userId })).map(
    ({ memoryId, event, previousText, newText, createdAt }, index) => ({
      id: `${memoryId}:${index + 1}`,
      memory_id: memoryId,
      user_id: userId,
      previous_value: previousText,
      new_value: newText,
      action: event as string,
      old_memory: previousText,
      new_memory: newText,
      event: event as string,
      created_at: createdAt,
      updated_at: createdAt,
      is_deleted: event === 'DELETE',
    }),
  )
}

export type HistoryRecord = Awaited<ReturnType<typeof historyRecords>>[number]

export async function userRecords({ memory }: Access, fields: Fields): Promise<Page<object>> {
  return pageOf(fields, async (range) => {
    const { items, total } = await memory.owners.list(range)
    const results = items.map(({ userId, memories, createdAt, updatedAt }) => ({
      id: userId,
      name: userId,
      type: 'user',
      owner: null,
      total_memories: memories,
      created_at: createdAt,
      updated_at: updatedAt,
    }))
    return { results, total }
  })
}

export async function profileRecord({ memory, user }: Access, { entity_id: named }: Fields): Promise<object> {
  const userId = user(check.id('entity_id', named))
  const { text, updatedAt } = await memory.profile.get({ userId })
  const isEmpty = text === ''
  return {
    profile: isEmpty ? {} : { text },
    status: isEmpty ? 'insufficient_data' : 'succeeded',
    entity_type: 'user',
    entity_id: userId,
    updated_at: updatedAt,
    generation_count: isEmpty ? 0 : 1,
    error: null,
  }
}

async function pageOf<Item>(
  { page = 1, page_size, top_k }: Fields,
  read: (range: { readonly limit: number; readonly offset: number }) => Promise<Pick<Page<Item>, 'results' | 'total'>>,
): Promise<Page<Item>> {
  const limit = page_size ?? top_k ?? LIST_RESULTS
  return { ...(await read({ limit, offset: (page - 1) * limit })), page, pageSize: limit }
}

function whichOf(access: Access, fields: Fields) {
  const { scope: ids, conditions } = readFilters(fields.filters)
  const { metadata, categories, show_expired: withExpired = false, latest_only: onlyLatest = true } = fields
  const scope = joinScopes(scopeOf(fields), ids)
  const createdAt = { ...fields.start_date, ...fields.end_date }
  return {
    userId: userOf(access, scope),
    includePast: withExpired || !onlyLatest,
    revealSecrets: fields.reveal_secrets,
    ...joinConditions([
      ...scopeConditions(scope),
      ...conditions,
      ...(metadata === undefined ? [] : metadataConditions('metadata', metadata)),
      ...(categories === undefined ? [] : [categoryCondition(categories)]),
      ...(Object.keys(createdAt).length === 0 ? [] : [{ createdAt }]),
      ...(withExpired && onlyLatest ? [{ supersededBy: null }] : []),
    ]),
  }
}

function shownFields({ fields }: Fields, record: MemoryRecord): MemoryRecord {
  if (fields === undefined) return record
  const shown = Object.entries(record).filter(([name]) => name === 'id' || fields.includes(name))
  return Object.fromEntries(shown) as unknown as MemoryRecord
}

/** A memory in mem0's form, with Mneme's own fields added. */
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

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A memory as mem0's `Memory` shows it: every field in both spellings. */
export type MemoryItem = MemoryRecord & Readonly<CamelNames<MemoryRecord>>

export function memoryItem(record: MemoryRecord): MemoryItem {
  return { ...record, ...camelNames(record) }
}

/** The result for one added memory; `event` appears twice, for older and newer callers. */
export type AddedRecord = ReturnType<typeof addedRecord>

export function addedRecord({ event: what, ...added }: Awaited<ReturnType<Memories['add']>>['results'][number]) {
  const event: string = what === 'SUPERSEDE' ? 'ADD' : what
  return { ...added, event, data: { memory: added.memory }, metadata: { event } }
}
