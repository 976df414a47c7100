/** Memory files on disk: always whole, one process at a time; copies lie beside in a folder of the owner's. */
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { lstat, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { SeenFile } from '../domain/contracts/small-stores.ts'
import { MnemeError } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { makeFolder } from '../domain/make-folder.ts'
import { fileError, plainFile } from '../domain/plain-file.ts'
import { LONGEST_TICK_MS, renamedTo } from './rename-file.ts'

export interface FileContent {
  readonly bytes: Uint8Array
  /** Milliseconds since the epoch. */
  readonly changedAt: number
  readonly seenAs: SeenFile
  /** false: it was written a moment ago, and another write may still leave the same time. */
  readonly isSettled: boolean
}

interface ReplaceOptions {
  /** The content that was read before; nothing is written if it has changed. null: there was no file. */
  readonly expected: Uint8Array | null
  /** true: only its owner may read it from now on. */
  readonly secret: boolean
  /** Backups to keep, the newest; 0: none is made. */
  readonly backups: number
  /** The present, in milliseconds since the epoch: backups are named by it. */
  readonly at: number
}

const FIELD = 'memoryFile.path'
const OWNER_ONLY = 0o600
const USUAL_MODE = 0o644
/** Larger files are no notes, and are not read. */
const LARGEST_BYTES = 32 * 1024 * 1024
/** An editor writes a file in several steps; they are seen as one. */
const QUIET_MS = 300
const LONGEST_WAIT_MS = 10_000
const LOOK_MS = 20
const SQLITE_BUSY = 5
const BACKUP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z(?:-\d+)?\.md$/
const DAMAGED = 'damaged-'
const KEPT_DAMAGED = 5
/** Names the database, seen from the folder of the file: both may move together. */
const KEEPER = 'database'

/** Does the work while no other process may write the file; rejects after 10 seconds. */
export async function withLockedFile<T>(
  path: string,
  work: (file: LockedFile) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
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
}

/** A file while no other process may write it. */
export type LockedFile = ReturnType<typeof lockedFile>

function lockedFile(path: string) {
  const folder = copiesFolder(path)
  const unfinished = join(folder, 'unfinished')
  const copies = async (isMeant: (name: string) => boolean): Promise<readonly string[]> =>
    (await namesIn(folder)).filter(isMeant).toSorted()
  const isBackup = (name: string): boolean => BACKUP.test(name)
  const isSetAside = (name: string): boolean => name.startsWith(DAMAGED)
  /** Keeps a copy named by the moment, or by the next that is free. */
  const keepCopy = async (bytes: Uint8Array, at: number, prefix = ''): Promise<string> => {
    for (let moment = at; ; moment += 1) {
      const copy = join(folder, `${prefix}${stamp(moment)}.md`)
      if ((await stat(copy).catch(() => null)) !== null) continue
      await renamedTo(copy, bytes, unfinished, OWNER_ONLY)
      return copy
    }
  }
  const dropOldest = async (isMeant: (name: string) => boolean, keep: number): Promise<void> => {
    const meant = await copies(isMeant)
    for (const name of meant.slice(0, Math.max(0, meant.length - keep))) await rm(join(folder, name), { force: true })
  }
  return {
    /** null: there is none. */
    read: () => readContent(path),
    /** Keeps a copy of the old file, then puts the new one in its place. `changed`: somebody else wrote it meanwhile. */
    replace: (bytes: Uint8Array, { expected, secret, backups, at }: ReplaceOptions) =>
      asFileError(path, async () => {
        const isStill = (): boolean => holds(path, expected)
        if (!isStill()) return 'changed'
        await makeCopiesFolder(path)
        const backup = expected === null || backups === 0 ? null : await keepCopy(expected, at)
        const mode = expected === null ? USUAL_MODE & ~process.umask() : (await stat(path)).mode & 0o777
        let time: bigint | null = null
        try {
          time = await renamedTo(path, bytes, unfinished, secret ? mode & OWNER_ONLY : mode, isStill)
        } finally {
          // A file that was not replaced needs no copy; on a full disk copies would pile up.
          if (time === null && backup !== null) await rm(backup, { force: true }).catch(() => {})
        }
        if (time === null) return 'changed'
        await dropOldest(isBackup, backups)
        return { backup, seenAs: seenAs(bytes, time) }
      }),
    /** Keeps a copy of a file that cannot be read whole; the copy's path. */
    setAside: (bytes: Uint8Array, at: number) =>
      asFileError(path, async () => {
        const kept = await keepCopy(bytes, at, DAMAGED)
        await dropOldest(isSetAside, KEPT_DAMAGED)
        return kept
      }),
    /** From now on this database keeps the file. */
    claim: (database: string) =>
      asFileError(path, async () => {
        const own = await realpath(database)
        if ((await keeperOf(path)) === own) return
        const keeper = join(folder, KEEPER)
        // A pipe in its place is not written to.
        await rm(keeper, { force: true })
        await writeFile(keeper, relative(dirname(path), own))
      }),
    /** Rewrites every copy that was kept for which `change` gives other bytes. */
    rewriteCopies: (change: (bytes: Uint8Array) => Uint8Array) =>
      asFileError(path, async () => {
        for (const name of await copies((one) => isBackup(one) || isSetAside(one))) {
          const bytes = (await readContent(join(folder, name)))?.bytes ?? Buffer.of()
          const changed = change(bytes)
          if (Buffer.compare(bytes, changed) !== 0) await renamedTo(join(folder, name), changed, unfinished, OWNER_ONLY)
        }
      }),
  }
}

/** The file as it is now, without waiting; null: there is none. Rejects as `withLockedFile` does. */
export async function readNotesFile(path: string): Promise<FileContent | null> {
  return readContent(await locate(path))
}

/** The database that keeps this file; null: none that is still there. */
export async function keeperOf(path: string): Promise<string | null> {
  const place = await locate(path).catch(() => path)
  const content = await readContent(join(copiesFolder(place), KEEPER)).catch(() => null)
  const name = new TextDecoder().decode(content?.bytes)
  return name === '' ? null : realpath(resolve(dirname(place), name)).catch(() => null)
}

/** A backup: its name, when it was kept (milliseconds since the epoch) and its size. */
export interface Backup {
  readonly name: string
  readonly keptAt: number
  readonly bytes: number
}

/** The backups that were kept of the file, newest first. */
export function listBackups(path: string): Promise<readonly Backup[]> {
  return asFileError(path, async () => {
    const folder = copiesFolder(await locate(path))
    const names = (await namesIn(folder))
      .filter((name) => BACKUP.test(name))
      .toSorted()
      .reverse()
    return Promise.all(
      names.map(async (name) => {
        const keptAt = Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}).*/, 'T$1:$2:$3.$4Z'))
        return { name, keptAt, bytes: (await stat(join(folder, name))).size }
      }),
    )
  })
}

