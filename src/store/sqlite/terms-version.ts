/** Were the indexes in this file cut by the same rules as this program's? If not, they are dropped and built anew. */
import type { SegmentMemoryIndex } from '../segments/memory-index.ts'
import type { SegmentTurnIndex } from '../segments/turn-index.ts'
import type { Connection } from './connection.ts'
import { dropEntries, rebuildEntries } from './memory-fts.ts'
import { number } from './rows.ts'

/** Raised whenever the terms of a text change; an index of another version is built anew from turns and memories. */
export const TERMS_VERSION = 3

/** Without segments everything is read as part of the tail until the next upkeep writes new ones. */
export async function ensureTermsVersion(
  connection: Connection,
  turns: SegmentTurnIndex,
  memories: SegmentMemoryIndex,
): Promise<void> {
  const row = connection.get(`SELECT value FROM counters WHERE name = 'terms_version'`)
  if (row !== undefined && number(row, 'value') === TERMS_VERSION) return
  const users = connection.all('SELECT user_no FROM users').map((user) => number(user, 'user_no'))
  if (users.length > 0) dropEntries(connection)
  for (const userNo of users) {
    turns.drop(userNo)
    memories.drop(userNo)
    await rebuildEntries(connection, userNo)
  }
  // The version is written last, so that after a stopped process the next one does it again.
  connection.write(() =>
    connection.run(
      `INSERT INTO counters (name, value) VALUES ('terms_version', ?1)
       ON CONFLICT (name) DO UPDATE SET value = ?1`,
      TERMS_VERSION,
    ),
  )
}
