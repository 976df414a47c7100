/** The live state of a conversation, as long as it lives: 30 minutes after its last turn it is gone. */

import { checkId } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { notFound } from '../domain/errors.ts'
import { WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { WorkingMemory } from '../domain/memory.ts'

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
