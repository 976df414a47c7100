/** The adding of memories as they are: every input is checked, then all of the call is stored or nothing. */
import { check, type FieldsOf, type InputOf, orElse, orNull } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { LIMITS, MOST_IMPORTANT, STATED_CONFIDENCE } from '../domain/limits.ts'
import { CATEGORIES, freshMemory, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../domain/memory.ts'
import { ROLES, type Role } from '../domain/turn.ts'
import { inScope, projectOfAddition } from './matching/filter.ts'
import type { Opened } from './open-options.ts'

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
  return { userId, wait, waitMs, among, described: described(said, now) }
}

/** The memory, without its text, with its times. */
export function described(said: Described, now: number): Omit<Memory, 'id' | 'text'> {
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
