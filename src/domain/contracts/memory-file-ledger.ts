/** Which memories have a line in a user's memory file? Hashes tell a person's edits from the machine's. */
import type { Memory } from '../memory.ts'

/** The states of an entry: `left` made room or was passed over, `struck` lost its memory, the others a person did. */
export const ENTRY_STATES = ['listed', 'left', 'removed', 'replaced', 'struck'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

export interface LedgerEntry {
  readonly memoryId: string
  /** The id in the comment behind the entry. */
  readonly entryId: string
  /** true when a person wrote the words. */
  readonly byPerson: boolean
  /** State of the entry; null while it is being written and was never seen in the file. */
  readonly state: EntryState | null
  /** The state that an unfinished write gives it; null when none has begun. */
  readonly nextState: EntryState | null
  readonly nextHash: string | null
  /** Hashes of its texts in the file, newest first. */
  readonly hashes: readonly string[]
  /** Hash of the memory's text when the entry was written. */
  readonly memoryHash: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** A row with its memory, past ones too; null: it was deleted. */
export type ListedEntry = LedgerEntry & { readonly memory: Memory | null }

interface Newcomer {
  readonly memory: Memory
  /** Hash of its text when a digest passed it over, while unchanged since; else null. */
  readonly passedOver: string | null
}

/** The place and state of a user's file; times are milliseconds since the epoch. */
interface FileRecord {
  readonly path: string
  readonly digestedAt: number | null
}

/** Changes of the ledger, written together. */
interface LedgerChanges {
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
  /** The user whose file lies there; null for none. */
  ownerOf(path: string): Promise<string | null>
  users(): Promise<readonly string[]>
  /** Every row that stands in the file, stood there, or is being written, in no order. */
  entries(userId: string): Promise<readonly ListedEntry[]>
  /** Memories that hold at `now`, changed at `since` or later (milliseconds) and have no line, oldest first. */
  newcomers(userId: string, since: number, now: number): Promise<readonly Newcomer[]>
  /** Rows of entries, in the file or its copies, whose memories were deleted. */
  gone(userId: string): Promise<readonly Pick<LedgerEntry, 'memoryId' | 'entryId' | 'hashes'>[]>
  write(userId: string, changes: LedgerChanges): Promise<void>
}
