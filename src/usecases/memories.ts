/** Memories as they are: reading, listing, their story; adding checks every input, then stores all of the call or nothing. */
import { check, type FieldsOf, givenAs, type InputOf, orElse, orNull, PAGE_FIELDS } from '../domain/checks.ts'
import type { Page } from '../domain/contracts/conversation-log.ts'
import type { MemoryFilter, MemoryStore, RestoredMemory } from '../domain/contracts/memory-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { LIMITS, MOST_IMPORTANT, STATED_CONFIDENCE } from '../domain/limits.ts'
import {
  CATEGORIES,
  CHANGED_BY,
  freshMemory,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  type Memory,
  type MemoryEvent,
} from '../domain/memory.ts'
import { everyItem } from '../domain/scheduling.ts'
import { ROLES, type Role } from '../domain/turn.ts'
import { boundTo, compileFilter, inScope, projectOf, projectOfAddition } from './matching/filter.ts'
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
    return { items: await asTheyStood(memories, userId, filter.asOf, items), total }
  }
  const items: Memory[] = []
  let total = 0
  for await (const memory of scanMemories(memories, userId, { filter, where })) {
    if (!accepts(memory)) continue
    if (total >= offset && items.length < limit) items.push(memory)
    total += 1
  }
  return { items: await asTheyStood(memories, userId, filter.asOf, items), total }
}

/**
 * Memories as they stood at a moment: in the words before later edits, without later ends and doubts; undefined or
 * null: as they are.
 */
export async function asTheyStood(
  memories: Pick<MemoryStore, 'history' | 'getMany'>,
  userId: string,
  asOf: number | null | undefined,
  items: readonly Memory[],
): Promise<readonly Memory[]> {
  if (asOf === undefined || asOf === null) return items
  const ends = items.flatMap((memory) => (memory.validTo === null ? [] : (endedBy(memory) ?? [])))
  const heirs = await memories.getMany(userId, ends, { includePast: true, includeBuried: true })
  const toldAt = new Map(heirs.map(({ id, createdAt }) => [id, createdAt]))
  return Promise.all(
    items.map(async (memory) => {
      if (memory.updatedAt <= asOf) return memory
      const story = await memories.history(userId, memory.id)
      const edits = story.filter(({ createdAt, event }) => createdAt > asOf && event !== 'ADD')
      const { suspect, validTo, text } = memory
      const endedAt = toldAt.get(endedBy(memory) ?? '') ?? (edits.length > 0 ? validTo : null)
      return {
        ...memory,
        text: edits[0]?.previousText ?? text,
        suspect: suspect !== null && suspect.since > asOf ? null : suspect,
        ...(endedAt !== null && endedAt > asOf ? { validTo: null, supersededBy: null } : {}),
      }
    }),
  )
}

/** The id of the memory that ended this one, or will; null where none did. */
function endedBy({ supersededBy, metadata }: Memory): string | null {
  const changedBy = metadata?.[CHANGED_BY]
  return supersededBy ?? (typeof changedBy === 'string' ? changedBy : null)
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
    throw invalid('includePast', 'cannot be combined with a time to look back to', 'Leave one of them out.')
  const moment: MemoryFilter = { ...(asOf === null ? {} : { asOf }), ...(includePast ? { includePast } : {}) }
  return moment
}

/** All memories that pass a filter, read in pieces. */
export function scanMemories(
  memories: MemoryStore,
  userId: string,
  among: Pick<Parameters<MemoryStore['list']>[1], 'filter' | 'where'>,
): AsyncGenerator<Memory> {
  return everyItem((page) => memories.list(userId, { ...among, ...page }), SCANNED_A_PIECE)
}

/** A message of which the text becomes a memory. */
export interface MessageInput {
  readonly role: Role
  readonly content: string
}

