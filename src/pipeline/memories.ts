/**
 * What can be done with a user's memories besides adding and searching: read, page through, edit, remove, tell their
 * story. Every call is checked first; an id that the user does not have is an error, never an empty answer.
 */
import type { Page } from '../contracts/conversation-log.ts'
import type { MemoryFilter, MemoryPatch, MemoryStore, RestoredMemory } from '../contracts/memory-store.ts'
import {
  checkBoolean,
  checkContent,
  checkId,
  checkInteger,
  checkMetadata,
  checkNumber,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
  checkTime,
} from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory, type MemoryEvent } from '../domain/memory.ts'
import { checkPage } from '../domain/page.ts'
import { breathe } from '../domain/pieces.ts'
import { type AddMemoryInput, checkTags, checkValue } from './memories-add.ts'
import { compileFilter, type MemoryPredicate } from './memories-filter.ts'

/** Which memories to list; everything but the user has a default. */
export interface ListMemoriesInput {
  readonly userId: string
  /** 1 to 10,000, default 100. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly filters?: unknown
  /** As things stood at this moment. */
  readonly asOf?: Date | string | null | undefined
  /** true: superseded and ended memories too. */
  readonly includePast?: boolean | undefined
}

/** What an edit may change; what is absent stays. */
export type UpdateMemoryInput = Partial<
  Pick<
    AddMemoryInput,
    | 'category'
    | 'key'
    | 'value'
    | 'tags'
    | 'who'
    | 'occurredAt'
    | 'validTo'
    | 'confidence'
    | 'source'
    | 'importance'
    | 'metadata'
    | 'memoryType'
  >
> & { readonly text?: string | undefined }

/** What editing needs. */
export interface EditMemoryDependencies {
  readonly memories: MemoryStore
  readonly clock: Clock
  readonly maxContentBytes: number
}

const SCANNED_A_PIECE = 500
/** How often what passes a filter is looked for again, while others write. */
const MOST_ROUNDS = 20
/** Memories whose stories are told together at the most. */
const LONGEST_CHAIN = 1000
const LIST_FIELDS = ['userId', 'limit', 'offset', 'filters', 'asOf', 'includePast']
const NO_SUCH_MEMORY = 'List or search the memories to see their ids; it may have been deleted.'

/** One memory, superseded or not; not_found when the user has none of this id. */
export async function getMemory(memories: MemoryStore, userId: string, id: string): Promise<Memory> {
  const memoryId = checkId('id', id)
  const found = await memories.get(checkId('userId', userId), memoryId)
  if (found === null) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
  return found
}

/** A page of memories, last changed first, and how many there are in all. */
export async function listMemories(memories: MemoryStore, input: ListMemoriesInput): Promise<Page<Memory>> {
  checkRecord('', input, LIST_FIELDS)
  const userId = checkId('userId', input.userId)
  const { limit, offset } = checkPage(input)
  const { stored, accepts } = compileFilter(input.filters)
  const filter = { ...stored, ...checkMoment(input.asOf, input.includePast) }
  if (accepts === null) return memories.list(userId, { limit, offset, filter })
  const items: Memory[] = []
  let total = 0
  for await (const memory of scan(memories, userId, filter, accepts)) {
    if (total >= offset && items.length < limit) items.push(memory)
    total += 1
  }
  return { items, total }
}

/** Changes what the patch names and notes it in the memory's history; not_found when there is no such memory. */
export async function updateMemory(
  { memories, clock, maxContentBytes }: EditMemoryDependencies,
  userId: string,
  id: string,
  patch: UpdateMemoryInput,
): Promise<Memory> {
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  const changes = checkPatch(patch, maxContentBytes)
  if (changes.validTo !== undefined) {
    const { supersededBy } = await getMemory(memories, user, memoryId)
    if (supersededBy !== null)
      throw invalid('validTo', 'was set by the memory that took its place', `Edit the memory ${supersededBy}.`)
  }
  const updated = await memories.update(user, memoryId, changes, clock().getTime())
  if (updated === null) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
  return updated
}

/** Removes one memory for good; not_found when there is no such memory. */
export async function deleteMemory(memories: MemoryStore, userId: string, id: string): Promise<void> {
  const memoryId = checkId('id', id)
  if ((await memories.remove(checkId('userId', userId), [memoryId])) === 0)
    throw notFound('memory', memoryId, NO_SUCH_MEMORY)
}

/** Removes all memories of the user for good, or all that pass the filter; how many. Working memory stays. */
export async function deleteAllMemories(
  memories: MemoryStore,
  input: { readonly userId: string; readonly filters?: unknown },
): Promise<number> {
  checkRecord('', input, ['userId', 'filters'])
  const userId = checkId('userId', input.userId)
  const { stored, accepts } = compileFilter(input.filters)
  if (accepts === null && Object.keys(stored).length === 0) return memories.removeAll(userId)
  let removed = 0
  // What others edit meanwhile moves to another page, and would be passed over.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const ids = new Set<string>()
    for await (const { id } of scan(memories, userId, { ...stored, includePast: true }, accepts ?? (() => true)))
      ids.add(id)
    if (ids.size === 0) break
    removed += await memories.remove(userId, [...ids])
  }
  return removed
}

