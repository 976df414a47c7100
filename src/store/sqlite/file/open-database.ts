/** Opens or creates a database file with the schema of this program, or says why not and leaves it as it is. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MnemeError } from '../../../domain/errors.ts'
import { Connection } from './connection.ts'
import { storageError } from './errors.ts'
import { migrate, refuseNewer, schemaVersion } from './migrate.ts'

/** The treatment of a missing path. */
export interface OpenMode {
  /** false: an absent file is an error. */
  readonly create: boolean
  /** true: every commit is on the disk before it returns. Default false. */
  readonly full?: boolean
}

/** An open connection to a current schema. `:memory:` is a database of this process alone. */
export function openDatabase(path: string, { create, full = false }: OpenMode): Connection {
  if (path !== ':memory:' && prepare(path, create)) refuseForeign(path)
  const connection = new Connection(path, { full })
  try {
    migrate(connection)
  } catch (error) {
    connection.close()
    throw storageError(error, path)
  }
  return connection
}

/** A file that this program must not touch is recognised before it is opened for writing. */
function refuseForeign(path: string): void {
  const connection = new Connection(path, { readOnly: true })
  try {
    refuseNewer(connection, schemaVersion(connection))
  } catch (error) {
    throw storageError(error, path)
  } finally {
    connection.close()
  }
}

/** Makes the folder of a new file; true when there is a database already. */
function prepare(path: string, create: boolean): boolean {
  if (!existsSync(path)) {
    if (!create)
      throw new MnemeError('not_found', `${path}: there is no such database.`, {
        remedy: 'Name an existing file, or run memory_init to create one.',
      })
    try {
      makeFolder(dirname(resolve(path)))
    } catch (cause) {
      throw new MnemeError('storage_failed', `${path}: its folder cannot be created.`, {
        remedy: 'Name a folder in which this user may write.',
        cause,
      })
    }
    return false
  }
  if (statSync(path).isDirectory())
    throw new MnemeError('not_a_database', `${path}: is a folder.`, { remedy: 'Name a file, such as memory.db.' })
  // SQLite alone reads the content: closing a descriptor of our own would drop its locks.
  return statSync(path).size > 0
}

/**
 * Makes the folders one after the other: the recursive mkdir of Node never returns where none can be made, as below
 * /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(folder)) throw error
  }
}
