/** Were the indexes in this file cut by the same rules as this program's? If not, they are dropped and built anew. */
import type { Connection } from './connection.ts'
import { dropSegments } from './rebuild.ts'
import { number } from './rows.ts'
import { TERMS_VERSION } from './turn-index/analyze-turn.ts'

/** Without segments every turn is read as part of the tail until the next upkeep writes new ones. */
export function ensureTermsVersion(connection: Connection): void {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  if (row !== undefined && number(row, 'value') === TERMS_VERSION) return
  connection.write(() => {
    for (const user of connection.all('SELECT user_no FROM users')) dropSegments(connection, number(user, 'user_no'))
    connection.run(
      `INSERT INTO counters (name, value) VALUES ('terms_version', ?1)
       ON CONFLICT (name) DO UPDATE SET value = ?1`,
      TERMS_VERSION,
    )
  })
}
