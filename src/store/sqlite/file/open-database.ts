/** Opens or creates a database file with the schema of this program, or says why not and leaves it as it is. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MnemeError } from '../../../domain/errors.ts'
import { makeFolder } from '../../../domain/make-folder.ts'
import { lazy } from '../../../domain/scheduling.ts'
import { packageFile } from '../../../language/package-file.ts'
import { Connection } from './connection.ts'
import { keepReserve, spendReserve } from './disk-reserve.ts'
import { isOutOfRoom, refuseEmptied, storageError } from './storage-errors.ts'
import { keepChecks } from './word-checks.ts'

export interface OpenMode {
  /** false: an absent file is an error. */
  readonly create: boolean
  /** true: every commit is on the disk before it returns. Default false. */
  readonly full?: boolean
}

/** An open connection to a current schema. `:memory:` is a database of this process alone. */
export function openDatabase(path: string, mode: OpenMode): Connection {
  try {
    return openOnce(path, mode)
  } catch (error) {
    // Beside an open file lie its log and what its processes share: on a full disk they take the room that is kept.
    if (!isOutOfRoom(error) || !spendReserve(path)) throw error
    const connection = openOnce(path, mode)
    connection.spentReserve = true
    return connection
  }
}

function openOnce(path: string, { create, full = false }: OpenMode): Connection {
  const isLogGone = !existsSync(`${path}-wal`)
  if (path !== ':memory:' && prepare(path, create)) refuseForeign(path)
  const connection = new Connection(path, { full })
  try {
    migrate(connection)
    keepChecks(connection)
    connection.lostLog = misses(connection, isLogGone)
    if (path !== ':memory:') connection.onFirstCommit = () => markInUse(connection)
  } catch (error) {
    connection.close()
    throw storageError(error, path)
  }
  return connection
}

const MARK = 'SELECT value FROM counters WHERE name = ?'
const SET_MARK = `INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
const DROP_MARKS = `DELETE FROM counters WHERE name IN ('in_use', 'in_log')`

/**
 * true when this very file, and no copy of it, misses what the log of a process held that has not closed it. It was
 * found so before, or `isLogGone`.
 */
export function misses(connection: Connection, isLogGone: boolean): boolean {
  const { path } = connection
  if (path === ':memory:') return false
  const file = statSync(path).ino
  const isMarked = (mark: string): boolean => connection.count(MARK, mark) === file
  return isMarked('lost_log') || (isLogGone && isMarked('in_use') && !isMarked('in_log'))
}

/** Notes in the file that it is in use, and in its log alone that the log is there. */
function markInUse(connection: Connection): void {
  try {
    const file = statSync(connection.path).ino
    connection.write(() => {
      connection.run(DROP_MARKS)
      connection.run(SET_MARK, 'in_use', file)
      if (connection.lostLog) connection.run(SET_MARK, 'lost_log', file)
    })
    connection.checkpoint('passive')
    connection.write(() => connection.run(SET_MARK, 'in_log', file))
    if (!connection.spentReserve) keepReserve(connection.path)
  } catch {
    // A full disk must not refuse what was committed before.
  }
}

/** Closes the file; whoever finds it without a log from now on has lost nothing. */
export function closeDatabase(connection: Connection): void {
  try {
    if (connection.onFirstCommit === null && connection.path !== ':memory:')
      connection.write(() => connection.run(DROP_MARKS))
  } catch {
    // A file that is full or gone is closed all the same.
  } finally {
    connection.close()
    if (connection.spentReserve || connection.onFirstCommit === null) keepReserve(connection.path)
  }
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
    refuseEmptied(path)
    if (!create)
      throw new MnemeError('not_found', `${path}: there is no such database.`, {
        remedy: 'Name an existing file, or run memory_init to create one.',
      })
    makeFolder(dirname(resolve(path)))
    return false
  }
  // SQLite alone reads the content: closing a descriptor of our own would drop its locks.
  return statSync(path).size > 0
}

/** Migrates by numbered `migrations/*.sql` in one transaction, after one backup beside the file. */
const FOLDER = packageFile('migrations')
const NAME = /^(\d{3})_[a-z0-9_]+\.sql$/

interface Migration {
  readonly version: number
  readonly file: string
}

