/**
 * Who has memories? The one part of a store that looks across users tells users and numbers, never what a memory says.
 */
import type { Page } from './conversation-log.ts'

/** A user who has memories. Times are milliseconds since the epoch. */
export interface MemoryOwner {
  readonly userId: string
  /** Superseded and ended ones too. */
  readonly memories: number
  /** The time of storing the oldest remaining memory, and of the last change of any. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface MemoryOwners {
  /** Users with a memory of this id, by name; ids are the store's own, but an import may repeat one. */
  ownersOf(id: string): Promise<readonly string[]>
  /** Users who have memories, by name. */
  owners(page: { readonly limit: number; readonly offset: number }): Promise<Page<MemoryOwner>>
}
