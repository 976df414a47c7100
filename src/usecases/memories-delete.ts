/**
 * What goes when memories are deleted for good? They, and with them the machine's lines of the profile that point to them.
 * Conversations, their summaries and titles, working memory and what the user wrote into the profile stay.
 */

import { checkId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { MemoryStore } from '../domain/contracts/memory-store.ts'
import type { ProfileStore } from '../domain/contracts/profile-store.ts'
import { notFound } from '../domain/errors.ts'
import { NO_SUCH_MEMORY, scanMemories } from './memories.ts'
import { compileFilter } from './memories-filter.ts'

/** What deleting needs. */
export interface DeleteMemoryDependencies {
  readonly memories: MemoryStore
  readonly profiles: Pick<ProfileStore, 'clear'>
  readonly clock: Clock
}

/** How often what passes a filter is looked for again, while others write. */
const MOST_ROUNDS = 20

/**
 * Removes one memory for good, and the machine's lines of the profile that no other one says; not_found when there is no
 * such memory. Conversations, their summaries and lines that the user wrote stay.
 */
export async function deleteMemory({ memories }: DeleteMemoryDependencies, userId: string, id: string): Promise<void> {
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  if ((await memories.remove(user, [memoryId])) === 0) throw notFound('memory', memoryId, NO_SUCH_MEMORY)
}

/**
 * Removes all memories of the user for good and all lines that the machine wrote into the profile, or all memories that pass
 * the filter and the lines that say them; how many memories. Conversations, their summaries, working memory and lines that
 * the user wrote stay.
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
  // What others edit meanwhile moves to another page, and would be passed over.
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
