/** mem0's `add`, `update`, `delete`, `reset` and batches, of which every part is checked before the first is written. */
import { checkBoolean, checkContent, checkId, checkMetadata, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError, withField } from '../../domain/errors.ts'
import { ROLES as OUR_ROLES, type Role } from '../../domain/turn.ts'
import type { MessageInput } from '../../usecases/memories-add.ts'
import type { UpdateMemoryInput } from '../../usecases/memories-edit.ts'
import type { OpenMemory } from '../library/index.ts'
import { endOfDay, FIELDS, type Fields, flag, readFields, readMoment, TEXT_NAMES } from './fields.ts'
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
import { type AddedRecord, addedRecord, type MemoryRecord, memoryRecord } from './read.ts'

export interface AddRecord {
  readonly results: readonly AddedRecord[]
  /** mem0's graph, always empty: here relations are ordinary memories. */
  readonly relations: readonly never[]
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  readonly job_id?: string
  readonly status?: 'PENDING'
}

/** Adds memories. A model is waited for, unless `async_mode` is true, and for `patienceMs` at most: then it is PENDING. */
export async function addRecords(access: Access, fields: Fields, patienceMs?: number): Promise<AddRecord> {
  const infer = fields.infer === undefined ? true : checkBoolean('infer', fields.infer)
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
    wait: !flag(fields, 'async_mode'),
    ...(patienceMs === undefined ? {} : { waitMs: patienceMs }),
    ...(Object.keys(among).length === 0 ? {} : { among }),
    ...(scope.run_id === undefined ? {} : { conversationId: scope.run_id }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(fields.timestamp === undefined ? {} : { createdAt: readMoment('timestamp', fields.timestamp) }),
    ...(fields.expiration_date === undefined ? {} : { validTo: endOfDay('expiration_date', fields.expiration_date) }),
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
  const metadata = checkMetadata('metadata', given) ?? {}
  for (const [name, value] of Object.entries(metadata))
    if (isEntityName(name) && scope[name] !== value)
      throw invalid(`metadata.${name}`, 'is a name of its own', `Pass ${name} beside metadata.`)
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !isEntityName(name)))
}

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ...OUR_ROLES.map((role) => [role, role] as const),
  ['developer', 'system'],
  ['function', 'tool'],
])

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
  const { role = 'user', content } = checkRecord(at, message)
  const known = ROLES.get(role)
  if (known === undefined) throw invalid(`${at}.role`, 'is not known', `Use one of: ${[...ROLES.keys()].join(', ')}.`)
  if (content === undefined || content === null) return []
  return [{ role: known, content: textOf(`${at}.content`, content) }]
}

function textOf(at: string, content: unknown): string {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part, index) => {
      const place = `${at}[${index}]`
      const { type, text } = checkRecord(place, part)
      if (type !== 'text')
        throw new MnemeError('unsupported', `${place}: only texts are remembered`, {
          field: place,
          remedy: 'Say in words what an image or a file shows.',
        })
      if (typeof text !== 'string') throw invalid(`${place}.text`, 'must be text', 'Pass a string.')
      return text
    })
    .join('\n')
}

export async function updateRecord(access: Access, id: unknown, fields: Fields): Promise<MemoryRecord> {
  return (await planUpdate(access, id, fields))()
}

export async function deleteRecord(access: Access, id: unknown, fields: Fields): Promise<void> {
  await (await planDeletion(access, id, fields))()
}

export function updateBatch(access: Access, fields: Fields): Promise<number> {
  return inBatch(fields, (id, rest) => planUpdate(access, id, rest))
}

export function deleteBatch(access: Access, fields: Fields): Promise<number> {
  return inBatch(fields, (id, rest) => planDeletion(access, id, rest))
}

