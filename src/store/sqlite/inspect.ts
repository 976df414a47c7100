/** What would be found in this file? It is only read: nothing is created, migrated or rebuilt. */
import { existsSync } from 'node:fs'
import type { StoreInspection } from '../../domain/contracts/store.ts'
import { checkDatabase } from './check.ts'
import { Connection } from './connection.ts'
import { storageError } from './errors.ts'
import { migrations, refuseNewer, schemaVersion } from './migrate.ts'
import { number } from './rows.ts'
import { TERMS_VERSION } from './terms-version.ts'
import { NO_MIRROR, readOutboxState } from './vector-outbox/outbox-state.ts'

/** The schema that brought the outbox. */
const OUTBOX_SCHEMA = 6

/** Looks at an existing file. Throws MnemeError when it is foreign, newer or too damaged to be read. */
export function inspectDatabase(path: string): StoreInspection {
  const isShared = (): boolean => existsSync(`${path}-wal`)
  const still = !isShared()
  try {
    const seen = look(path, still)
    return still && isShared() ? look(path, false) : seen
  } catch (error) {
    // A process began to write while the file was taken to be still.
    if (still && isShared()) return look(path, false)
    throw error
  }
}

function look(path: string, still: boolean): StoreInspection {
  const newestSchema = migrations().at(-1)?.version ?? 0
  const connection = new Connection(path, { readOnly: true, still })
  try {
    const version = schemaVersion(connection)
    refuseNewer(connection, version)
    return {
      schemaVersion: version,
      newestSchema,
      termsCurrent: version === 0 || hasCurrentTerms(connection),
      findings: version === 0 ? [] : checkDatabase(connection),
      outbox: version < OUTBOX_SCHEMA ? NO_MIRROR : readOutboxState(connection),
    }
  } catch (error) {
    throw storageError(error, path)
  } finally {
    connection.close()
  }
}

function hasCurrentTerms(connection: Connection): boolean {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  return row !== undefined && number(row, 'value') === TERMS_VERSION
}
