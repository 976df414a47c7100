/** The notes that a person can open: sections of the memory file, what holds for it where nothing is said, what a digest tells. */
import type { AnsweredBy } from './thought.ts'
import type { TurnReference } from './turn.ts'

/** The sections of specification 004, in its order. */
export const MEMORY_FILE_SECTIONS = ['user', 'preferences', 'configuration', 'decisions', 'problems'] as const
/** One of MEMORY_FILE_SECTIONS. */
export type MemoryFileSection = (typeof MEMORY_FILE_SECTIONS)[number]

/** In which language headings are written, or their names by section. */
export type MemoryFileHeadings = 'both' | 'en' | 'zh' | Partial<Readonly<Record<MemoryFileSection, string>>>

/** Defaults of the memory file (004; MEMORY_MAX_ENTRIES, MEMORY_DEDUP_THRESHOLD, MEMORY_BACKUPS). */
export const MEMORY_FILE_DEFAULTS = { maxEntries: 100, dedupThreshold: 0.8, backups: 5, headings: 'both' } as const
/** The file's name, beside the database. */
export const MEMORY_FILE_NAME = 'MEMORY.md'

/** An entry that came into the file. */
export interface AddedEntry {
  readonly text: string
  readonly section: MemoryFileSection
  /** 1 to 3 (004). */
  readonly importance: number
  /** null: a dry run, and nothing was remembered yet. */
  readonly memoryId: string | null
  /** Where it was said. */
  readonly turns: readonly TurnReference[]
}

/** Something that did not come into the file. */
export interface SkippedEntry {
  readonly text: string
  /** `duplicate`, `similar`, `refused` (the person took it out), `limit` (others matter more). */
  readonly reason: 'duplicate' | 'similar' | 'refused' | 'limit'
  /** The entry that says the same; null where that is not the reason. */
  readonly twin: string | null
  /** 0 to 1; null where nothing was compared. */
  readonly similarity: number | null
}

/** An entry that left the file. */
export interface RemovedEntry {
  readonly text: string
  /**
   * The reason: its memory was `deleted` or lost its words (`ended`), it made room (`limit`), or a `person` took it
   * out.
   */
  readonly reason: 'ended' | 'deleted' | 'limit' | 'person'
}

/** An edit of the person's that became a change of memory. */
export interface PersonsEdit {
  readonly edit: 'added' | 'changed' | 'removed' | 'restored'
  readonly text: string
  readonly memoryId: string | null
}

/** Both the person and the memory had changed an entry: both are kept. */
export interface EntryConflict {
  readonly inFile: string
  /** null: the memory was deleted. */
  readonly inMemory: string | null
  readonly explanation: string
}

/** The report of a digest or of a look at the file. */
export interface MemoryFileReport {
  /** The day, YYYY-MM-DD in local time. */
  readonly date: string
  readonly file: string
  readonly added: readonly AddedEntry[]
  readonly skipped: readonly SkippedEntry[]
  readonly removed: readonly RemovedEntry[]
  /** Entries whose memory has other words now, holds no longer or again, or came into doubt or out of it. */
  readonly updated: readonly { readonly text: string }[]
  readonly edits: readonly PersonsEdit[]
  readonly conflicts: readonly EntryConflict[]
  /** Faults of the file and their repairs, as sentences. */
  readonly repairs: readonly string[]
  /** Where the file as it was before lies; null when nothing was written or there was none. */
  readonly backup: string | null
  readonly written: boolean
  readonly dryRun: boolean
  /** Other files whose block was brought up to date. */
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
  /** The source of the choice of new entries; null: nothing new was looked for. */
  readonly answeredBy: AnsweredBy | null
}
