/** The memory file, notes that a person can open: its sections, its defaults, and the report of a digest. */
import type { AnsweredBy } from './thought.ts'
import type { TurnReference } from './turn.ts'

/** The sections of specification 004, in its order. */
export const MEMORY_FILE_SECTIONS = ['user', 'preferences', 'configuration', 'decisions', 'problems'] as const
export type MemoryFileSection = (typeof MEMORY_FILE_SECTIONS)[number]

/** The languages of new headings. */
export const MEMORY_FILE_HEADINGS = ['both', 'en', 'zh'] as const
export type MemoryFileHeadings = (typeof MEMORY_FILE_HEADINGS)[number]

/** Defaults of the memory file (004; MEMORY_MAX_ENTRIES, MEMORY_DEDUP_THRESHOLD, MEMORY_BACKUPS). */
export const MEMORY_FILE_DEFAULTS = { maxEntries: 100, dedupThreshold: 0.8, backups: 5, headings: 'both' } as const
/** The file's name without its ending, beside the database. */
export const MEMORY_FILE_NAME = 'MEMORY'

/** An entry that came into the file. */
export interface AddedEntry {
  readonly text: string
  readonly section: MemoryFileSection
  /** 1 to 3 (004). */
  readonly importance: number
  /** null: a dry run, and nothing was remembered yet. */
  readonly memoryId: string | null
  /** The turns that said it. */
  readonly turns: readonly TurnReference[]
}

/** An entry that was not written to the file. */
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
  /** Its memory was `deleted` or lost its words (`ended`), it made room (`limit`), or a `person` took it out. */
  readonly reason: 'ended' | 'deleted' | 'limit' | 'person'
}

/** A person's edit that became a change of memory. */
export interface PersonsEdit {
  readonly edit: 'added' | 'changed' | 'removed' | 'restored'
  readonly text: string
  readonly memoryId: string | null
}

/** An entry changed by the person and by its memory: both versions are kept. */
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
  /** Entries whose memory has new words, has ended or returned, or whose doubt has come or gone. */
  readonly updated: readonly { readonly text: string }[]
  readonly edits: readonly PersonsEdit[]
  readonly conflicts: readonly EntryConflict[]
  /** Faults of the file and their repairs, as sentences. */
  readonly repairs: readonly string[]
  /** The path of the earlier file's backup; null when nothing was written or no file existed. */
  readonly backup: string | null
  readonly written: boolean
  readonly dryRun: boolean
  /** The source of the choice of new entries; null: nothing new was looked for. */
  readonly answeredBy: AnsweredBy | null
}
