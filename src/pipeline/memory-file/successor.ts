/** What is there instead of a memory that does not hold any more? The last of the chain. */
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'

const LONGEST_CHAIN = 50

/** null when nothing took its place, or that does not hold any more either. */
export async function successorOf(
  memories: Pick<MemoryStore, 'get'>,
  userId: string,
  memory: Pick<Memory, 'id' | 'supersededBy'>,
  now: number,
): Promise<Memory | null> {
  let last: Memory | null = null
  let next = memory.supersededBy
  for (let step = 0; next !== null; step += 1) {
    if (step === LONGEST_CHAIN) return null
    last = await memories.get(userId, next)
    next = last?.supersededBy ?? null
  }
  return last === null || (last.validTo !== null && last.validTo <= now) ? null : last
}
