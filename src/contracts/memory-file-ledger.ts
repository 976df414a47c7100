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

/** What of a memory matters for its entry: ten thousand of them are read with every look at the file. */
export type EntryMemory = Pick<
  Memory,
  'id' | 'text' | 'importance' | 'createdAt' | 'validFrom' | 'validTo' | 'supersededBy' | 'suspect'
>

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
  entries(userId: string): Promise<readonly LedgerEntry[]>
  /** The memories of the entries, past ones too; in no order, deleted ones are missing. */
  memories(userId: string): Promise<readonly EntryMemory[]>
  /**
   * Memories that hold at `now` and were last changed at `since` or later, both in milliseconds since the epoch, the last
   * one first: those without an entry, with one that is being written or was struck, and those that may have been told in several turns.
   */
  newcomers(userId: string, since: number, now: number): Promise<readonly Memory[]>
  /** Entries whose memories were deleted. */
  gone(userId: string): Promise<readonly LedgerEntry[]>
  write(userId: string, changes: LedgerChanges): Promise<void>
}
