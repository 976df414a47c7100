/**
 * How is a file kept from being written by two processes at once? By an exclusive lock on a file beside it that SQLite
 * takes: the system gives it back when its process ends, however it ends, so that no lock is ever left behind.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { MnemeError } from '../../domain/errors.ts'

const LONGEST_WAIT_MS = 10_000
const LOOK_MS = 20
/** SQLITE_BUSY. */
const BUSY = 5

/** Takes the lock; what it resolves to gives it back. Rejects `conflict` when it is not free for 10 seconds. */
export async function takeLock(path: string, lockPath: string, signal?: AbortSignal): Promise<() => void> {
  const lock = new DatabaseSync(lockPath, { timeout: 0 })
  const release = (): void => lock.close()
  try {
    for (let waited = 0; ; waited += LOOK_MS) {
      if (isTaken(lock)) return release
      if (waited >= LONGEST_WAIT_MS)
        throw new MnemeError('conflict', `Another process has been writing ${path} for 10 seconds.`, {
          remedy: 'Try again when it is done; `mneme doctor` shows which database is in use.',
          place: path,
        })
      await setTimeout(LOOK_MS, undefined, signal === undefined ? {} : { signal })
    }
  } catch (error) {
    release()
    throw error
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return false
    throw error
  }
}
