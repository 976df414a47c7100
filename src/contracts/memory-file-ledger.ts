/**
 * What stands in the memory file of a user, so that the next look tells what a person has changed. The ledger knows no
 * words: texts are compared by their hashes.
 */

import type { Memory } from '../domain/memory.ts'

/** What has become of an entry. */
export const ENTRY_STATES = ['listed', 'left', 'removed', 'replaced', 'struck'] as const
/** One of ENTRY_STATES. */
export type EntryState = (typeof ENTRY_STATES)[number]

/** One entry, by its memory. */
export interface LedgerEntry {
  readonly memoryId: string
  /** What the comment behind the entry says. */
  readonly entryId: string
  /** The words are the person's. */
  readonly byPerson: boolean
  /** null: begun to be written and never seen in the file. */
  readonly state: EntryState | null
  /** What a write that has begun makes of it; null when none has. */
  readonly nextState: EntryState | null
  readonly nextHash: string | null
  /** Of its texts in the file, newest first. */
  readonly hashes: readonly string[]
  /** Of the memory's text when the entry was written. */
  readonly memoryHash: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** What of a memory matters for its entry: there may be ten thousand of them. */
export type EntryMemory = Pick<
  Memory,
  'id' | 'text' | 'importance' | 'createdAt' | 'validFrom' | 'validTo' | 'supersededBy' | 'suspect'
>

/** A row with its memory. */
export interface ListedEntry {
  readonly row: LedgerEntry
  /** Past ones too; null: it was deleted. */
  readonly memory: EntryMemory | null
}

/** What the ledger says, or what of that has changed. */
export interface LedgerListing {
  /** In no order. */
  readonly entries: readonly ListedEntry[]
  /**
   * Ids of the memories of which row or memory may be other than they were: what `entries` does not have of them is gone.
   * null: `entries` is everything.
   */
  readonly changed: readonly string[] | null
  /** Names what the ledger says now, for the next question to this store. */
  readonly state: string
}

/** A row whose memory was deleted. */
export type GoneEntry = Pick<LedgerEntry, 'memoryId' | 'entryId' | 'hashes'>

/** Where a user's file lies. Times are milliseconds since the epoch. */
export interface FileRecord {
  readonly path: string
  /** Files with a block that shows the same entries. */
  readonly blocks: readonly string[]
  readonly writtenAt: number | null
  readonly digestedAt: number | null
}

/** Changes of the ledger, written together. */
export interface LedgerChanges {
  readonly put?: readonly LedgerEntry[]
  /** Ids of memories. */
  readonly drop?: readonly string[]
  /** Without a path, the file must be known. */
  readonly file?: Partial<FileRecord>
}

/** The store. */
export interface MemoryFileLedger {
  /** null: the user has none yet. */
  file(userId: string): Promise<FileRecord | null>
  /** Whose file lies there; null: nobody's. */
  ownerOf(path: string): Promise<string | null>
  /** Users who have a file. */
  users(): Promise<readonly string[]>
  /** Ids of the memories by those of their entries. */
  memoryIds(userId: string): Promise<ReadonlyMap<string, string>>
  /** The rows with their memories; `since`, a state that was named before: only what changed since, where that is known. */
  listing(userId: string, since: string | null): Promise<LedgerListing>
  /**
   * Memories that hold at `now` and were last changed at `since` or later, both in milliseconds since the epoch, the last
   * one first: those without an entry, with one that is being written or was struck, and those that may have been told in several turns.
   */
  newcomers(userId: string, since: number, now: number): Promise<readonly Memory[]>
  /** Entries whose memories were deleted. */
  gone(userId: string): Promise<readonly GoneEntry[]>
  write(userId: string, changes: LedgerChanges): Promise<void>
}
