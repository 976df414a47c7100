/** mem0's `add`, `update`, `delete`, `reset` and batches, of which every part is checked before the first is written. */
import { check } from '../../domain/checks.ts'
import { invalid, MnemeError, notFound, withField } from '../../domain/errors.ts'
import { ROLES, ROLES_BY_NAME } from '../../domain/turn.ts'
import type { MessageInput } from '../../usecases/memories-add.ts'
import type { UpdateMemoryInput } from '../../usecases/memories-edit.ts'
import type { OpenMemory } from '../library/index.ts'
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
import { CALLS, type Fields, readOptions } from './options.ts'
import { type AddedRecord, addedRecord, type MemoryRecord, memoryRecord } from './read.ts'

export interface AddRecord {
  readonly results: readonly AddedRecord[]
  /** mem0's graph, always empty: here relations are ordinary memories. */
  readonly relations: readonly never[]
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  readonly job_id?: string
  readonly status?: 'PENDING'
}

/** Adds memories. A model is waited for, unless `async_mode` is true, and for `waitMs` at most: then it is PENDING. */
export async function addRecords(access: Access, fields: Fields, waitMs?: number): Promise<AddRecord> {
  const { infer = true, async_mode: isAsync = false, timestamp: createdAt, expiration_date: validTo } = fields
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
    wait: !isAsync,
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
  return { message: 'Memory updated successfully!', ...(await (await planUpdate(access, fields))()) }
}

export async function deleteRecord(access: Access, fields: Fields) {
  await (await planDeletion(access, fields))()
  return { message: 'Memory deleted successfully!' }
}

/** Checks a change; what it resolves to writes it. */
async function planUpdate(access: Access, fields: Fields): Promise<() => Promise<MemoryRecord>> {
  const { memory } = access
  const { text, metadata: added, timestamp: occurredAt, expiration_date: validTo } = fields
  if ([text, added, occurredAt, validTo].every((one) => one === undefined))
    throw invalid('text', 'is missing', 'Pass at least one of: text, metadata, timestamp, expiration_date.')
  const { id, userId } = await ownedBy(access, fields)
  const { metadata: before, supersededBy } = await memory.get(id, { userId })
  if (validTo !== undefined && supersededBy !== null)
    throw invalid('expiration_date', 'was set by the memory that took its place', `Edit the memory ${supersededBy}.`)
  const merged = added === undefined ? undefined : { ...before, ...ownMetadata(added, { ...before, user_id: userId }) }
  const patch: UpdateMemoryInput = { text, occurredAt, validTo, metadata: merged && check.metadata('metadata', merged) }
  return async () => memoryRecord(await memory.update(id, patch, { userId }), userId)
}

async function planDeletion(access: Access, fields: Fields): Promise<() => Promise<void>> {
  const { memory } = access
  const { id, userId } = await ownedBy(access, fields)
  // Rejects where there is none.
  await memory.get(id, { userId })
  const ids = [id, ...(fields.delete_linked === true ? await forerunners(memory, id, userId) : [])]
  return async () => {
    for (const one of ids) await memory.delete(one, { userId })
  }
}

export function updateBatch(access: Access, fields: Fields) {
  return inBatch('updated', fields, (part) => planUpdate(access, part))
}

export function deleteBatch(access: Access, fields: Fields) {
  return inBatch('deleted', fields, (part) => planDeletion(access, part))
}

async function inBatch(done: string, { memories }: Fields, plan: (part: Fields) => Promise<() => Promise<unknown>>) {
  if (memories === undefined) throw invalid('memories', 'is missing', 'Pass a list of { memory_id }.')
  const seen = new Set<string>()
  const planned: (() => Promise<unknown>)[] = []
  for (const [index, part] of memories.entries())
    try {
      const fields = readOptions(typeof part === 'string' ? { memory_id: part } : part, CALLS.update)
      const id = check.id('memory_id', fields.memory_id)
      if (seen.has(id)) throw invalid('memory_id', `names ${id} a second time`, 'Name each memory once.')
      seen.add(id)
      planned.push(await plan(fields))
    } catch (error) {
      if (!(error instanceof MnemeError) || error.field === undefined) throw error
      throw withField(error, `memories[${index}].${error.field}`)
    }
  for (const work of planned) await work()
  return { message: `Successfully ${done} ${planned.length} memories` }
}

export async function deleteScope(access: Access, fields: Fields) {
  const scope = scopeOf(fields)
  requireScope(scope)
  const which = { userId: userOf(access, scope), ...joinConditions(scopeConditions(scope)) }
  return { message: 'Memories deleted successfully!', deleted: (await access.memory.deleteAll(which)).deleted }
}

export async function deleteEntity(access: Access, { entity_type: type, entity_id: name }: Fields) {
  const field = `${type}_id`
  if (!isEntityName(field)) throw notFound('kind of entity', type ?? '', 'Use one of: user, agent, app, run.')
  if ((await deleteScope(access, { [field]: name })).deleted === 0)
    throw new MnemeError('not_found', `There are no memories of the ${type} ${JSON.stringify(name)}.`, {
      remedy: 'Look the name up; they may have been deleted.',
    })
  return { message: 'Entity deleted successfully.' }
}

export async function deleteEverything(memory: OpenMemory): Promise<{ readonly deleted: number }> {
  let deleted = 0
  for (;;) {
    const { items } = await memory.owners.list({ limit: 1000 })
    if (items.length === 0) return { deleted }
    for (const { userId } of items) deleted += (await memory.deleteAll({ userId })).deleted
  }
}

/** Ids of the memories in whose place this one stands, and of those in theirs. */
async function forerunners(memory: OpenMemory, id: string, userId: string): Promise<readonly string[]> {
  const story = new Set((await memory.history(id, { userId })).map(({ memoryId }) => memoryId))
  const others = await Promise.all([...story].filter((one) => one !== id).map((one) => memory.get(one, { userId })))
  const found = new Set([id])
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const { id: other, supersededBy } of others)
      if (supersededBy !== null && found.has(supersededBy)) found.add(other)
  }
  found.delete(id)
  return [...found]
}
