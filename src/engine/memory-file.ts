/**
 * The memory file (specification 004), bound to a store and the options. Nothing of it is loaded before somebody asks for
 * it: most processes never touch the file.
 */
import { resolve } from 'node:path'
import type { LanguageModel } from '../contracts/language-model.ts'
import type { MemoryFiles } from '../contracts/memory-file.ts'
import type { Store } from '../contracts/store.ts'
import { checkBoolean, checkId } from '../domain/checks.ts'
import { notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import type { MemoryFileReport } from '../domain/memory-file.ts'
import type { MemoryFileDependencies } from '../pipeline/memory-file/dependencies.ts'
import type { DigestInput } from '../pipeline/memory-file/digest.ts'
import type { MemoryFileText } from '../pipeline/memory-file/read-file.ts'
import { maskSecrets } from '../text/secrets/mask-secrets.ts'
import type { Guard } from './guards.ts'
import type { ResolvedOptions } from './options.ts'
import type { Thinking } from './thinking.ts'

export type { DigestInput } from '../pipeline/memory-file/digest.ts'
export type { MemoryFileText } from '../pipeline/memory-file/read-file.ts'

/** What can be done with the file. */
export interface MemoryFileUseCases {
  /** The file as it stands on the disk; secrets in it are masked unless `revealSecrets`. */
  read(userId: string, revealSecrets?: boolean): Promise<MemoryFileText>
  /** The backups that were kept of the file, newest first; times are milliseconds since the epoch. */
  backups(userId: string): ReturnType<MemoryFiles['backups']>
  /** The text of one; secrets in it are masked. Rejects `not_found` where there is none. */
  backup(userId: string, name: string): Promise<string>
  digest(input: DigestInput, signal?: AbortSignal): Promise<MemoryFileReport>
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

/** Binds the use cases. */
export function memoryFileUseCases(
  store: Store,
  options: ResolvedOptions,
  thinking: Thinking,
  llm: LanguageModel | null,
  loadFiles: () => Promise<MemoryFiles>,
  open: Guard,
): MemoryFileUseCases {
  const { clock, logger, path, memoryFile: settings } = options
  let loaded: Promise<MemoryFiles> | undefined
  const files = (): Promise<MemoryFiles> => {
    loaded ??= loadFiles()
    return loaded
  }
  const dependencies = async (): Promise<MemoryFileDependencies> => ({
    store,
    files: await files(),
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
            const { notesByModel } = await import('../cognition/notes/model.ts')
            return notesByModel(memories, { model: llm, userId, logger, ...(signal === undefined ? {} : { signal }) })
          },
    thinkDue: () => atMost(thinking.worker.idle(), LONGEST_THINKING_MS),
    embedSoon: thinking.embedSoon,
  })
  return {
    read: open(async (userId, revealSecrets) => {
      const { readMemoryFile } = await import('../pipeline/memory-file/read-file.ts')
      const isRevealed = revealSecrets === undefined ? false : checkBoolean('revealSecrets', revealSecrets)
      return readMemoryFile(await dependencies(), checkId('userId', userId), isRevealed)
    }),
    backups: open(async (userId) => {
      const { memoryFileOf } = await import('../pipeline/memory-file/where.ts')
      const given = await dependencies()
      return given.files.backups(await memoryFileOf(given, checkId('userId', userId)))
    }),
    backup: open(async (userId, name) => {
      const { memoryFileOf } = await import('../pipeline/memory-file/where.ts')
      const { readableText } = await import('../text/memory-file/repair.ts')
      const given = await dependencies()
      const file = await memoryFileOf(given, checkId('userId', userId))
      const content = await given.files.readBackup(file, checkId('name', name))
      if (content === null) throw notFound('backup', name, 'List the backups to see their names.')
      return maskSecrets(readableText(content.bytes).text)
    }),
    digest: open(async (input, signal) => {
      const { digest } = await import('../pipeline/memory-file/digest.ts')
      return digest(await dependencies(), input, signal)
    }),
    sync: open(async (userId, signal) => {
      const { syncFile } = await import('../pipeline/memory-file/digest.ts')
      return syncFile(await dependencies(), userId, signal)
    }),
    users: open(() => store.memoryFile.users()),
    watch: open(async (userId, changed) => {
      const { memoryFileOf } = await import('../pipeline/memory-file/where.ts')
      const given = await dependencies()
      return given.files.watch(await memoryFileOf(given, checkId('userId', userId)), changed)
    }),
    forget: async (userId) => {
      if ((await store.memoryFile.gone(userId)).length === 0) return
      const { forgetInFile } = await import('../pipeline/memory-file/forget-in-file.ts')
      await forgetInFile(await dependencies(), userId)
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
