/** The adding of memories as they are: every input is checked, then all of the call is stored or nothing. */
import {
  checkBoolean,
  checkContent,
  checkFields,
  checkId,
  checkInteger,
  checkJson,
  checkList,
  checkMetadata,
  checkNumber,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
  orElse,
} from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { MemoryStore } from '../domain/contracts/memory-store.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MOST_IMPORTANT, STATED_CONFIDENCE } from '../domain/limits.ts'
import {
  CATEGORIES,
  type Category,
  freshMemory,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  type Memory,
  type MemorySource,
  type MemoryType,
} from '../domain/memory.ts'
import { type Metadata, ROLES, type Role } from '../domain/turn.ts'
import { inScope, type KnownProjects, projectOfAddition } from './memories/filter.ts'

/** The input of an added memory; everything but the user has a default. */
export interface AddMemoryInput {
  readonly userId: string
  readonly conversationId?: string | null | undefined
  /** The time of its saying; default: now. */
  readonly createdAt?: Date | string | null | undefined
  /** The time of the told event; default: createdAt. */
  readonly occurredAt?: Date | string | null | undefined
  /** The time at which it ceases to hold; default: when something takes its place. */
  readonly validTo?: Date | string | null | undefined
  /** The owner ("user", a name); default: the message's role, else unknown. */
  readonly who?: string | null | undefined
  readonly metadata?: Metadata | null | undefined
  /** The project of the statement, or a path inside it. Default: the project of the conversation. */
  readonly projectRoot?: string | null | undefined
  /** The caller's own id: the same one is stored once for a user. */
  readonly externalId?: string | null | undefined
  /** Default `semantic`. */
  readonly memoryType?: MemoryType | undefined
  /** Default `fact`. */
  readonly category?: Category | undefined
  readonly key?: string | null | undefined
  /** Any JSON. */
  readonly value?: unknown
  readonly tags?: readonly string[] | undefined
  /** 0 to 1, default 0.9. */
  readonly confidence?: number | undefined
  /** Default `user_stated`. */
  readonly source?: MemorySource | undefined
  /** 0 to 3, default 1. */
  readonly importance?: number | undefined
  /** Numbers of the turns it came from, in `conversationId`. */
  readonly sourceTurnIds?: readonly number[] | undefined
  /** false: the text is stored as it is, as one memory. Default true: it is thought about first. */
  readonly infer?: boolean | undefined
  /** true: with a model, answer only when it has answered. Default false. */
  readonly wait?: boolean | undefined
  /** With `wait`: milliseconds, 1 to 2,147,483,647, after which it is answered as without it. Default: no limit. */
  readonly waitMs?: number | undefined
  /** With `infer`: the only memories to compare with, by `conversationId` and `metadata.NAME`. Default: all. */
  readonly among?: Readonly<Record<string, string>> | undefined
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

export interface AddMemoryDependencies {
  readonly memories: MemoryStore
  readonly log: KnownProjects
  readonly clock: Clock
  readonly newId: () => string
  /** Largest memory in UTF-8 bytes. */
  readonly maxContentBytes: number
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The fields that describe a memory, without their defaults. */
export const MEMORY_CHECKS = {
  who: checkOptionalId,
  metadata: checkMetadata,
  projectRoot: checkOptionalId,
  memoryType: (field: string, value: unknown) => checkOneOf(field, value, MEMORY_TYPES),
  category: (field: string, value: unknown) => checkOneOf(field, value, CATEGORIES),
  key: checkOptionalId,
  value: (field: string, value: unknown) => (value === undefined || value === null ? null : checkJson(field, value)),
  tags: checkTags,
  confidence: (field: string, value: unknown) => checkNumber(field, value, 0, 1),
  source: (field: string, value: unknown) => checkOneOf(field, value, MEMORY_SOURCES),
  importance: (field: string, value: unknown) => checkInteger(field, value, 0, MOST_IMPORTANT),
} as const

/** The fields of a memory that is to be added. */
export const DESCRIBED = {
  ...MEMORY_CHECKS,
  conversationId: checkOptionalId,
  createdAt: checkOptionalTime,
  occurredAt: checkOptionalTime,
  validTo: checkOptionalTime,
  externalId: checkOptionalId,
  memoryType: orElse('semantic', MEMORY_CHECKS.memoryType),
  category: orElse('fact', MEMORY_CHECKS.category),
  tags: orElse([], checkTags),
  confidence: orElse(STATED_CONFIDENCE, MEMORY_CHECKS.confidence),
  source: orElse('user_stated', MEMORY_CHECKS.source),
  importance: orElse(1, MEMORY_CHECKS.importance),
  sourceTurnIds: orElse([], checkList<number>, checkTurnId, LIMITS.turnsPerCall),
} as const

/** The fields of AddMemoryInput. */
export const ADD_FIELDS = ['userId', ...Object.keys(DESCRIBED), 'infer', 'wait', 'waitMs', 'among']

/** The milliseconds of `waitMs`; null: no limit. */
export function checkWaitMs(waitMs: unknown): number | null {
  return waitMs === undefined ? null : checkInteger('waitMs', waitMs, 1, LONGEST_TIMER_MS)
}

/** Stores a text, or each of several messages, as one memory: no model is asked and nothing is left out. */
export async function addMemories(
  { memories, log, clock, newId, maxContentBytes }: AddMemoryDependencies,
  content: string | readonly MessageInput[],
  input: AddMemoryInput,
): Promise<readonly AddedMemory[]> {
  checkRecord('', input, ADD_FIELDS)
  const now = clock().getTime()
  const userId = checkId('userId', input.userId)
  for (const name of ['infer', 'wait'] as const) if (input[name] !== undefined) checkBoolean(name, input[name])
  checkWaitMs(input.waitMs)
  const texts = checkTexts(content, maxContentBytes)
  if (texts.length > 1 && input.externalId !== undefined && input.externalId !== null)
    throw invalid('externalId', `cannot name ${texts.length} memories`, 'Add the messages one by one.')
  const described = describeMemory(input, now)
  const project = await projectOfAddition(log, userId, described)
  const added = texts.map(({ text, who }) =>
    inScope({ ...described, id: newId(), text, who: described.who ?? who }, project),
  )
  const stored = await memories.insert(userId, await Promise.all(added))
  return stored.map(({ memory, existed }) => ({ memory, event: existed ? 'NONE' : 'ADD' }))
}

/** The texts to be added, each with the role of its message; null for a bare text. */
export function checkTexts(content: unknown, maxBytes: number): readonly { text: string; who: Role | null }[] {
  if (!Array.isArray(content)) return [{ text: checkContent('text', content, maxBytes), who: null }]
  if (content.length === 0) throw invalid('messages', 'is empty', 'Pass at least one message, or a text.')
  if (content.length > LIMITS.turnsPerCall)
    throw invalid(
      'messages',
      `has ${content.length} items; at most ${LIMITS.turnsPerCall} are taken`,
      'Make several calls.',
    )
  return content.map((message: unknown, index) => {
    const at = `messages[${index}]`
    const { role, content: text } = checkRecord(at, message, ['role', 'content'])
    return { text: checkContent(`${at}.content`, text, maxBytes), who: checkOneOf(`${at}.role`, role, ROLES) }
  })
}

/** The memory that the input describes, without its text; throws `invalid` naming the field at fault. */
export function describeMemory(input: AddMemoryInput, now: number): Omit<Memory, 'id' | 'text'> {
  const { userId: _, infer: _infer, wait: _wait, waitMs: _waitMs, among: _among, ...described } = input
  const said = checkFields('', described, DESCRIBED)
  const createdAt = said.createdAt ?? now
  return freshMemory({ ...said, occurredAt: said.occurredAt ?? createdAt, createdAt })
}

/** A memory's tags: names, each once. */
function checkTags(field: string, tags: unknown): readonly string[] {
  return [...new Set(checkList(field, tags, checkId, LIMITS.tags))]
}

function checkTurnId(field: string, turn: unknown): number {
  return checkInteger(field, turn, 1, Number.MAX_SAFE_INTEGER)
}
