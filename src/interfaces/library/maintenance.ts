/** `memory.maintenance`: upkeep that a person or a timer asks for. */
import type { CheckFinding, Engine, RebuildCounts, StoreStatistics, Work } from '../../engine/engine.ts'
import type { ExpiryCounts } from '../../engine/maintenance.ts'
import type { ChooseUser, WithUser } from './users.ts'

export interface Maintenance {
  /** Removes memories down to `threshold` (default: the option evictionThreshold): lowest confidence first, then oldest access. */
  evict(input?: WithUser & { readonly threshold?: number }): Promise<{ readonly evicted: readonly string[] }>
  /** Removes working memory that was idle for 30 minutes, of every user. */
  expire(): Promise<ExpiryCounts>
  /** Rebuilds every index of the user from turns and memories. */
  reindex(input?: WithUser, work?: Work): Promise<RebuildCounts>
  /** Looks for damage in the file and between its parts; changes nothing. */
  verify(): Promise<readonly CheckFinding[]>
  /** Sizes of the whole database, or of one user when one is named. */
  stats(input?: WithUser): Promise<StoreStatistics>
}

/** The facade over an engine. */
export function maintenance({ maintenance: cases }: Engine, user: ChooseUser): Maintenance {
  return {
    evict: async (input) => ({ evicted: await cases.evict(user(input), input?.threshold) }),
    expire: async () => cases.expire(),
    reindex: async (input, work) => cases.reindex(user(input), work),
    verify: async () => cases.verify(),
    stats: async (input) => cases.statistics(input?.userId),
  }
}
