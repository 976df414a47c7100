/** The editing of a memory: the fields that may change, and the consequences of a new text. */

import {
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
import type { MemoryPatch, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { NewProfileLine } from '../domain/contracts/profile-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { late } from '../domain/late.ts'
import { CATEGORIES, holdsAt, MEMORY_SOURCES, MEMORY_TYPES, type Memory } from '../domain/memory.ts'
import { getMemory, NO_SUCH_MEMORY } from './memories.ts'
import { type AddMemoryInput, checkTags, checkValue } from './memories-add.ts'
import type { DeleteMemoryDependencies } from './memories-delete.ts'

/** The fields that an edit may change; absent ones stay. */
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
    | 'projectRoot'
  >
> & { readonly text?: string | undefined }

/** The dependencies of editing. */
export interface EditMemoryDependencies extends Pick<DeleteMemoryDependencies, 'memories' | 'clock'> {
  /** Largest memory in UTF-8 bytes. */
  readonly maxContentBytes: number
}

// Loaded late: it reads texts, and most edits need none of it.
const following = late(() => import('./think/follow-text.ts'))
const profileLines = late(() => import('./think/profile-lines.ts'))

/**
 * Changes the patch's fields and notes it in the memory's history; not_found when there is no such memory. Derived
 * subject, value, tags, metadata, and profile lines change with the text.
 */
export async function updateMemory(
  { memories, clock, maxContentBytes }: EditMemoryDependencies,
  userId: string,
  id: string,
  patch: UpdateMemoryInput,
): Promise<Memory> {
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  const said = checkPatch(patch, maxContentBytes)
  if (said.validTo === undefined && said.text === undefined) return written(memories, user, memoryId, said, clock)
  const before = await getMemory(memories, user, memoryId)
  if (said.validTo !== undefined && before.supersededBy !== null)
    throw invalid('validTo', 'was set by the memory that took its place', `Edit the memory ${before.supersededBy}.`)
  const isReworded = said.text !== undefined && said.text !== before.text
  const changes = isReworded ? await (await following()).withFollowing(before, said) : said
  const after = { ...before, ...changes }
  const says = isReworded ? (await profileLines()).linesOfMemory(after) : undefined
  return written(memories, user, memoryId, changes, clock, says)
}

/**
 * Buries a memory, which hides it from models, or takes it out again, with profile lines that only it says. Rejects
 * not_found when there is no such memory.
 */
export async function buryMemory(
  { memories, clock }: EditMemoryDependencies,
  userId: string,
  id: string,
  isBuried: boolean,
): Promise<Memory> {
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  const before = await getMemory(memories, user, memoryId)
  if (((before.buriedAt ?? null) !== null) === isBuried) return before
  const now = clock().getTime()
  const buriedAt = isBuried ? now : null
  const after = { ...before, buriedAt }
  const lines = isBuried || !holdsAt(after, now) ? [] : (await profileLines()).linesOfMemory(after)
  for (;;) {
    const revision = await memories.revision(user)
    const update = [{ id: memoryId, patch: { buriedAt }, event: 'UPDATE' as const }]
    if (await memories.apply(user, revision, { insert: [], update, remove: [], lines, at: now })) break
  }
  return getMemory(memories, user, memoryId)
}

async function written(
  memories: MemoryStore,
  user: string,
  memoryId: string,
  changes: MemoryPatch,
  clock: Clock,
  says?: readonly NewProfileLine[],
): Promise<Memory> {
  const updated = await memories.update(user, memoryId, changes, clock().getTime(), says)
  if (updated === null) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
  return updated
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
  projectRoot: (value) => checkOptionalId('projectRoot', value),
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
