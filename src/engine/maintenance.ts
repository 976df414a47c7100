/** Upkeep that a person or a timer asks for, bound to a store and the options. */
import type { Work } from '../contracts/conversation-log.ts'
import type { CheckFinding, RebuildCounts, Store, StoreStatistics } from '../contracts/store.ts'
import { checkId } from '../domain/checks.ts'
import type { Guard } from './memories.ts'
import type { ResolvedOptions } from './options.ts'

export interface MaintenanceUseCases {
  /** Rebuilds every index of the user from turns and memories. */
  reindex(userId: string, work?: Work): Promise<RebuildCounts>
  /** Looks for damage; changes nothing. */
  verify(): Promise<readonly CheckFinding[]>
  /** Sizes of the whole store, or of one user. */
  statistics(userId?: string): Promise<StoreStatistics>
}

/** Binds the use cases. */
export function maintenance(store: Store, _options: ResolvedOptions, open: Guard): MaintenanceUseCases {
  return {
    reindex: open((userId, work) => store.rebuild(checkId('userId', userId), work)),
    verify: open(() => store.check()),
    statistics: open((userId) => store.statistics(userId === undefined ? undefined : checkId('userId', userId))),
  }
}
