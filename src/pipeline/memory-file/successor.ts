/** What is there instead of a memory that does not hold any more? The last of the chain, and what of it still holds. */
import { noteOf } from '../../cognition/notes/rules.ts'
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'

import { DERIVED_FROM } from '../thinking/still-true.ts'

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

const MOST_RESTS = 500

/** What of a memory that was superseded still holds, as memories of their own that are worth a line. */
export async function restsOf(
  memories: Pick<MemoryStore, 'get' | 'list'>,
  userId: string,
  id: string,
): Promise<readonly Memory[]> {
  const conversationId = (await memories.get(userId, id))?.conversationId ?? null
  if (conversationId === null) return []
  const { items } = await memories.list(userId, { limit: MOST_RESTS, offset: 0, filter: { conversationId } })
  return items.filter((one) => one.metadata?.[DERIVED_FROM] === id && noteOf(one, false) !== null)
}