/**
 * The story of one memory, oldest first: what happened to it, to those whose place it took, and to those that took its
 * place. not_found when there is no such memory.
 */
export async function memoryHistory(
  memories: MemoryStore,
  userId: string,
  id: string,
): Promise<readonly MemoryEvent[]> {
  const user = checkId('userId', userId)
  const chain = await supersessionChain(memories, user, await getMemory(memories, user, id))
  const events: MemoryEvent[] = []
  for (const memory of chain) events.push(...(await memories.history(user, memory)))
  // The sort is stable: what happened at the same moment stays in the order of the chain.
  return events.sort((a, b) => a.createdAt - b.createdAt)
}

/** One memory with its own edits, as `restore` takes it; not_found when there is no such memory. */
export async function memoryWithEdits(memories: MemoryStore, userId: string, id: string): Promise<RestoredMemory> {
  const story = await memories.history(checkId('userId', userId), checkId('id', id))
  const memory = await getMemory(memories, userId, id)
  const edits = story.flatMap(({ event, previousText, createdAt }, index) => {
    if (event !== 'UPDATE' && event !== 'SUPERSEDE') return []
    const after = story[index + 1]?.previousText ?? memory.text
    return [{ event, previousText: previousText === after ? null : previousText, createdAt } as const]
  })
  return { memory, edits }
}

/** Ids of the memory, its forerunners and its successors, oldest forerunner first. */
async function supersessionChain(memories: MemoryStore, userId: string, memory: Memory): Promise<readonly string[]> {
  const chain = new Set<string>()
  const before: string[] = [memory.id]
  for (let at = 0; at < before.length && before.length < LONGEST_CHAIN; at += 1) {
    const filter = { supersededBy: before[at]!, includePast: true }
    const { items } = await memories.list(userId, { limit: LONGEST_CHAIN, offset: 0, filter })
    for (const { id } of items) if (!before.includes(id)) before.push(id)
  }
  for (const id of before.reverse()) chain.add(id)
  for (let next = memory.supersededBy; next !== null && !chain.has(next) && chain.size < LONGEST_CHAIN; ) {
    chain.add(next)
    next = (await memories.get(userId, next))?.supersededBy ?? null
  }
  return [...chain]
}

/** Counts one access of each of these: only what was really put into a model's context is counted (000). */
export async function touchMemories(
  memories: MemoryStore,
  clock: Clock,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const user = checkId('userId', userId)
  if (!Array.isArray(ids)) throw invalid('ids', 'must be a list', 'Pass a list of memory ids.')
  await memories.touch(
    user,
    ids.map((id) => checkId('ids', id)),
    clock().getTime(),
  )
}

/** The part of a store's filter that says at which moment memories must hold. */
export function checkMoment(asOf: unknown, includePast: unknown): MemoryFilter {
  const moment = checkOptionalTime('asOf', asOf)
  const past = includePast === undefined ? false : checkBoolean('includePast', includePast)
  if (moment !== null && past) throw invalid('includePast', 'cannot be combined with asOf', 'Leave one of them out.')
  return { ...(moment === null ? {} : { asOf: moment }), ...(past ? { includePast: true } : {}) }
}

const CHECKS: Readonly<Record<keyof UpdateMemoryInput, (value: unknown, maxBytes: number) => unknown>> = {
  text: (value, maxBytes) => checkContent('text', value, maxBytes),
  category: (value) => checkOneOf('category', value, CATEGORIES),
  key: (value) => checkOptionalId('key', value),
  value: (value) => checkValue(value),
  tags: (value) => checkTags(value),
  who: (value) => checkOptionalId('who', value),
  occurredAt: (value) => checkTime('occurredAt', value),
  validTo: (value) => checkOptionalTime('validTo', value),
  confidence: (value) => checkNumber('confidence', value, 0, 1),
  source: (value) => checkOneOf('source', value, MEMORY_SOURCES),
  importance: (value) => checkInteger('importance', value, 0, 3),
  metadata: (value) => checkMetadata('metadata', value),
  memoryType: (value) => checkOneOf('memoryType', value, MEMORY_TYPES),
}

function checkPatch(patch: unknown, maxBytes: number): MemoryPatch {
  const record = checkRecord('', patch, Object.keys(CHECKS))
  const changes: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(CHECKS))
    if (record[name] !== undefined) changes[name] = check(record[name], maxBytes)
  if (Object.keys(changes).length === 0)
    throw invalid('patch', 'changes nothing', `Name at least one of: ${Object.keys(CHECKS).join(', ')}.`)
  return changes
}

async function* scan(
  memories: MemoryStore,
  userId: string,
  filter: MemoryFilter,
  accepts: MemoryPredicate,
): AsyncGenerator<Memory> {
  for (let offset = 0; ; offset += SCANNED_A_PIECE) {
    const { items } = await memories.list(userId, { limit: SCANNED_A_PIECE, offset, filter })
    for (const memory of items) if (accepts(memory)) yield memory
    if (items.length < SCANNED_A_PIECE) return
    await breathe()
  }
}