export const migrations = lazy((): readonly Migration[] =>
  readdirSync(FOLDER)
    .map((name) => ({ name, match: NAME.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({ version: Number(match?.[1]), file: join(FOLDER, name) }))
    .sort((a, b) => a.version - b.version),
)

/** The version of an open file; 0 when it holds no tables at all. */
export function schemaVersion(connection: Connection): number {
  const tables = connection.all(`SELECT name FROM sqlite_master WHERE type = 'table'`)
  if (tables.length === 0) return 0
  if (!tables.some((row) => row.name === 'schema_version'))
    throw new MnemeError('not_a_database', `${connection.path}: this SQLite database belongs to another program.`, {
      remedy: 'Name another file; this one was left as it is.',
    })
  return Number(connection.get('SELECT max(version) AS version FROM schema_version')?.version ?? 0)
}

/** Throws database_newer when the file has a schema that this program does not know. */
export function refuseNewer(connection: Connection, version: number): void {
  const newest = migrations().at(-1)?.version ?? 0
  if (version > newest)
    throw new MnemeError(
      'database_newer',
      `${connection.path}: written by a newer Mneme (schema ${version}; this program knows ${newest}).`,
      { remedy: 'Install the newer Mneme; nothing was changed.' },
    )
}

const BACKUP = /^\.before-.*\.bak(?:-[a-z]+)?$/
/** Copies, and what a session of an assistant was given (`doors/assistants/hook.ts`). */
const COPY = new RegExp(`${BACKUP.source}|^\\.damaged-|^\\.given$`)

/** Backups of migrations that lie beside the file, with journals of copies that were killed. */
export function existingBackups(database: string): readonly string[] {
  return copiesBeside(database, BACKUP)
}

/** The files beside a database whose names are its own and such an ending. */
function copiesBeside(database: string, ending: RegExp): readonly string[] {
  if (database === ':memory:' || !existsSync(dirname(database))) return []
  const own = basename(database)
  return readdirSync(dirname(database))
    .filter((name) => name.startsWith(own) && ending.test(name.slice(own.length)))
    .map((name) => join(dirname(database), name))
}

/** Removes copies from before upgrades and repairs, and hashes of texts: they would still tell what a user takes out or overwrites. */
export function dropCopies(database: string): void {
  for (const copy of copiesBeside(database, COPY)) rmSync(copy, { force: true, recursive: true })
}

/** Applies missing migrations up to `target` (default: all). Several processes may do so at the same moment. */
export function migrate(connection: Connection, target = Number.POSITIVE_INFINITY): void {
  const known = migrations().filter(({ version }) => version <= target)
  const found = schemaVersion(connection)
  refuseNewer(connection, found)
  const dueFrom = (from: number): readonly Migration[] => known.filter(({ version }) => version > from)
  if (dueFrom(found).length === 0) return
  if (found > 0) backUp(connection, found)
  // One transaction: another process sees the old schema or the new one, and a kill leaves the old one.
  connection.write(() => {
    for (const migration of dueFrom(schemaVersion(connection))) apply(connection, migration)
  })
}

const NEW_COLUMN = /^ALTER TABLE (\w+) ADD COLUMN (\w+)[^;]{0,1000};/gm

function apply(connection: Connection, { version, file }: Migration): void {
  // Programs between two versions gave some files a column before the migration that adds it was written.
  const isThere = (table: string, column: string): boolean =>
    connection.get('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, column) !== undefined
  // SQLite keeps the text of each statement in the file.
  const sql = readFileSync(file, 'utf8').replace(/^ *--.*\n/gm, '')
  connection.exec(sql.replace(NEW_COLUMN, (statement, table, column) => (isThere(table, column) ? '' : statement)))
  connection.run('INSERT INTO schema_version (version) VALUES (?)', version)
}

/** Copies the database at version `from` beside itself, unless another process upgrades it meanwhile. */
function backUp(connection: Connection, from: number): void {
  if (connection.path === ':memory:') return
  const backup = `${connection.path}.before-${String(from + 1).padStart(3, '0')}.bak`
  dropUnfinished(connection.path)
  // Under a name of this process first, since another may be upgrading the same file.
  const unfinished = backup.replace(/bak$/, `${process.pid}.bak`)
  try {
    connection.statement('VACUUM INTO ?').run(unfinished)
    if (schemaVersion(connection) === from) renameSync(unfinished, backup)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function dropUnfinished(database: string): void {
  for (const copy of existingBackups(database)) {
    const maker = /\.before-\d+\.(\d+)\.bak/.exec(copy)?.[1]
    if (maker !== undefined && (Number(maker) === process.pid || !isRunning(Number(maker))))
      rmSync(copy, { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
