/** `memory.memoryFile`: the notes that a person can open and edit (specification 004). Its code is loaded at first use. */
import { resolve } from 'node:path'
import { check } from '../../domain/checks.ts'
import { isoTime, isoTimeOrNull } from '../../domain/clock.ts'
import type { Work } from '../../domain/contracts/conversation-log.ts'
import { memoryId } from '../../domain/ids.ts'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { lazy, within } from '../../domain/scheduling.ts'
import { type MemoryFileSettings, type NotesDependencies, notesFileOf } from '../../notes/dependencies.ts'
import type { DaySummary, DigestInput } from '../../notes/digest.ts'
import type { MemoryFileText } from '../../notes/read-notes.ts'
import type { Core } from '../../usecases/core.ts'
import { quietly } from '../../usecases/guarded-adapters.ts'
import { type Binding, masked, shownOne, splitReveal, type WithReveal, type WithUser } from './binding.ts'

/** The file as it stands on the disk. */
export type MemoryFileView = Omit<MemoryFileText, 'updatedAt'> & {
  /** ISO 8601; null when there is no file. */
  readonly updatedAt: string | null
}

/** A copy of the file from before a rewrite. */
export interface MemoryFileBackup {
  readonly name: string
  readonly keptAt: string
  readonly bytes: number
}

export interface MemoryFiles {
  read(input?: WithUser & WithReveal): Promise<MemoryFileView>
  /** The backups that were kept of the file, newest first. */
  backups(input?: WithUser): Promise<readonly MemoryFileBackup[]>
  /** The text of a backup, secrets masked; `not_found` where there is none of this name. */
  backup(name: string, input?: WithUser): Promise<string>
  /** Reads the person's edits, thinks about new text, and adds the day's notable memories. Rejects when the file is unusable. */
  digest(
    input?: Omit<DigestInput, 'userId'> & WithUser & WithReveal,
    work?: Pick<Work, 'signal'>,
  ): Promise<MemoryFileReport>
  /** Conversations of a day, one by one; default today. */
  day(input?: Pick<DigestInput, 'date' | 'since' | 'conversationId'> & WithUser & WithReveal): Promise<DaySummary>
  /** Synchronises the file and the memory in both directions; adds nothing of its own. */
  sync(input?: WithUser & WithReveal): Promise<MemoryFileReport>
  /** Ids of the users who have a file. */
  users(): Promise<readonly string[]>
  /** Calls `changed` shortly after any change of the file; resolves to a function that stops it. */
  watch(input: WithUser, changed: () => void): Promise<() => void>
}

/** Longest wait for thinking with a model in milliseconds; later results enter the next digest. */
const LONGEST_THINKING_MS = 120_000

const digesting = lazy(() => import('../../notes/digest.ts'))
const reading = lazy(() => import('../../notes/read-notes.ts'))
const disk = lazy(() => import('../../notes/locked-file.ts'))
const choosing = lazy(() => import('../../notes/choose-notes.ts'))

/** Dependencies for keeping the memory file. */
export function notesOf({ store, options, models, thinking }: Core, settings: MemoryFileSettings): NotesDependencies {
  const { clock, logger, path, timeZone } = options
  const { llm } = models
  return {
    store,
    settings,
    database: path === ':memory:' ? null : resolve(path),
    clock,
    timeZone,
    logger,
    newId: memoryId,
    maxCharacters: thinking.maxCharacters,
    byRules: thinking.byRules,
    notesByModel:
      llm === null
        ? null
        : async (userId, memories, signal) => {
            const ask = { model: llm, userId, logger, ...(signal === undefined ? {} : { signal }) }
            return (await choosing()).notesByModel(memories, ask)
          },
    thinkDue: async () => void (await within(thinking.worker.idle(), LONGEST_THINKING_MS)),
    embedSoon: thinking.embedSoon,
  }
}

/** Removes the entries of deleted memories from the file and its copies. Never rejects. */
export async function forgetInNotes(notes: NotesDependencies, userId: string): Promise<void> {
  if ((await notes.store.memoryFile.gone(userId)).length > 0) await (await digesting()).forgetInFile(notes, userId)
}

export function memoryFiles({ core, user }: Binding, notes: NotesDependencies): MemoryFiles {
  const { open } = core
  const fileOf = (input: WithUser | undefined): Promise<string> => notesFileOf(notes, user(input))
  return {
    read: open(async (input) => {
      const { asked, show } = splitReveal(input)
      const { readNotes } = await reading()
      const { updatedAt, ...file } = await readNotes(notes, user(asked), show !== masked)
      return { ...file, updatedAt: isoTimeOrNull(updatedAt) }
    }),
    backups: open(async (input) => {
      const kept = await (await disk()).listBackups(await fileOf(input))
      return kept.map(({ keptAt, ...one }) => ({ ...one, keptAt: isoTime(keptAt) }))
    }),
    backup: open(async (name, input) => (await reading()).readNotesBackup(notes, user(input), check.id('name', name))),
    digest: open(async (input, work) => {
      const { asked, show } = splitReveal(input)
      const { digest } = await digesting()
      return shownOne(await digest(notes, { ...asked, userId: user(asked) }, work?.signal), show)
    }),
    day: open(async (input) => {
      const { asked, show } = splitReveal(input)
      const { userId: _, ...day } = asked
      return shownOne(await (await digesting()).summarizeDay(notes, user(asked), day), show)
    }),
    sync: open(async (input) => {
      const { asked, show } = splitReveal(input)
      return shownOne(await (await digesting()).syncNotes(notes, user(asked)), show)
    }),
    users: open(() => core.store.memoryFile.users()),
    watch: open(async (input, changed) =>
      (await disk()).watchFile(await fileOf(input), () => quietly(changed), core.options.logger),
    ),
  }
}
