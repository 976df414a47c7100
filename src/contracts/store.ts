/** Everything that remembers, opened as one: what a system of record must offer the engine. */
import type { ConversationLog, Work } from './conversation-log.ts'
import type { MemoryStore, WorkingMemoryStore } from './memory-store.ts'
import type { TurnIndex } from './turn-index.ts'

/** What a rebuild of the indexes did. */
export interface RebuildCounts {
  readonly conversations: number
  readonly turns: number
  readonly symbols: number
  readonly memories: number
}

/** One thing that a check of the store looked at. */
export interface CheckFinding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

/** Sizes of a store, of all users or of one. */
export interface StoreStatistics {
  readonly users: number
  readonly conversations: number
  readonly turns: number
  readonly summaries: number
  readonly memories: number
  /** The database with its write-ahead log, in bytes. */
  readonly bytes: number
  readonly schemaVersion: number
}

export interface Store {
  readonly log: ConversationLog
  readonly index: TurnIndex
  readonly memories: MemoryStore
  readonly workingMemory: WorkingMemoryStore
  /** Rebuilds every index of this user from turns and memories. */
  rebuild(userId: string, work?: Work): Promise<RebuildCounts>
  /** Looks for damage; changes nothing. */
  check(): Promise<readonly CheckFinding[]>
  statistics(userId?: string): Promise<StoreStatistics>
  /** Resolves when no upkeep (index segments, merges) is due. */
  idle(): Promise<void>
  close(): Promise<void>
}
