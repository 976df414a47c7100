/** How are files read and replaced, so that nobody waits forever and what the system refuses is said of the file by name? */
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type ErrorCode, invalid, MnemeError, messageOf } from './errors.ts'

/** The path again. Throws `code` for a folder, and for a pipe or device, which may keep whoever opens it waiting forever. */
export function plainFile(path: string, code: ErrorCode = 'storage_failed'): string {
  // A path that cannot be looked at is refused when it is opened.
  const found = existsSync(path) ? statSync(path) : undefined
  if (found?.isFile() !== false) return path
  throw new MnemeError(code, `${path}: is ${found.isDirectory() ? 'a folder' : 'no plain file'}.`, {
    remedy: 'Move it away, or name a plain file.',
    place: path,
  })
}

/** Where links lead from the path, also to a file that does not exist yet. */
export function behindLinks(path: string): string {
  try {
    return behindLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)))
  } catch {
    return path
  }
}

/** What SQLite and this program keep in files beside a database, by the ends of their names. */
const DATABASE_PARTS = ['', '-wal', '-shm', '-journal', '-reserve']

/** Bytes of a file; 0 where there is none, or none that can be looked at. */
export function fileBytes(path: string): number {
  return Number(lookAt(path)?.size ?? 0)
}

/** Bytes up to which SQLite takes a file for a new one. */
export const NEW_BYTES = 1

/** true where a database has left a log that holds something, and is empty or gone. */
export function isEmptied(path: string): boolean {
  // The log first: another process may be making both.
  return fileBytes(`${path}-wal`) > 0 && fileBytes(path) <= NEW_BYTES
}

const DATABASE_START = 'SQLite format 3\0'

/** true for a plain file that holds a database of SQLite, of ours or of another program; false for what cannot be read. */
export function isDatabase(path: string): boolean {
  return wrongBits(path) === 0
}

/** Bits that may have flipped in the beginning of a database; that of other files differs in some forty of 128. */
const FEW_BITS = 8

/** true where the file begins as a database but for a few bits. */
export function isNearlyDatabase(path: string): boolean {
  return wrongBits(path) <= FEW_BITS
}

/** Bits in which the file's beginning differs from that of every database; infinite for what cannot be read. */
function wrongBits(path: string): number {
  let file: number | undefined
  try {
    file = openSync(plainFile(path), 'r')
    const start = Buffer.alloc(DATABASE_START.length)
    if (readSync(file, start) < start.length) return Number.POSITIVE_INFINITY
    const differing = start.map((byte, at) => byte ^ DATABASE_START.charCodeAt(at))
    return differing.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  } catch {
    return Number.POSITIVE_INFINITY
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The path again. Throws `invalid` for any database, and for a file of the open one or of `others`, under any name or link. */
export function notOurOwn(
  field: string,
  path: string,
  database: string | null,
  others: readonly string[] = [],
): string {
  const place = placeOf(path)
  const found = lookAt(path)
  const parts = database === null ? [] : DATABASE_PARTS.map((end) => database + end)
  for (const own of [...parts, ...others]) {
    const there = lookAt(own)
    const isSameFile = found !== undefined && found.ino === there?.ino && found.dev === there.dev
    if (isSameFile || place === placeOf(own))
      throw invalid(field, `${path} is ${own}, which this memory keeps itself`, 'Name another file.')
  }
  if (isDatabase(path)) throw invalid(field, `${path} is a database`, 'Name another file.')
  return path
}

function placeOf(path: string): string {
  const place = behindLinks(resolve(path))
  try {
    return join(realpathSync(dirname(place)), basename(place))
  } catch {
    return place
  }
}

/** undefined where there is nothing that can be looked at. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Larger files are no notes, settings or lists. */
const LARGEST_BYTES = 64 * 1024 * 1024
const PIECE_BYTES = 64 * 1024

/** The bytes of a plain file, or with `piped` of a pipe as well. Throws MnemeError; also for more than 64 MiB. */
export function readPlain(path: string, { piped = false } = {}): Buffer {
  let file: number | undefined
  try {
    file = openSync(piped ? path : plainFile(path), 'r')
    const pieces: Buffer[] = []
    for (let bytes = 0; bytes <= LARGEST_BYTES; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES)
      const read = readSync(file, piece)
      if (read === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, read))
      bytes += read
    }
    throw new Error(`it has more than ${LARGEST_BYTES} bytes`)
  } catch (error) {
    throw fileError(error, path)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Replaces a file whole or not at all. Throws MnemeError. */
export function replaceFile(path: string, text: string, mode?: number): void {
  const aside = `${path}.${process.pid}.new`
  try {
    writeAside(aside, text, mode)
    renameSync(aside, path)
  } catch (error) {
    dropAside(aside)
    throw fileError(error, path)
  }
}

/** Writes a new file; what lies in its place, left by a killed process or put there, is removed and not written through. */
export function writeAside(aside: string, text: string, mode?: number): void {
  rmSync(aside, { force: true })
  writeFileSync(aside, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) })
}

/** Removes what `writeAside` wrote, as far as it can. */
export function dropAside(aside: string): void {
  try {
    rmSync(aside, { force: true })
  } catch {
    // A folder that lay there stays.
  }
}

type Meaning = readonly [code: ErrorCode, reason: string, remedy: string]
const FULL: Meaning = ['storage_full', 'has no room on its disk', 'Free space there and try again.']
const NO_RIGHT: Meaning = [
  'storage_read_only',
  'may not be read or written',
  'Give this user the right to it and its folder.',
]
const FAILED: Meaning = ['storage_failed', 'cannot be read or written', 'Put right what lies there.']
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: ['storage_read_only', 'lies on a disk that is read-only', 'Make the disk writable.'],
}

/** Anything thrown by work with the file at `path`, as an error that a person can act on. `field`: the input that named it. */
export function fileError(
  cause: unknown,
  path: string,
  { field, orElse = 'Or name another place.' }: { readonly field?: string; readonly orElse?: string } = {},
): MnemeError {
  if (cause instanceof MnemeError) return cause
  const [code, reason, remedy] = (isSystemError(cause) ? MEANINGS[cause.code] : undefined) ?? FAILED
  // The system names the file again, and sometimes another one beside it.
  const because = messageOf(cause).split(', ')[0]
  const about = { remedy: `${remedy} ${orElse}`, place: path, field, cause }
  return new MnemeError(code, `${path}: ${reason} (${because}).`, about)
}

/** Why the file, or one beside it, may not be written; null where nothing speaks against it. A folder that is missing does. */
export function writeRefusal(path: string): MnemeError | null {
  const place = placeOf(path)
  try {
    accessSync(dirname(place), constants.W_OK | constants.X_OK)
    if (existsSync(place)) accessSync(place, constants.R_OK | constants.W_OK)
    return null
  } catch (cause) {
    return fileError(cause, path)
  }
}

/** Reads and writes of an open file do not name it; these codes come from no socket. */
const OF_DISKS = /^(?:EIO|EISDIR|ENOSPC|EDQUOT|EROFS)$/

/** An error of the file system that nobody expected as one that names its file; every other one as it is. */
export function saidOfFile(error: unknown): unknown {
  if (!isSystemError(error) || (error.path === undefined && !OF_DISKS.test(error.code))) return error
  return fileError(error, error.path ?? 'A file')
}

/** true for what the system refuses, of files and of much else. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
