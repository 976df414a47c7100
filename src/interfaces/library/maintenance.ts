/** `memory.maintenance`: upkeep that a person or a timer asks for. */
import type { CheckFinding, Engine, RebuildCounts, StoreStatistics, Work } from '../../engine/engine.ts'
import type { ChooseUser, WithUser } from './users.ts'

export interface Maintenance {
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
    reindex: async (input, work) => cases.reindex(user(input), work),
    verify: async () => cases.verify(),
    stats: async (input) => cases.statistics(input?.userId),
  }
}
