/** Is this process alone with a database file? A repair puts another one in its place, where no other process may write. */
import { linkSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { MnemeError } from '../../domain/errors.ts'
import { dropAside, plainFile } from '../../domain/plain-file.ts'
import { isBusy, storageError } from './file/storage-errors.ts'

/**
 * Holds off other repairs of the file until `release`. Throws database_locked where there is one, and in `check` where
 * another process has the file open or has written it since.
 */
export function holdAlone(path: string): { readonly check: () => void; readonly release: () => void } {
  const found = stampOf(path)
  const lock = exclusive(`${path}.repairing-lock`, path)
  const check = (): void => {
    if (stampOf(path) !== found) throw inUse(path)
    // Locks belong to the file, whatever it is called; under its own name its log would be written into it.
    const probe = `${path}.repairing-probe`
    rmSync(probe, { force: true })
    try {
      linkSync(path, probe)
      exclusive(probe, path)()
    } catch (error) {
      // A file too damaged for a lock, or on a disk without links, cannot be asked.
      if (error instanceof MnemeError && error.code === 'database_locked') throw error
    } finally {
      for (const part of ['', '-wal', '-shm']) dropAside(probe + part)
    }
  }
  return { check, release: lock }
}

/** The file as it lies there; another one in its place has another stamp. */
function stampOf(path: string): string {
  return ['', '-wal']
    .map((part) => statSync(path + part, { throwIfNoEntry: false }))
    .map((file) => `${file?.ino} ${file?.size} ${file?.mtimeMs}`)
    .join()
}

/** Locks a file for this process; the answer lets it go and removes it. */
function exclusive(file: string, path: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(plainFile(file), { timeout: 0 })
    database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    throw isBusy(error) ? inUse(path) : storageError(error, file)
  }
  return () => {
    database.close()
    rmSync(file, { force: true })
  }
}

function inUse(path: string): MnemeError {
  return new MnemeError('database_locked', `${path}: another process has the file open, or repairs it.`, {
    remedy: 'End servers, assistants and commands that use this file, and repair it then; nothing was changed.',
    place: path,
  })
}
