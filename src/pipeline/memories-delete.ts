/**
 * What goes when memories are deleted for good? They, and with them what the machine wrote into the profile of the same.
 * Conversations, their summaries and titles, working memory and what the user wrote into the profile stay.
 */
import type { MemoryStore } from '../contracts/memory-store.ts'
import type { ProfileStore } from '../contracts/profile-store.ts'
import { checkId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { notFound } from '../domain/errors.ts'
import { late } from '../domain/late.ts'
import type { Memory } from '../domain/memory.ts'
import { getMemory, NO_SUCH_MEMORY, SCANNED_A_PIECE, scanMemories } from './memories.ts'
import { compileFilter } from './memories-filter.ts'

/** What deleting needs. */
export interface DeleteMemoryDependencies {
  readonly memories: MemoryStore
  readonly profiles: Pick<ProfileStore, 'get' | 'revise'>
  readonly clock: Clock
}

/** How often what passes a filter is looked for again, while others write. */
const MOST_ROUNDS = 20
// Late: it reads what a text says, and a user without a profile needs none of it.
const profileLines = late(() => import('./thinking/outdated-lines.ts'))

/**
 * Removes one memory for good, and what the machine's lines of the profile say of it; not_found when there is no such
 * memory. Conversations, their summaries and lines that the user wrote stay.
 */
export async function deleteMemory(dependencies: DeleteMemoryDependencies, userId: string, id: string): Promise<void> {
  const { memories, profiles } = dependencies
  const memoryId = checkId('id', id)
  const user = checkId('userId', userId)
  if (await hasMachineLines(profiles, user))
    await forget(dependencies, user, [await getMemory(memories, user, memoryId)])
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
    await profiles.revise(userId, () => [], clock().getTime())
    return memories.removeAll(userId)
  }
  const isTold = await hasMachineLines(profiles, userId)
  let removed = 0
  // What others edit meanwhile moves to another page, and would be passed over.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const ids = new Set<string>()
    let found: Memory[] = []
    for await (const memory of scanMemories(
      memories,
      userId,
      { ...stored, includePast: true },
      accepts ?? (() => true),
    )) {
      ids.add(memory.id)
      if (isTold && found.push(memory) === SCANNED_A_PIECE) {
        await forget(dependencies, userId, found)
        found = []
      }
    }
    if (found.length > 0) await forget(dependencies, userId, found)
    if (ids.size === 0) break
    removed += await memories.remove(userId, [...ids])
  }
  return removed
}

/** Whether the machine wrote into the user's profile. */
export async function hasMachineLines(profiles: Pick<ProfileStore, 'get'>, userId: string): Promise<boolean> {
  return (await profiles.get(userId)).lines.some(({ source }) => source === 'machine')
}

/** Before they are removed: stopped in between, it can be asked for again, and one wipe is enough for both. */
async function forget(
  { memories, profiles, clock }: DeleteMemoryDependencies,
  userId: string,
  deleted: readonly Memory[],
): Promise<void> {
  const { forgetLines } = await profileLines()
  await forgetLines({ memories, profiles }, userId, deleted, clock().getTime())
}
