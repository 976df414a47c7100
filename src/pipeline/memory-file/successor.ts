/** Which memory has taken the place of another one? The last of the chain, if it holds. */
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'

const LONGEST_CHAIN = 50

/** null when nothing took its place, or that does not hold any more either. */
export async function successorOf(
  memories: Pick<MemoryStore, 'get'>,
  userId: string,
  memory: Memory,
  now: number,
): Promise<Memory | null> {
  let last: Memory | null = memory
  for (let step = 0; last !== null && last.supersededBy !== null; step += 1) {
    if (step === LONGEST_CHAIN) return null
    last = await memories.get(userId, last.supersededBy)
  }
  if (last === null || last.id === memory.id || (last.validTo !== null && last.validTo <= now)) return null
  return last
}
