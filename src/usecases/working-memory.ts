/** The live state of a conversation, as long as it lives: 30 minutes after its last turn it is gone. */
import { checkId, checkInteger, checkMetadata, checkRecord, checkText } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { WorkingMemory } from '../domain/memory.ts'
import type { Metadata } from '../domain/turn.ts'

const REMEDY = 'It exists from the first turn of a conversation until 30 minutes after its last.'

/** The working memory of one conversation; not_found when there is none or it has expired. */
export async function getWorkingMemory(
  store: WorkingMemoryStore,
  clock: Clock,
  userId: string,
  conversationId: string,
): Promise<WorkingMemory> {
  const id = checkId('conversationId', conversationId)
  const found = await store.get(checkId('userId', userId), id, clock().getTime() - WORKING_MEMORY_IDLE_MS)
  if (found === null) throw notFound('working memory of a conversation', id, REMEDY)
  return found
}

/** The living working memories of a user. */
export async function listWorkingMemory(
  store: WorkingMemoryStore,
  clock: Clock,
  userId: string,
): Promise<readonly WorkingMemory[]> {
  return store.list(checkId('userId', userId), clock().getTime() - WORKING_MEMORY_IDLE_MS)
}

/** The user's edit of a living one; absent fields stay, and the next turn may change it again. */
export interface WorkingMemoryPatch {
  readonly currentTopic?: string | null | undefined
  readonly contextVariables?: Metadata | undefined
  readonly lastEmotion?: string | null | undefined
}

/** Changes the patch's fields; not_found when there is none or it has expired. */
export async function editWorkingMemory(
  store: WorkingMemoryStore,
  clock: Clock,
  userId: string,
  conversationId: string,
  patch: WorkingMemoryPatch,
): Promise<WorkingMemory> {
  const { currentTopic, contextVariables, lastEmotion } = patch
  checkRecord('', patch, ['currentTopic', 'contextVariables', 'lastEmotion'])
  const { updatedAt } = await getWorkingMemory(store, clock, userId, conversationId)
  const changes = {
    ...(currentTopic === undefined ? {} : { currentTopic: checkOptionalText('currentTopic', currentTopic) }),
    ...(contextVariables === undefined
      ? {}
      : { contextVariables: checkMetadata('contextVariables', contextVariables) ?? {} }),
    ...(lastEmotion === undefined ? {} : { lastEmotion: checkOptionalText('lastEmotion', lastEmotion) }),
  }
  if (Object.keys(changes).length === 0)
    throw invalid('patch', 'changes nothing', 'Name currentTopic, contextVariables or lastEmotion.')
  // An edit is no activity in the conversation.
  await store.update(userId, conversationId, changes, updatedAt)
  return getWorkingMemory(store, clock, userId, conversationId)
}

/** Removes one; not_found when there is none. */
export async function removeWorkingMemory(
  store: WorkingMemoryStore,
  userId: string,
  conversationId: string,
): Promise<void> {
  const id = checkId('conversationId', conversationId)
  if (!(await store.remove(checkId('userId', userId), id)))
    throw notFound('working memory of a conversation', id, REMEDY)
}

interface RestoredWorkingMemories {
  readonly added: number
  /** Those here already, in this state or a later one. */
  readonly existing: number
  /** Idle for more than 30 minutes by now, so that they were left out. */
  readonly expired: number
}

/** Restores those that live, in one transaction. A time that lies ahead of this clock counts as now. */
export async function restoreWorkingMemory(
  store: WorkingMemoryStore,
  clock: Clock,
  userId: string,
  restored: readonly WorkingMemory[],
): Promise<RestoredWorkingMemories> {
  const user = checkId('userId', userId)
  const now = clock().getTime()
  const living = restored
    .filter(({ updatedAt }) => updatedAt >= now - WORKING_MEMORY_IDLE_MS)
    .map((memory) => ({
      sessionId: checkId('sessionId', memory.sessionId),
      currentTopic: checkOptionalText('currentTopic', memory.currentTopic),
      contextVariables: checkMetadata('contextVariables', memory.contextVariables) ?? {},
      turnCount: checkInteger('turnCount', memory.turnCount, 1, Number.MAX_SAFE_INTEGER),
      lastEmotion: checkOptionalText('lastEmotion', memory.lastEmotion),
      createdAt: Math.min(memory.createdAt, now),
      updatedAt: Math.min(memory.updatedAt, now),
    }))
  const added = living.length === 0 ? 0 : (await store.restore(user, living)).length
  return { added, existing: living.length - added, expired: restored.length - living.length }
}

/** A text of working memory, or null. */
function checkOptionalText(field: string, value: string | null): string | null {
  return value === null ? null : checkText(field, value, { maxBytes: LIMITS.metadataBytes })
}
