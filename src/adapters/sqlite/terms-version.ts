/** Were the indexes in this file cut by the same rules as this program's? If not, they are dropped and built anew. */
import type { Connection } from './connection.ts'
import { rebuildMemoryIndex } from './memory-fts.ts'
import { dropSegments } from './rebuild.ts'
import { number } from './rows.ts'
import { TERMS_VERSION } from './turn-index/analyze-turn.ts'

/** Without segments every turn is read as part of the tail until the next upkeep writes new ones. */
export async function ensureTermsVersion(connection: Connection): Promise<void> {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  if (row !== undefined && number(row, 'value') === TERMS_VERSION) return
  const users = connection.all('SELECT user_no FROM users').map((user) => number(user, 'user_no'))
  for (const userNo of users) {
    dropSegments(connection, userNo)
    await rebuildMemoryIndex(connection, userNo)
  }
  // Last, so that a process that is stopped here is followed by one that does it again.
  connection.write(() =>
    connection.run(
      `INSERT INTO counters (name, value) VALUES ('terms_version', ?1)
       ON CONFLICT (name) DO UPDATE SET value = ?1`,
      TERMS_VERSION,
    ),
  )
}
