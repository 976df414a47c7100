/** Which memories go when a user has too many? By default none; 000 leaves the threshold to the administrator. */
import type { MemoryStore } from '../../domain/contracts/memory-store.ts'

/**
 * Removes a user's memories for good until `threshold` (null: no limit) are left: lowest confidence first, then oldest
 * access. Returns the ids; with `dryRun` nothing is removed.
 */
export async function evictMemories(
  memories: Pick<MemoryStore, 'evict'>,
  userId: string,
  threshold: number | null,
  dryRun = false,
): Promise<readonly string[]> {
  return threshold === null ? [] : memories.evict(userId, threshold, dryRun)
}
