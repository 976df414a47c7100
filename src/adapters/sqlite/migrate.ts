/**
 * Brings a database file to the schema of this program: numbered `migrations/*.sql`, each in its own transaction,
 * a backup beside the file before each one. A file from a newer program is refused untouched.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemeError } from '../../domain/errors.ts'
import type { Connection } from './connection.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const NAME = /^(\d{3})_[a-z0-9_]+\.sql$/

interface Migration {
  readonly version: number
  readonly file: URL
}

/** The migrations of this program, in order. */
export function migrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .map((name) => ({ name, match: NAME.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({ version: Number(match?.[1]), file: new URL(name, FOLDER) }))
    .sort((a, b) => a.version - b.version)
}

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

/** Path of the backup taken before migration `version`. */
function backupPath(database: string, version: number): string {
  return `${database}.before-${String(version).padStart(3, '0')}.bak`
}

/** Backups of migrations that lie beside the file. */
export function existingBackups(database: string): readonly string[] {
  if (database === ':memory:' || !existsSync(dirname(database))) return []
  const start = `${basename(database)}.before-`
  return readdirSync(dirname(database))
    .filter((name) => name.startsWith(start) && name.endsWith('.bak'))
    .map((name) => join(dirname(database), name))
}

/** Applies what is missing, up to `target` (default: everything). */
export function migrate(connection: Connection, target = Number.POSITIVE_INFINITY): void {
  const known = migrations()
  const found = schemaVersion(connection)
  let version = found
  refuseNewer(connection, version)
  for (const migration of known) {
    if (migration.version <= version || migration.version > target) continue
    // A file that was empty a moment ago has nothing to keep; one that another process has upgraded is no copy of before.
    if (found > 0 && schemaVersion(connection) < migration.version) backUp(connection, migration.version)
    connection.write(() => {
      // Another process may have been quicker.
      version = schemaVersion(connection)
      if (version >= migration.version) return
      connection.exec(readFileSync(migration.file, 'utf8'))
      connection.run('INSERT INTO schema_version (version) VALUES (?)', migration.version)
      version = migration.version
    })
  }
}

function backUp(connection: Connection, version: number): void {
  if (connection.path === ':memory:') return
  const path = backupPath(connection.path, version)
  // Left by an upgrade that did not finish: the file has not been migrated, so a fresh copy is as good.
  rmSync(path, { force: true })
  connection.statement('VACUUM INTO ?').run(path)
}
