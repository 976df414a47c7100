/** The contract of the system of record, opened as one: all stores of memory that the engine needs. */
import type { ConversationLog, Work } from './conversation-log.ts'
import type { JobQueue } from './job-queue.ts'
import type { MemoryStore, WorkingMemoryStore } from './memory-store.ts'
import type {
  KeyStore,
  MemoryFileLedger,
  ProfileStore,
  ReplyStore,
  SessionSummaryStore,
  UsageLedger,
} from './small-stores.ts'
import type { TurnIndex } from './text-index.ts'
import type { MirrorCases, OutboxState, StoredVectorIndex, VectorOutbox } from './vector-index.ts'

export interface RebuildCounts {
  readonly conversations: number
  readonly turns: number
  readonly symbols: number
  readonly memories: number
}

export interface CheckFinding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

/** Findings in a store that was only looked at. */
export interface StoreInspection {
  /** 0: an empty file. */
  readonly schemaVersion: number
  /** The schema of this program; an older store is brought to it, with a backup, when it is next opened. */
  readonly newestSchema: number
  /** false: its indexes were cut by other rules and are built anew when it is next opened. */
  readonly termsCurrent: boolean
  readonly findings: readonly CheckFinding[]
  /** The lag of a mirror of the vectors; its target is null where there is none. */
  readonly outbox: OutboxState
}

/** Sizes of a store, of all users or of one. */
export interface StoreStatistics {
  readonly users: number
  readonly conversations: number
  readonly turns: number
  readonly summaries: number
  readonly memories: number
  /** Jobs that wait or run. */
  readonly jobs: number
  /** Jobs that failed for good; see JobQueue.retry. */
  readonly deadJobs: number
  /** The database with its write-ahead log, in bytes. */
  readonly bytes: number
  readonly schemaVersion: number
}

/** The memories of one user in numbers, and their growth. */
export interface MemoryOverview {
  /** Neither replaced, nor over, nor buried. */
  readonly holding: number
  /** Holding, but in doubt. */
  readonly inDoubt: number
  /** Replaced by another one, or over. */
  readonly ended: number
  readonly buried: number
  /** Holding, and never put before a model. */
  readonly unused: number
  /** Number of new memories per day (YYYY-MM-DD in UTC), in order; days without any are left out. */
  readonly growth: readonly { readonly day: string; readonly memories: number }[]
  /** When memories were deleted, newest first: the last 1,000 times. */
  readonly deleted: readonly { readonly at: string; readonly memories: number }[]
}

export interface Store {
  readonly log: ConversationLog
  readonly index: TurnIndex
  /** The meanings of turns, as far as they were made. */
  readonly meanings: TurnMeanings
  readonly memories: MemoryStore
  readonly workingMemory: WorkingMemoryStore
  /** Searched in the mirror, where there is one. */
  readonly vectors: StoredVectorIndex
  /** The changes that a mirror of the vectors must be told of. */
  readonly outbox: VectorOutbox
  /** The mirror, a vector index outside; null when vectors are searched here. */
  readonly mirror: MirrorCases | null
  readonly jobs: JobQueue
  readonly usage: UsageLedger
  readonly settings: SettingsStore
  readonly profiles: ProfileStore
  readonly sessionSummaries: SessionSummaryStore
  readonly keys: KeyStore
  readonly replies: ReplyStore
  readonly memoryFile: MemoryFileLedger
  /** Rebuilds every index of this user from turns and memories. */
  rebuild(userId: string, work?: Work): Promise<RebuildCounts>
  /** Looks for damage; changes nothing. */
  check(): Promise<readonly CheckFinding[]>
  statistics(userId?: string): Promise<StoreStatistics>
  overview(userId: string): Promise<MemoryOverview>
  /** Runs a removal, which may take the room that is kept for it when the disk is full. */
  removing<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no upkeep (index segments, merges) is due. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** The contract of a store of settings: JSON by name, for the whole database, seen by every process at once. */
export interface SettingsStore {
  /** Values by name; a missing one has its default. */
  all(): Promise<ReadonlyMap<string, unknown>>
  /** undefined when it was not set. */
  get(key: string): Promise<unknown>
  /** Sets all or none; null takes a setting back to its default. `at` in milliseconds since the epoch. */
  set(values: Readonly<Record<string, unknown>>, at: number): Promise<void>
}

/** The codes of some turns, in ascending order of their rows. */
export interface MeaningChunk {
  /** `TurnColumns.row` of each. */
  readonly rows: Float64Array
  /** The codes of the texts, equally many each, one text behind the other; all 0 for a text without meaning. */
  readonly codes: Int8Array
}

export interface TurnMeanings {
  /** The newest chunks of a user with at least `most` turns, where there are as many, in ascending order of their rows. */
  chunks(userId: string, most: number): Promise<readonly MeaningChunk[]>
  /** Keeps chunks; one that begins with the same row is left as it is. */
  keep(userId: string, chunks: readonly MeaningChunk[]): Promise<void>
}
