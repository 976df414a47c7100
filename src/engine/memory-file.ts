/**
 * The memory file (specification 004), bound to a store and the options. Nothing of it is loaded before somebody asks for
 * it: most processes never touch the file.
 */
import { resolve } from 'node:path'
import { checkBoolean, checkId } from '../domain/checks.ts'
import type { LanguageModel } from '../domain/contracts/language-model.ts'
import type { Store } from '../domain/contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import { late } from '../domain/late.ts'
import type { MemoryFileReport } from '../domain/memory-file.ts'
import type { DaySummary } from '../notes/day-summary.ts'
import { type NotesDependencies, notesFileOf } from '../notes/dependencies.ts'
import type { DigestInput } from '../notes/digest.ts'
import type { Backup } from '../notes/disk.ts'
import type { MemoryFileText } from '../notes/read-notes.ts'
import type { Guard } from './guards.ts'
import type { ResolvedOptions } from './options.ts'
import type { Thinking } from './thinking.ts'

export type { DaySummary } from '../notes/day-summary.ts'
export type { DigestInput } from '../notes/digest.ts'
export type { MemoryFileText } from '../notes/read-notes.ts'

/** What can be done with the file. */
export interface MemoryFileUseCases {
  /** The file as it stands on the disk; secrets in it are masked unless `revealSecrets`. */
  read(userId: string, revealSecrets?: boolean): Promise<MemoryFileText>
  /** The backups that were kept of the file, newest first; times are milliseconds since the epoch. */
  backups(userId: string): Promise<readonly Backup[]>
  /** The text of one; secrets in it are masked. Rejects `not_found` where there is none. */
  backup(userId: string, name: string): Promise<string>
  digest(input: DigestInput, signal?: AbortSignal): Promise<MemoryFileReport>
  /** What was talked about on the day of a digest; nothing is written. */
  day(input: Pick<DigestInput, 'userId' | 'date' | 'since' | 'conversationId'>): Promise<DaySummary>
  /** Takes over what the person changed in the file, and what changed in the memory. */
  sync(userId: string, signal?: AbortSignal): Promise<MemoryFileReport>
  /** Users who have a file. */
  users(): Promise<readonly string[]>
  /** Calls when the user's file may have changed; what it resolves to ends that. */
  watch(userId: string, changed: () => void): Promise<() => void>
  /** Memories were deleted for good: their entries leave the file and its copies. Never rejects. */
  forget(userId: string): Promise<void>
}

/** Thinking with a model may take long; what is not done by then comes in with the next digest. */
const LONGEST_THINKING_MS = 120_000

const digesting = late(() => import('../notes/digest.ts'))
const reading = late(() => import('../notes/read-notes.ts'))
const summarizing = late(() => import('../notes/day-summary.ts'))
const disk = late(() => import('../notes/disk.ts'))
const choosing = late(() => import('../notes/choose/model.ts'))

/** Binds the use cases. */
export function memoryFileUseCases(
  store: Store,
  options: ResolvedOptions,
  thinking: Thinking,
  llm: LanguageModel | null,
  open: Guard,
): MemoryFileUseCases {
  const { clock, logger, path, memoryFile: settings } = options
  const dependencies: NotesDependencies = {
    store,
    settings,
    database: path === ':memory:' ? null : resolve(path),
    clock,
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
    thinkDue: () => atMost(thinking.worker.idle(), LONGEST_THINKING_MS),
    embedSoon: thinking.embedSoon,
  }
  return {
    read: open(async (userId, revealSecrets) => {
      const isRevealed = revealSecrets === undefined ? false : checkBoolean('revealSecrets', revealSecrets)
      return (await reading()).readNotes(dependencies, checkId('userId', userId), isRevealed)
    }),
    backups: open(async (userId) =>
      (await disk()).listBackups(await notesFileOf(dependencies, checkId('userId', userId))),
    ),
    backup: open(async (userId, name) =>
      (await reading()).readNotesBackup(dependencies, checkId('userId', userId), checkId('name', name)),
    ),
    digest: open(async (input, signal) => (await digesting()).digest(dependencies, input, signal)),
    day: open(async ({ userId, ...input }) =>
      (await summarizing()).summarizeDay(dependencies, checkId('userId', userId), input),
    ),
    sync: open(async (userId, signal) => (await digesting()).syncNotes(dependencies, userId, signal)),
    users: open(() => store.memoryFile.users()),
    watch: open(async (userId, changed) =>
      (await disk()).watchFile(await notesFileOf(dependencies, checkId('userId', userId)), changed, logger),
    ),
    forget: async (userId) => {
      if ((await store.memoryFile.gone(userId)).length > 0) await (await digesting()).forgetInFile(dependencies, userId)
    },
  }
}

/** Resolves when the work is done, and after so many milliseconds anyway. */
async function atMost(work: Promise<void>, milliseconds: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
