/** Turns what SQLite and the file system say into errors that name a remedy. */
import { type ErrorCode, MnemeError } from '../../../domain/errors.ts'
import {
  fileBytes,
  fileError,
  isEmptied,
  isNearlyDatabase,
  isSystemError,
  NEW_BYTES,
  writeRefusal,
} from '../../../domain/plain-file.ts'

interface Meaning {
  readonly code: ErrorCode
  readonly reason: string
  readonly remedy: string
}

const LOCKED: Meaning = {
  code: 'database_locked',
  reason: 'Another process held the write lock for longer than 5 seconds.',
  remedy: 'Try again; if it persists, find the process that keeps a transaction open on this file.',
}
const DAMAGED: Meaning = {
  code: 'database_damaged',
  reason: 'The database file is damaged.',
  remedy:
    'Leave the file as it is, copy it aside, and run `mneme doctor`; `mneme repair` makes it anew from what can be read.',
}
const FULL: Meaning = {
  code: 'storage_full',
  reason: 'The disk is full; this write was undone, everything acknowledged before is kept.',
  remedy: 'Free space on the disk that holds the database and try again.',
}
const READ_ONLY: Meaning = {
  code: 'storage_read_only',
  reason: 'The database or its folder cannot be written.',
  remedy: 'Give this user write permission on the file and its folder, or name another file.',
}

const FOREIGN: Meaning = {
  code: 'not_a_database',
  reason: 'The file is not a SQLite database; it was left as it is.',
  remedy: 'Name another file, or move this one away.',
}
const EMPTIED: Meaning = {
  code: 'database_damaged',
  reason: 'The file is empty or gone, and beside it lies its log (-wal), with what was stored.',
  remedy:
    'Put the file back; or run `mneme repair`, which keeps the log aside and makes a new file of it; or move the log away before a backup takes the place.',
}

/** SQLITE_NOTADB: the header is not as SQLite wants it. */
const NO_DATABASE = 26

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  5: LOCKED,
  6: LOCKED,
  8: READ_ONLY,
  10: {
    code: 'storage_failed',
    reason: 'The operating system reported an input/output error; this write was undone.',
    remedy: 'Check the disk and its free space, then try again.',
  },
  11: DAMAGED,
  13: FULL,
  14: {
    code: 'storage_failed',
    reason: 'The database file cannot be opened.',
    remedy: 'Check that the folder exists and that this user may read and write in it.',
  },
  [NO_DATABASE]: FOREIGN,
}

/** SQLITE_READONLY and SQLITE_CANTOPEN: behind both may be a read-only disk or a missing right. */
const MAY_BE_REFUSED: readonly number[] = [8, 14]

/** Messages of SQLite, by SQLITE_ERROR, about tables that are not as our migrations made them. */
const OTHER_SCHEMA =
  /^no such (?:table|column)|has no column named|unsupported file format|malformed (?:database schema|JSON)/

/** The result code of an error thrown by node:sqlite, undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  const code = error.errcode & 0xff
  return code === 1 && OTHER_SCHEMA.test(error.message) ? 11 : code
}

/** true when another process kept its lock too long: nothing of the transaction was done. */
export function isLocked(error: unknown): boolean {
  return error instanceof MnemeError && error.code === LOCKED.code
}

/** true when the file is damaged where it was read. */
function isDamaged(error: unknown): boolean {
  const meant = storageError(error, '')
  return meant instanceof MnemeError && meant.code === DAMAGED.code
}

/** true when the disk had no room; the transaction was undone. */
export function isFull(error: unknown): boolean {
  return error instanceof MnemeError && error.code === FULL.code
}

/** true when a full disk may be to blame that a file cannot be opened. */
export function isOutOfRoom(error: unknown): boolean {
  return isFull(error) || (error instanceof MnemeError && error.code === 'storage_failed')
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5
}

/** The Mneme error for anything thrown by work with the database at `path`. */
export function storageError(error: unknown, path: string): unknown {
  if (isSystemError(error)) return fileError(error, error.path ?? path)
  const code = sqliteCode(error) ?? 0
  const meaning = code === NO_DATABASE && isNearlyDatabase(path) ? DAMAGED : MEANINGS[code]
  if (error instanceof MnemeError || meaning === undefined) return error
  const refused = MAY_BE_REFUSED.includes(code) ? writeRefusal(path) : null
  if (refused?.code === READ_ONLY.code) return refused
  return saidOf(meaning, path, error)
}

function saidOf({ code, reason, remedy }: Meaning, path: string, cause?: unknown): MnemeError {
  return new MnemeError(code, `${path}: ${reason}`, { remedy, place: path, cause })
}

/** The error of a disk that had no room for the file at `path`. */
export function fullError(path: string): MnemeError {
  return saidOf(FULL, path)
}

/** Throws where SQLite would take a file for a new one, and drop the log or the byte that is there. */
export function refuseEmptied(path: string): void {
  if (isEmptied(path)) throw saidOf(EMPTIED, path)
  if (fileBytes(path) === NEW_BYTES) throw saidOf(FOREIGN, path)
}

/** SQLITE_ERROR (no such table), SQLITE_CORRUPT and SQLITE_CONSTRAINT (of a damaged table's own making). */
const INDEX_FAILURES: readonly number[] = [1, 11, 19]

/** true when the full-text table, not the file or the disk, is to blame. */
export function isIndexFailure(error: unknown): boolean {
  if (error instanceof MnemeError) return isIndexFailure(error.cause)
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  return INDEX_FAILURES.includes(error.errcode & 0xff)
}

/** null: it cannot be read. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isDamaged(error)) return null
    throw error
  }
}
