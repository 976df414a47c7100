/** mem0's calls over memories: search, list, get, history, add, update, delete, reset. Past ones are left out unless requested. */
import { createHash } from 'node:crypto'
import { check } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { ROLES, ROLES_BY_NAME } from '../../domain/turn.ts'
import type { MessageInput } from '../../usecases/memories.ts'
import type { UpdateMemoryInput } from '../../usecases/memories-edit.ts'
import type { Memories, MemoryView, OpenMemory } from '../library/index.ts'
import { type CamelNames, camelNames } from '../operations/field-names.ts'
import {
  type Access,
  isEntityName,
  joinConditions,
  joinScopes,
  ownedBy,
  readFilters,
  requireScope,
  type Scope,
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
  const { query, threshold = 0, top_k: limit = SEARCH_RESULTS, explain = false } = fields
  if (query === undefined) throw invalid('query', 'is missing', 'Pass what to search for.')
  const { results } = await access.memory.search(query, { ...which, userId, limit, explain })
  return results
    .map(({ score, explanation, ...found }) => ({
      ...memoryRecord(found, userId),
      score: Math.min(1, score),
      ...(explanation === undefined ? {} : { score_details: explanation }),
    }))
    .filter(({ score }) => score >= threshold)
}

export async function listRecords(access: Access, fields: Fields): Promise<Page<MemoryRecord>> {
  const which = whichOf(access, fields)
  const { page = 1, page_size: pageSize = fields.top_k ?? LIST_RESULTS } = fields
  const { items, total } = await access.memory.getAll({ ...which, limit: pageSize, offset: (page - 1) * pageSize })
  return { results: items.map((item) => memoryRecord(item, which.userId)), total, page, pageSize }
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

function whichOf(access: Access, fields: Fields) {
  const { scope: ids, conditions } = readFilters(fields.filters)
  const { show_expired: includePast = false } = fields
  const scope = joinScopes(scopeOf(fields), ids)
  return {
    userId: userOf(access, scope),
    includePast,
    ...joinConditions([...scopeConditions(scope), ...conditions, ...(includePast ? [{ supersededBy: null }] : [])]),
  }
}

/** A memory in mem0's form, with Mneme's own fields added. */
export type MemoryRecord = ReturnType<typeof memoryRecord> & {
  readonly score?: number
  readonly score_details?: unknown
}

/** A memory of this user. `categories` are its category and tags, `expiration_date` is the last valid day or null. */
function memoryRecord(memory: MemoryView, userId: string) {
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

function addedRecord({ event: what, ...added }: Awaited<ReturnType<Memories['add']>>['results'][number]) {
  const event: string = what === 'SUPERSEDE' ? 'ADD' : what
  return { ...added, event, data: { memory: added.memory }, metadata: { event } }
}

export interface AddRecord {
  readonly results: readonly AddedRecord[]
  /** mem0's graph, always empty: here relations are ordinary memories. */
  readonly relations: readonly never[]
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  readonly job_id?: string
  readonly status?: 'PENDING'
}

/** Adds memories. A model is waited for, for `waitMs` at most: then it is PENDING. */
export async function addRecords(access: Access, fields: Fields, waitMs?: number): Promise<AddRecord> {
  const { infer = true, timestamp: createdAt, expiration_date: validTo } = fields
  const messages = readMessages(fields.messages, !infer)
  const scope = scopeOfAddition(fields)
  // A run is a mark although it is the conversation, so that memories of different runs are not merged.
  const { user_id: _, ...marks } = scope
  const metadata = { ...ownMetadata(fields.metadata, scope), ...marks }
  // mem0 separates memories by ids, so each is compared only with those of the same ids.
  const among: Readonly<Record<string, string>> = Object.assign({}, ...scopeConditions(scope))
  const { results, rejected, jobId } = await access.memory.add(messages, {
    userId: userOf(access, scope),
    infer,
    wait: true,
    waitMs,
    conversationId: scope.run_id,
    createdAt,
    validTo,
    ...(Object.keys(among).length === 0 ? {} : { among }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  })
  return {
    results: results.map(addedRecord),
    relations: [],
    rejected,
    ...(jobId === undefined ? {} : { job_id: jobId }),
    ...(results.some(({ event }) => event === 'PENDING') ? { status: 'PENDING' as const } : {}),
  }
}

export function ownerOfAddition(access: Access, fields: Fields): string {
  return userOf(access, scopeOfAddition(fields))
}

function scopeOfAddition(fields: Fields): Scope {
  const { scope, conditions } = readFilters(fields.filters)
  if (conditions.length > 0)
    throw invalid('filters', 'can only name ids where something is added', 'Put the rest into metadata.')
  return joinScopes(scopeOf(fields), scope)
}

/** The caller's metadata. Throws `invalid` where it names other ids than the call. */
function ownMetadata(given: unknown, scope: Scope): Readonly<Record<string, unknown>> {
  const own = Object.entries(check.metadata('metadata', given) ?? {}).filter(([name, value]) => {
    if (isEntityName(name) && scope[name] !== value)
      throw invalid(`metadata.${name}`, 'is a name of its own', `Pass ${name} beside metadata.`)
    return !isEntityName(name)
  })
  return Object.fromEntries(own)
}

/** The messages of a call; those without text are left out, and with `verbatim` instructions to the model too. */
function readMessages(given: unknown, verbatim: boolean): string | readonly MessageInput[] {
  if (given === undefined) throw invalid('messages', 'is missing', 'Pass a text, or a list of messages.')
  if (typeof given === 'string') return given
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const messages = list.flatMap((message, index) => readMessage(`messages[${index}]`, message))
  const kept = verbatim ? messages.filter(({ role }) => role !== 'system') : messages
  if (kept.length === 0) throw invalid('messages', 'say nothing', 'Pass a message of a user or an assistant.')
  return kept
}

function readMessage(at: string, message: unknown): readonly MessageInput[] {
  const { role = 'user', content } = check.record(at, message)
  const known = ROLES_BY_NAME.get(role)
  if (known === undefined) throw invalid(`${at}.role`, 'is not known', `Use one of: ${ROLES.join(', ')}.`)
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ role: known, content }]
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return [{ role: known, content: parts.map((part, index) => partOf(`${at}.content[${index}]`, part)).join('\n') }]
}

function partOf(at: string, part: unknown): string {
  const { type, text } = check.record(at, part)
  if (type !== 'text')
    throw new MnemeError('unsupported', `${at}: only texts are remembered`, {
      field: at,
      remedy: 'Say in words what an image or a file shows.',
    })
  if (typeof text !== 'string') throw invalid(`${at}.text`, 'must be text', 'Pass a string.')
  return text
}

export async function updateRecord(access: Access, fields: Fields) {
  const { memory } = access
  const { text, metadata: added, expiration_date: validTo } = fields
  if ([text, added, validTo].every((one) => one === undefined))
    throw invalid('text', 'is missing', 'Pass at least one of: text, metadata, expiration_date.')
  const { id, userId } = await ownedBy(access, fields)
  const { metadata: before, supersededBy } = await memory.get(id, { userId })
  if (validTo !== undefined && supersededBy !== null)
    throw invalid('expiration_date', 'was set by the memory that took its place', `Edit the memory ${supersededBy}.`)
  const merged = added === undefined ? undefined : { ...before, ...ownMetadata(added, { ...before, user_id: userId }) }
  const patch: UpdateMemoryInput = { text, validTo, metadata: merged && check.metadata('metadata', merged) }
  return {
    message: 'Memory updated successfully!',
    ...memoryRecord(await memory.update(id, patch, { userId }), userId),
  }
}

export async function deleteRecord(access: Access, fields: Fields) {
  const { memory } = access
  const { id, userId } = await ownedBy(access, fields)
  // Rejects where there is none.
  await memory.get(id, { userId })
  await memory.delete(id, { userId })
  return { message: 'Memory deleted successfully!' }
}

export async function deleteScope(access: Access, fields: Fields) {
  const scope = scopeOf(fields)
  requireScope(scope)
  const which = { userId: userOf(access, scope), ...joinConditions(scopeConditions(scope)) }
  return { message: 'Memories deleted successfully!', deleted: (await access.memory.deleteAll(which)).deleted }
}

export async function deleteEverything(memory: OpenMemory): Promise<{ readonly deleted: number }> {
  let deleted = 0
  for (;;) {
    const { items } = await memory.owners.list({ limit: 1000 })
    if (items.length === 0) return { deleted }
    for (const { userId } of items) deleted += (await memory.deleteAll({ userId })).deleted
  }
}
