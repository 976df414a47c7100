/**
 * Which effects has a memory in a context? It counts as accessed (000), and an episode is queued for reconsolidation
 * (002 R4).
 */
import type { Store } from '../domain/contracts/store.ts'
import { MnemeError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { within } from '../domain/pieces.ts'
import { reconsolidationJob } from './think/reconsolidation-job.ts'

/** The longest wait of a caller for counting; it goes on behind the answer. */
const PATIENCE_MS = 200

/** The dependencies of counting. */
interface UseDependencies {
  readonly store: Pick<Store, 'memories' | 'jobs'>
  /** Called when jobs were queued. */
  readonly wake: () => void
}

/** The used items, their user and place. */
interface Use {
  readonly userId: string
  readonly conversationId: string | null
  readonly message: string
  /** Memories that could be put in. */
  readonly memories: readonly Memory[]
  readonly now: number
}

/** Counts and queues; a failure is told in `warnings`, as the recalled texts are there all the same. */
export async function countUse(
  { store, wake }: UseDependencies,
  used: ReadonlySet<string>,
  { userId, conversationId, message, memories, now }: Use,
  warnings: string[],
): Promise<void> {
  if (used.size === 0) return
  try {
    await within(store.memories.touch(userId, [...used], now), PATIENCE_MS)
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    warnings.push(`The use of what was recalled is not counted: ${error.message}`)
    return
  }
  const episodes = memories.filter(({ id, memoryType }) => used.has(id) && memoryType === 'episodic')
  if (conversationId === null || episodes.length === 0) return
  const jobs = episodes.map(({ id }) => reconsolidationJob(id, conversationId, message))
  try {
    await within(store.jobs.enqueue(userId, jobs, now).then(wake), PATIENCE_MS)
  } catch (error) {
    // The context is there: that one memory learns nothing from it is no reason to withhold it.
    if (!(error instanceof MnemeError)) throw error
    warnings.push(`What was recalled is not reconsolidated: ${error.message}`)
  }
}
