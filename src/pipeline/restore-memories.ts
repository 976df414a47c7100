/** Puts exported memories back as they were, with their ids; those that are there already are not written twice. */
import type { MemoryStore } from '../contracts/memory-store.ts'
import { checkContent, checkId } from '../domain/checks.ts'
import type { Memory } from '../domain/memory.ts'

/** How many were new and how many were there. */
export interface RestoredMemories {
  readonly added: number
  readonly existing: number
}

/** Inserts what is new, in one transaction. */
export async function restoreMemories(
  store: MemoryStore,
  userId: string,
  memories: readonly Memory[],
  maxContentBytes: number,
): Promise<RestoredMemories> {
  const user = checkId('userId', userId)
  for (const { id, text } of memories) {
    checkId('id', id)
    checkContent('text', text, maxContentBytes)
  }
  const stored = await store.insert(user, memories)
  const existing = stored.filter(({ existed }) => existed).length
  return { added: stored.length - existing, existing }
}
