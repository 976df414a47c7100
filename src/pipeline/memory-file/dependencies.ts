/** What keeping the memory file needs, and how it is to be kept. */

import type { Notable, Note } from '../../cognition/notes/types.ts'
import type { MemoryFiles } from '../../contracts/memory-file.ts'
import type { Store } from '../../contracts/store.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../../domain/logger.ts'
import type { MemoryFileHeadings } from '../../domain/memory-file.ts'
import type { ThinkInput, Thoughts } from '../thinking/thoughts.ts'

/** How the file is kept; nothing left open. */
export interface MemoryFileSettings {
  /** Absolute; `{user}` in it stands for the user. null: MEMORY.md beside the database. */
  readonly path: string | null
  /** 1 to 100,000. */
  readonly maxEntries: number
  /** 0 to 1. */
  readonly dedupThreshold: number
  readonly backups: number
  readonly headings: MemoryFileHeadings
  /** Secrets are written out, into a file that only its owner can read. */
  readonly withSecrets: boolean
  /** Files with a block that shows the same entries; absolute. */
  readonly blocks: readonly string[]
}

/** What it needs. */
export interface MemoryFileDependencies {
  readonly store: Pick<Store, 'memories' | 'log' | 'memoryFile' | 'profiles'>
  readonly files: MemoryFiles
  readonly settings: MemoryFileSettings
  /** The database, absolute; null when it is in memory only. */
  readonly database: string | null
  readonly clock: Clock
  readonly logger: Logger
  readonly newId: () => string
  readonly maxCharacters: () => Promise<number>
  /** Thinks without a model. */
  readonly byRules: (input: ThinkInput) => Promise<Thoughts>
  /**
   * Chooses notes with a model: null for none, undefined where the rules are to answer; null altogether when its answer is
   * of no use. Rejects when it finally fails. null: there is no model.
   */
  readonly notesByModel:
    | ((
        userId: string,
        memories: readonly Notable[],
        signal?: AbortSignal,
      ) => Promise<readonly (Note | null | undefined)[] | null>)
    | null
  /** Resolves when what is due to be thought about was thought about. */
  readonly thinkDue: () => Promise<void>
  /** New memories: they are embedded in the background. */
  readonly embedSoon: (userId: string) => Promise<void>
}
