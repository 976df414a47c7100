/** Reading, listing and telling the story of memories; an unknown id is an error, never an empty answer. */
import { check, givenAs, type InputOf, orElse, PAGE_FIELDS } from '../domain/checks.ts'
import type { Page } from '../domain/contracts/conversation-log.ts'
import type { MemoryFilter, MemoryStore, RestoredMemory } from '../domain/contracts/memory-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import type { Memory, MemoryEvent } from '../domain/memory.ts'
import { breathe } from '../domain/pieces.ts'
import { boundTo, compileFilter, type MemoryPredicate, projectOf } from './matching/filter.ts'
import type { Opened } from './open-options.ts'

/** The fields that choose among a user's memories. */
export const CHOICE_FIELDS = {
  userId: check.id,
  /** Which memories are meant; see memories/filter.ts. */
  filters: givenAs<unknown>(),
  /** Only memories that hold in this project, or in the one of this path, and those about the user. */
  projectRoot: check.optionalId,
  /** The state at this moment; default: the present one. */
  asOf: check.optionalTime,
  /** true: superseded and ended memories too. */
  includePast: orElse(false, check.boolean),
}

const LIST_FIELDS = {
  ...CHOICE_FIELDS,
  ...PAGE_FIELDS,
  /** true: buried memories too. */
  includeBuried: orElse(false, check.boolean),
}

/** Which memories to list; everything but the user has a default. */
export type ListMemoriesInput = InputOf<typeof LIST_FIELDS, 'userId'>

/** Memories that `scan` reads at a time. */
const SCANNED_A_PIECE = 500
const LONGEST_CHAIN = 1000
/** The remedy where there is no memory of an id. */
export const NO_SUCH_MEMORY = 'List or search the memories to see their ids; it may have been deleted.'

/** One memory, superseded or not; not_found when the user has none of this id. */
export async function getMemory(memories: MemoryStore, userId: string, id: string): Promise<Memory> {
  const memoryId = check.id('id', id)
  const found = await memories.get(check.id('userId', userId), memoryId)
  if (found === null) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
  return found
}

/** A page of memories, last changed first, and how many there are in all. */
export async function listMemories(
  { store: { memories, log } }: Opened,
  input: ListMemoriesInput,
): Promise<Page<Memory>> {
  const { userId, limit, offset, projectRoot, includeBuried, ...given } = check.fields('', input, LIST_FIELDS)
  const compiled = boundTo(await projectOf(log, userId, projectRoot), compileFilter(given.filters))
  const { stored, accepts, where, isExact } = compiled
  const filter = { ...stored, ...momentOf(given), ...(includeBuried ? { includeBuried } : {}) }
  if (accepts === null || isExact) {
    const { items, total } = await memories.list(userId, { limit, offset, filter, where })
    return { items: await inWordsOf(memories, userId, filter.asOf, items), total }
  }
  const items: Memory[] = []
  let total = 0
  for await (const memory of scanMemories(memories, userId, { filter, where }, accepts)) {
    if (total >= offset && items.length < limit) items.push(memory)
    total += 1
  }
  return { items: await inWordsOf(memories, userId, filter.asOf, items), total }
}

/** Memories with the texts that they had at a moment, before later edits; undefined or null: as they are. */
export async function inWordsOf(
  memories: Pick<MemoryStore, 'history'>,
  userId: string,
  asOf: number | null | undefined,
  items: readonly Memory[],
): Promise<readonly Memory[]> {
  if (asOf === undefined || asOf === null) return items
  return Promise.all(
    items.map(async (memory) => {
      if (memory.updatedAt <= asOf) return memory
      const story = await memories.history(userId, memory.id)
      const edit = story.find(({ createdAt, previousText }) => createdAt > asOf && previousText !== null)
      return { ...memory, text: edit?.previousText ?? memory.text }
    }),
  )
}

/** The story of a memory, its predecessors and successors, oldest first. Rejects not_found. */
export async function memoryHistory(
  memories: MemoryStore,
  userId: string,
  id: string,
): Promise<readonly MemoryEvent[]> {
  const user = check.id('userId', userId)
  const chain = await supersessionChain(memories, user, await getMemory(memories, user, id))
  const events: MemoryEvent[] = []
  for (const memory of chain) events.push(...(await memories.history(user, memory)))
  // The sort is stable: events of one moment stay in the order of the chain.
  return events.sort((a, b) => a.createdAt - b.createdAt)
}

/** One memory with its own edits, as `restore` takes it; not_found when there is no such memory. */
export async function memoryWithEdits(memories: MemoryStore, userId: string, id: string): Promise<RestoredMemory> {
  const story = await memories.history(check.id('userId', userId), check.id('id', id))
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
    const filter = { supersededBy: before[at]!, includePast: true, includeBuried: true }
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

/** Counts one access of each of these, however often it is named: only memories that were put into a model's context count (000). */
export async function touchMemories({ store, options }: Opened, userId: string, ids: readonly string[]): Promise<void> {
  const user = check.id('userId', userId)
  await store.memories.touch(user, [...new Set(check.list('ids', ids, check.id))], options.clock().getTime())
}

/** The part of a store's filter that says at which moment memories must hold. */
export function momentOf({ asOf, includePast }: { readonly asOf: number | null; readonly includePast: boolean }) {
  if (asOf !== null && includePast)
    throw invalid('includePast', 'cannot be combined with asOf', 'Leave one of them out.')
  const moment: MemoryFilter = { ...(asOf === null ? {} : { asOf }), ...(includePast ? { includePast } : {}) }
  return moment
}

/** All memories that pass a filter, read in pieces. */
export async function* scanMemories(
  memories: MemoryStore,
  userId: string,
  among: Pick<Parameters<MemoryStore['list']>[1], 'filter' | 'where'>,
  accepts: MemoryPredicate,
): AsyncGenerator<Memory> {
  for (let offset = 0; ; offset += SCANNED_A_PIECE) {
    const { items } = await memories.list(userId, { ...among, limit: SCANNED_A_PIECE, offset })
    for (const memory of items) if (accepts(memory)) yield memory
    if (items.length < SCANNED_A_PIECE) return
    await breathe()
  }
}
