/** Puts exported memories back as they were, with their ids and edits; those that are there already are not written twice. */

import { checkContent, checkId } from '../domain/checks.ts'
import type { MemoryStore, RestoredMemory } from '../domain/contracts/memory-store.ts'

/** How many were new and how many were there. */
export interface RestoredMemories {
  readonly added: number
  readonly existing: number
}

/** Inserts the new ones, in one transaction. */
export async function restoreMemories(
  store: MemoryStore,
  userId: string,
  restored: readonly RestoredMemory[],
  maxContentBytes: number,
): Promise<RestoredMemories> {
  const user = checkId('userId', userId)
  for (const { memory, edits } of restored) {
    checkId('id', memory.id)
    checkContent('text', memory.text, maxContentBytes)
    for (const { previousText } of edits)
      if (previousText !== null) checkContent('history.previousText', previousText, maxContentBytes)
  }
  const stored = await store.restore(user, restored)
  const existing = stored.filter(({ existed }) => existed).length
  return { added: stored.length - existing, existing }
}