/** Checks a change; what it resolves to writes it. */
async function planUpdate(access: Access, named: unknown, fields: Fields): Promise<() => Promise<MemoryRecord>> {
  const { memory } = access
  const text = newText(fields)
  const { metadata: added, timestamp, expiration_date: end } = fields
  const patch: UpdateMemoryInput = {
    ...(text === undefined ? {} : { text }),
    ...(timestamp === undefined ? {} : { occurredAt: readMoment('timestamp', timestamp) }),
    ...(end === undefined ? {} : { validTo: end === null ? null : endOfDay('expiration_date', end) }),
  }
  if (added === undefined && Object.keys(patch).length === 0)
    throw invalid('text', 'is missing', 'Pass at least one of: text, metadata, timestamp, expiration_date.')
  const { id, userId } = await ownedBy(access, named, fields)
  const { metadata: before, supersededBy } = await memory.get(id, { userId })
  if (end !== undefined && supersededBy !== null)
    throw invalid('expiration_date', 'was set by the memory that took its place', `Edit the memory ${supersededBy}.`)
  const merged = added === undefined ? undefined : { ...before, ...ownMetadata(added, { ...before, user_id: userId }) }
  const metadata = merged === undefined ? {} : { metadata: checkMetadata('metadata', merged) }
  return async () => memoryRecord(await memory.update(id, { ...patch, ...metadata }, { userId }), userId)
}

async function planDeletion(access: Access, named: unknown, fields: Fields): Promise<() => Promise<void>> {
  const { memory } = access
  const isLinked = flag(fields, 'delete_linked')
  const { id, userId } = await ownedBy(access, named, fields)
  await memory.get(id, { userId })
  const ids = [id, ...(isLinked ? await forerunners(memory, id, userId) : [])]
  return async () => {
    for (const one of ids) await memory.delete(one, { userId })
  }
}

const MOST_PARTS = 1000

async function inBatch(
  { memories }: Fields,
  plan: (id: string, rest: Fields) => Promise<() => Promise<unknown>>,
): Promise<number> {
  if (!Array.isArray(memories) || memories.length === 0 || memories.length > MOST_PARTS)
    throw invalid('memories', `must be a list of 1 to ${MOST_PARTS}`, 'Pass a list of { memory_id }.')
  const parts = new Map<string, { readonly at: string; readonly rest: Fields }>()
  for (const [index, part] of (memories as readonly unknown[]).entries()) {
    const at = `memories[${index}]`
    const given = typeof part === 'string' ? { memory_id: part } : checkRecord(at, part)
    const { memory_id: named, ...rest } = await placed(at, async () => readFields(given, FIELDS.part))
    const id = checkId(`${at}.memory_id`, named)
    if (parts.has(id)) throw invalid(`${at}.memory_id`, `names ${id} a second time`, 'Name each memory once.')
    parts.set(id, { at, rest })
  }
  const planned: (() => Promise<unknown>)[] = []
  for (const [id, { at, rest }] of parts) planned.push(await placed(at, () => plan(id, rest)))
  for (const work of planned) await work()
  return planned.length
}

/** Runs one part of a batch; an input error is prefixed with the part's place. */
async function placed<T>(at: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof MnemeError) || error.field === undefined) throw error
    throw withField(error, `${at}.${error.field}`)
  }
}

export async function deleteScope(access: Access, fields: Fields): Promise<number> {
  const scope = scopeOf(fields)
  requireScope(scope)
  const filters = joinConditions(scopeConditions(scope))
  const userId = userOf(access, scope)
  return (await access.memory.deleteAll({ userId, ...(filters === undefined ? {} : { filters }) })).deleted
}

export async function deleteEntity(access: Access, type: string, name: unknown): Promise<void> {
  const field = `${type}_id`
  if (!isEntityName(field))
    throw new MnemeError('not_found', `There is no kind of entity ${JSON.stringify(type)}.`, {
      remedy: 'Use one of: user, agent, app, run.',
    })
  if ((await deleteScope(access, { [field]: checkId(field, name) })) === 0)
    throw new MnemeError('not_found', `There are no memories of the ${type} ${JSON.stringify(name)}.`, {
      remedy: 'Look the name up; they may have been deleted.',
    })
}

export async function deleteEverything(memory: OpenMemory): Promise<{ readonly deleted: number }> {
  let deleted = 0
  for (;;) {
    const { items } = await memory.owners.list({ limit: 1000 })
    if (items.length === 0) return { deleted }
    for (const { userId } of items) deleted += (await memory.deleteAll({ userId })).deleted
  }
}

function newText(fields: Fields): string | undefined {
  const [name, ...others] = TEXT_NAMES.filter((one) => fields[one] !== undefined)
  if (name === undefined) return undefined
  for (const other of others)
    if (fields[other] !== fields[name]) throw invalid(other, `and ${name} are two texts`, 'Give one of them.')
  return checkContent(name, fields[name])
}

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
