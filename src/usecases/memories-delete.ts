/**
 * What goes when memories are deleted for good? They, and the machine's profile lines that point to them;
 * conversations, summaries, titles, working memory and the user's own lines stay.
 */

import { checkId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { MemoryStore } from '../domain/contracts/memory-store.ts'
import type { ProfileStore } from '../domain/contracts/profile-store.ts'
import { notFound } from '../domain/errors.ts'
import { NO_SUCH_MEMORY, scanMemories } from './memories.ts'
import { compileFilter } from './memories-filter.ts'

/** The dependencies of deleting. */
export interface DeleteMemoryDependencies {
  readonly memories: MemoryStore
  readonly profiles: Pick<ProfileStore, 'clear'>
  readonly clock: Clock
}

/** The most passes over a filter's memories, while others write. */
const MOST_ROUNDS = 20

/**
 * Removes one memory for good, and the machine's profile lines of it alone; not_found when there is no such memory.
 * Conversations, their summaries and the user's lines stay.
 */
export async function deleteMemory({ memories }: DeleteMemoryDependencies, userId: string, id: string): Promise<void> {
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  if ((await memories.remove(user, [memoryId])) === 0) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
}

/**
 * Removes the user's memories, or those that pass the filter, for good, with the machine's profile lines; returns their
 * number. Conversations, summaries, working memory and the user's lines stay.
 */
export async function deleteAllMemories(
  dependencies: DeleteMemoryDependencies,
  input: { readonly userId: string; readonly filters?: unknown },
): Promise<number> {
  const { memories, profiles, clock } = dependencies
  checkRecord('', input, ['userId', 'filters'])
  const userId = checkId('userId', input.userId)
  const { stored, accepts } = compileFilter(input.filters)
  if (accepts === null && Object.keys(stored).length === 0) {
    await profiles.clear(userId, clock().getTime())
    return memories.removeAll(userId)
  }
  let removed = 0
  // Memories that others edit meanwhile move to another page, and would be passed over.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const ids = new Set<string>()
    for await (const memory of scanMemories(
      memories,
      userId,
      { ...stored, includePast: true, includeBuried: true },
      accepts ?? (() => true),
    ))
      ids.add(memory.id)
    if (ids.size === 0) break
    removed += await memories.remove(userId, [...ids])
  }
  return removed
}