/** One backup by its name, which leads out of no folder; null: there is none. */
export async function readBackup(path: string, name: string): Promise<FileContent | null> {
  const place = await locate(path)
  return BACKUP.test(name) ? readContent(join(copiesFolder(place), name)) : null
}

/** Calls `changed` when the file may have changed; the returned function stops it. */
export function watchFile(path: string, changed: () => void, logger: Logger): () => void {
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

/** Locks a file beside it by SQLite, which the system frees with the process. Rejects `conflict` after 10 seconds. */
export async function takeLock(path: string, lockPath: string, signal?: AbortSignal): Promise<() => void> {
  const lock = new DatabaseSync(plainFile(lockPath), { timeout: 0 })
  const release = (): void => lock.close()
  try {
    for (let waited = 0; ; waited += LOOK_MS) {
      try {
        lock.exec('BEGIN EXCLUSIVE')
        return release
      } catch (error) {
        if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
      }
      if (waited >= LONGEST_WAIT_MS)
        throw new MnemeError('conflict', `Another process has been writing ${path} for 10 seconds.`, {
          remedy: 'Try again when it is done; `mneme doctor` shows which database is in use.',
          place: path,
        })
      await pause(LOOK_MS, undefined, signal === undefined ? {} : { signal })
    }
  } catch (error) {
    release()
    throw error
  }
}

/** The absolute path of a plain file, which need not exist; links that leave its folder are refused. */
function locate(path: string): Promise<string> {
  return asFileError(path, async () => {
    const named = resolve(path)
    const folder = await realpath(dirname(named)).catch(ifAbsent(dirname(named)))
    let target = join(folder, basename(path))
    const link = await readlink(target).catch(() => null)
    if (link !== null) {
      const linked = resolve(folder, link)
      target = await realpath(linked).catch(() => linked)
      if (dirname(target) !== folder) throw notAFile(path, 'a link out of its folder')
    }
    const found = await lstat(target).catch(ifAbsent(null))
    if (found?.isDirectory()) throw notAFile(path, 'a folder, not a file')
    if (found !== null && !found.isFile()) throw notAFile(path, 'no plain file')
    return target
  })
}

function readContent(path: string): Promise<FileContent | null> {
  const read = async (): Promise<FileContent | null> => {
    const found = await stat(path, { bigint: true })
    // A pipe or a device among the copies may never end.
    if (!found.isFile()) return null
    const { size, mtimeMs, mtimeNs } = found
    if (size > LARGEST_BYTES) throw new Error(`it has ${size} bytes; at most ${LARGEST_BYTES} are read`)
    const isSettled = Date.now() - Number(mtimeMs) > LONGEST_TICK_MS
    const bytes = await readFile(path)
    // An edit between the look at the time and the bytes must not pass for damage.
    if ((await stat(path, { bigint: true })).mtimeNs !== mtimeNs) return await read()
    return { bytes, changedAt: Number(mtimeMs), seenAs: seenAs(bytes, mtimeNs), isSettled }
  }
  return asFileError(path, () => read().catch(ifAbsent(null)))
}

function seenAs(bytes: Uint8Array, time: bigint): SeenFile {
  return { time: String(time), check: crc32(bytes) }
}

/** Whether the file holds these bytes at this moment; null: whether there is none. */
function holds(path: string, expected: Uint8Array | null): boolean {
  try {
    const bytes = readFileSync(path)
    return expected !== null && bytes.equals(expected)
  } catch (error) {
    return expected === null && isAbsent(error)
  }
}

function copiesFolder(path: string): string {
  return join(dirname(path), `${basename(path)}.backups`)
}

async function makeCopiesFolder(path: string): Promise<string> {
  const folder = copiesFolder(path)
  makeFolder(folder, 0o700)
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return folder
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[:.]/g, '-')
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** The value for what is not there; every other error goes on. */
function ifAbsent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isAbsent(error)) return value
    throw error
  }
}

async function asFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const orElse = 'Name another memory file; what is remembered is unharmed.'
    throw fileError(cause, path, { field: FIELD, orElse })
  }
}

function notAFile(path: string, what: string): MnemeError {
  return new MnemeError('storage_failed', `${path} is ${what}.`, {
    remedy: 'Move it away, or name another memory file.',
    place: path,
    field: FIELD,
  })
}