/** The outcome for one memory of the call. */
export interface AddedMemory {
  readonly memory: Memory
  /** NONE: this externalId was stored before; nothing was written. */
  readonly event: 'ADD' | 'NONE'
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The fields that describe a memory, without their defaults. */
export const MEMORY_CHECKS = {
  /** The owner ("user", a name); default: the message's role, else unknown. */
  who: check.optionalId,
  metadata: check.metadata,
  /** The project of the statement, or a path inside it. Default: the project of the conversation. */
  projectRoot: check.optionalId,
  /** Default `semantic`. */
  memoryType: (field: string, value: unknown) => check.oneOf(field, value, MEMORY_TYPES),
  /** Default `fact`. */
  category: (field: string, value: unknown) => check.oneOf(field, value, CATEGORIES),
  key: check.optionalId,
  /** Any JSON. */
  value: orNull(check.json),
  tags: checkTags,
  /** 0 to 1, default 0.9. */
  confidence: (field: string, value: unknown) => check.number(field, value, 0, 1),
  /** Default `user_stated`. */
  source: (field: string, value: unknown) => check.oneOf(field, value, MEMORY_SOURCES),
  /** 0 to 3, default 1. */
  importance: (field: string, value: unknown) => check.integer(field, value, 0, MOST_IMPORTANT),
} as const

/** The fields of a memory that is to be added. */
export const DESCRIBED = {
  ...MEMORY_CHECKS,
  conversationId: check.optionalId,
  /** The time of its saying; default: now. */
  createdAt: check.optionalTime,
  /** The time of the told event; default: createdAt. */
  occurredAt: check.optionalTime,
  /** The time at which it ceases to hold; default: when something takes its place. */
  validTo: check.optionalTime,
  /** The caller's own id: the same one is stored once for a user. */
  externalId: check.optionalId,
  memoryType: orElse('semantic', MEMORY_CHECKS.memoryType),
  category: orElse('fact', MEMORY_CHECKS.category),
  tags: orElse([], checkTags),
  confidence: orElse(STATED_CONFIDENCE, MEMORY_CHECKS.confidence),
  source: orElse('user_stated', MEMORY_CHECKS.source),
  importance: orElse(1, MEMORY_CHECKS.importance),
  /** Numbers of the turns it came from, in `conversationId`. */
  sourceTurnIds: orElse([], check.list<number>, check.ordinal, LIMITS.turnsPerCall),
} as const

const CALL_FIELDS = {
  userId: check.id,
  /** false: the text is stored as it is, as one memory. Default true: it is thought about first. */
  infer: orElse(true, check.boolean),
  /** true: with a model, answer only when it has answered. Default false. */
  wait: orElse(false, check.boolean),
  /** With `wait`: milliseconds, 1 to 2,147,483,647, after which it is answered as without it. Default: no limit. */
  waitMs: orElse(null, check.integer, 1, LONGEST_TIMER_MS),
  /** With `infer`: the only memories to compare with, by `conversationId` and `metadata.NAME`. Default: all. */
  among: orElse(undefined, checkAmong),
}
const ADD_FIELDS = { ...CALL_FIELDS, ...DESCRIBED }

/** The input of an added memory; everything but the user has a default. */
export type AddMemoryInput = InputOf<typeof ADD_FIELDS, 'userId'>

/** A memory that is to be added, without its text; `createdAt` may be open. */
type Described = FieldsOf<typeof DESCRIBED>

/** The input of an addition, and the memory that it describes. Throws `invalid` naming the field at fault. */
export function readAddition(input: AddMemoryInput, now: number) {
  const { userId, infer: _, wait, waitMs, among, ...said } = check.fields('', input, ADD_FIELDS)
  return { userId, wait, waitMs, among, described: describedMemory(said, now) }
}

/** The memory, without its text, with its times. */
export function describedMemory(said: Described, now: number): Omit<Memory, 'id' | 'text'> {
  const createdAt = said.createdAt ?? now
  return freshMemory({ ...said, occurredAt: said.occurredAt ?? createdAt, createdAt })
}

/** Stores a text, or each of several messages, as one memory: no model is asked and nothing is left out. */
export async function addMemories(
  { store: { memories, log }, options: { clock, maxContentBytes } }: Opened,
  content: string | readonly MessageInput[],
  input: AddMemoryInput,
): Promise<readonly AddedMemory[]> {
  const { userId, described } = readAddition(input, clock().getTime())
  const texts = checkTexts(content, maxContentBytes)
  if (texts.length > 1 && described.externalId !== null)
    throw invalid('externalId', `cannot name ${texts.length} memories`, 'Add the messages one by one.')
  const project = await projectOfAddition(log, userId, described)
  const added = texts.map(({ text, who }) =>
    inScope({ ...described, id: memoryId(), text, who: described.who ?? who }, project),
  )
  const stored = await memories.insert(userId, await Promise.all(added))
  return stored.map(({ memory, existed }) => ({ memory, event: existed ? 'NONE' : 'ADD' }))
}

/** The texts to be added, each with the role of its message; null for a bare text. */
export function checkTexts(content: unknown, maxBytes: number): readonly { text: string; who: Role | null }[] {
  if (!Array.isArray(content)) return [{ text: check.content('text', content, maxBytes), who: null }]
  if (content.length === 0) throw invalid('messages', 'is empty', 'Pass at least one message, or a text.')
  if (content.length > LIMITS.turnsPerCall)
    throw invalid(
      'messages',
      `has ${content.length} items; at most ${LIMITS.turnsPerCall} are taken`,
      'Make several calls.',
    )
  return content.map((message: unknown, index) => {
    const at = `messages[${index}]`
    const { role, content: text } = check.record(at, message, ['role', 'content'])
    return { text: check.content(`${at}.content`, text, maxBytes), who: check.oneOf(`${at}.role`, role, ROLES) }
  })
}

/** A memory's tags: names, each once. */
function checkTags(field: string, tags: unknown): readonly string[] {
  return [...new Set(check.list(field, tags, check.id, LIMITS.tags))]
}

function checkAmong(field: string, among: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(check.record(field, among)).map(([name, value]) => {
    if (name !== 'conversationId' && !/^metadata\../s.test(name))
      throw invalid(`${field}.${name}`, 'keeps no memories apart', 'Use conversationId or metadata.NAME.')
    return [name, check.id(`${field}.${name}`, value)] as const
  })
  return Object.fromEntries(texts)
}
