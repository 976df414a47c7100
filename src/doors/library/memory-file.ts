/** `memory.memoryFile`: the notes that a person can open, edit and put under version control (specification 004). */
import { resolve } from 'node:path'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import type { Engine } from '../../engine/engine.ts'
import type { DaySummary, DigestInput, MemoryFileText } from '../../engine/memory-file.ts'
import { isoTime, isoTimeOrNull } from './render.ts'
import { splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** The file as it stands on the disk. */
export type MemoryFileView = Omit<MemoryFileText, 'updatedAt'> & {
  /** ISO 8601; null when there is no file. */
  readonly updatedAt: string | null
}

/** A copy of the file that was kept before it was written anew. */
export interface MemoryFileBackup {
  readonly name: string
  readonly keptAt: string
  readonly bytes: number
}

/** What can be done with it. */
export interface MemoryFiles {
  read(input?: WithUser & WithReveal): Promise<MemoryFileView>
  /** The backups that were kept of the file, newest first. */
  backups(input?: WithUser): Promise<readonly MemoryFileBackup[]>
  /** The text of a backup, secrets masked; `not_found` where there is none of this name. */
  backup(name: string, input?: WithUser): Promise<string>
  /**
   * Takes over what the person changed in the file, thinks about what is new, and adds what mattered on the day: default
   * today and what earlier digests did not see. Rejects when the file cannot be used; what is remembered is unharmed.
   */
  digest(
    input?: Omit<DigestInput, 'userId'> & WithUser & WithReveal,
    work?: { readonly signal?: AbortSignal },
  ): Promise<MemoryFileReport>
  /** What was talked about on a day, default today, conversation by conversation. */
  day(input?: Pick<DigestInput, 'date' | 'since' | 'conversationId'> & WithUser & WithReveal): Promise<DaySummary>
  /** Takes over what changed in the file and in the memory; adds nothing of its own. */
  sync(input?: WithUser & WithReveal): Promise<MemoryFileReport>
  /** Ids of the users who have a file. */
  users(): Promise<readonly string[]>
  /** Calls a moment after the file was changed by anybody; what it resolves to ends that. */
  watch(input: WithUser, changed: () => void): Promise<() => void>
}

/** The facade over an engine. */
export function memoryFiles({ memoryFile }: Engine, user: ChooseUser): MemoryFiles {
  return {
    read: async (input) => {
      const { revealSecrets, ...asked } = input ?? {}
      const { updatedAt, ...file } = await memoryFile.read(user(asked), revealSecrets)
      return { ...file, updatedAt: isoTimeOrNull(updatedAt) }
    },
    backups: async (input) =>
      (await memoryFile.backups(user(input))).map(({ keptAt, ...one }) => ({ ...one, keptAt: isoTime(keptAt) })),
    backup: async (name, input) => memoryFile.backup(user(input), name),
    digest: async (input, work) => {
      const { asked, show } = splitReveal(input)
      // Relative to the working directory, as every path of a caller's.
      const into = Array.isArray(asked.into) ? { into: asked.into.map((path) => absolute(path)) } : {}
      return show(await memoryFile.digest({ ...asked, ...into, userId: user(asked) }, work?.signal))
    },
    day: async (input) => {
      const { asked, show } = splitReveal(input)
      return show(await memoryFile.day({ ...asked, userId: user(asked) }))
    },
    sync: async (input) => {
      const { asked, show } = splitReveal(input)
      return show(await memoryFile.sync(user(asked)))
    },
    users: async () => memoryFile.users(),
    watch: async (input, changed) => memoryFile.watch(user(input), changed),
  }
}

function absolute(path: unknown): string {
  return typeof path === 'string' && path !== '' ? resolve(path) : (path as string)
}
