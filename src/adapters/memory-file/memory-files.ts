/** Memory files on this machine's disk: the contract MemoryFiles. */
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileContent, LockedFile, MemoryFiles, ReplaceOptions } from '../../contracts/memory-file.ts'
import type { Logger } from '../../domain/logger.ts'
import {
  copiesFolder,
  dropOldBackups,
  isBackup,
  keepBackup,
  keepDamaged,
  listBackups,
  makeCopiesFolder,
  rewriteCopies,
} from './copies.ts'
import { fileError } from './file-error.ts'
import { isAbsent, locate } from './locate.ts'
import { takeLock } from './lock.ts'
import { replaceFile } from './replace-file.ts'

const OWNER_ONLY = 0o600
const USUAL_MODE = 0o644
/** Larger files are no notes, and are not read. */
const LARGEST_BYTES = 32 * 1024 * 1024
/** An editor writes a file in several steps; they are seen as one. */
const QUIET_MS = 300

/** Files by their paths. */
export function diskMemoryFiles(logger: Logger): MemoryFiles {
  return {
    locked: async (path, work, signal) => {
      const place = await locate(path)
      const release = await asFileError(path, async () => {
        const folder = await makeCopiesFolder(place)
        const free = await takeLock(place, join(folder, 'lock'), signal)
        // A process that was killed may have left it: nobody else writes now.
        await rm(join(folder, 'unfinished'), { force: true })
        return free
      })
      try {
        return await work(lockedFile(place))
      } finally {
        release()
      }
    },
    read: async (path) => readContent(await locate(path)),
    backups: async (path) => asFileError(path, async () => listBackups(await locate(path))),
    readBackup: async (path, name) => {
      const place = await locate(path)
      return isBackup(name) ? readContent(join(copiesFolder(place), name)) : null
    },
    rewrite: async (path, change) => {
      const place = await locate(path)
      const content = await readContent(place)
      const changed = content === null ? null : change(content.bytes)
      if (content === null || changed === null || Buffer.compare(changed, content.bytes) === 0) return false
      await asFileError(place, async () => {
        const { mode } = await stat(place)
        const unfinished = join(dirname(place), `.${basename(place)}.${process.pid}.unfinished`)
        const isReplaced = await replaceFile(place, changed, unfinished, mode & 0o777, () =>
          isStill(place, content.bytes),
        )
        if (!isReplaced) throw new Error('it was changed by somebody else meanwhile')
      })
      return true
    },
    watch: (path, changed) => watchFile(path, changed, logger),
  }
}

function lockedFile(path: string): LockedFile {
  return {
    path,
    read: () => readContent(path),
    replace: (bytes, options) => asFileError(path, () => replace(path, bytes, options)),
    setAside: (bytes, at) => asFileError(path, () => keepDamaged(path, bytes, at)),
    rewriteCopies: (change) => asFileError(path, () => rewriteCopies(path, change)),
  }
}

async function replace(
  path: string,
  bytes: Uint8Array,
  { expected, secret, backups, at }: ReplaceOptions,
): ReturnType<LockedFile['replace']> {
  const before = await readContent(path)
  const same = before === null ? expected === null : expected !== null && Buffer.compare(before.bytes, expected) === 0
  if (!same) return 'changed'
  const backup = before === null || backups === 0 ? null : await keepBackup(path, before.bytes, at)
  const mode = before === null ? USUAL_MODE & ~process.umask() : (await stat(path)).mode & 0o777
  const unfinished = join(await makeCopiesFolder(path), 'unfinished')
  const mayReplace = (): boolean => isStill(path, expected)
  const isReplaced = await replaceFile(path, bytes, unfinished, secret ? mode & OWNER_ONLY : mode, mayReplace).catch(
    async (error: unknown) => {
      // Nothing was replaced, so there is nothing to go back to; on a full disk copies would pile up.
      await dropCopy(backup)
      throw error
    },
  )
  if (!isReplaced) {
    await dropCopy(backup)
    return 'changed'
  }
  await dropOldBackups(path, backups)
  return { backup }
}

async function dropCopy(backup: string | null): Promise<void> {
  if (backup !== null) await rm(backup, { force: true }).catch(() => {})
}

/** Whether the file holds these bytes at this moment; null: whether there is none. */
function isStill(path: string, expected: Uint8Array | null): boolean {
  try {
    const bytes = readFileSync(path)
    return expected !== null && bytes.equals(expected)
  } catch (error) {
    return expected === null && isAbsent(error)
  }
}

async function readContent(path: string): Promise<FileContent | null> {
  try {
    const { size, mtimeMs } = await stat(path)
    if (size > LARGEST_BYTES) throw new Error(`it has ${size} bytes; at most ${LARGEST_BYTES} are read`)
    return { bytes: await readFile(path), changedAt: Math.floor(mtimeMs) }
  } catch (error) {
    if (isAbsent(error)) return null
    throw fileError(error, path)
  }
}

async function asFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw fileError(error, path)
  }
}

/** The folder is watched, since a file that is replaced is another file. */
function watchFile(path: string, changed: () => void, logger: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name !== null && name !== basename(path)) return
      clearTimeout(timer)
      timer = setTimeout(changed, QUIET_MS).unref()
    })
    watcher.on('error', (error) => logger.warn('the memory file is not watched any more', { reason: String(error) }))
  } catch (error) {
    logger.warn('the memory file cannot be watched; it is read with the next digest', { reason: String(error) })
  }
  return () => {
    clearTimeout(timer)
    watcher?.close()
  }
}
