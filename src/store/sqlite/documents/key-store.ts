/** API keys in the SQLite file: the contract KeyStore. */

import type { ApiKey, KeyScope, KeyStore } from '../../../domain/contracts/documents.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, type Row, text, textOrNull, time } from '../file/rows.ts'
import { sql } from '../file/sql.ts'

const COLUMNS = 'id, name, scope, user_id, created_at'

/** The store over an open, migrated database. */
export function sqliteKeyStore(connection: Connection): KeyStore {
  return {
    add: async ({ id, name, scope, userId, createdAt }, hash) =>
      connection.write(() => {
        connection.run(
          sql`INSERT INTO api_keys (id, name, hash, scope, user_id, created_at)
            VALUES (${id}, ${name}, ${hash}, ${scope}, ${userId}, ${isoTime(createdAt)})`,
        )
      }),
    exist: async () => connection.get('SELECT 1 FROM api_keys LIMIT 1') !== undefined,
    list: async () => connection.all(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`).map(keyOf),
    find: async (hash) => connection.one(keyOf, `SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`, hash),
    remove: async (id) => connection.write(() => connection.run('DELETE FROM api_keys WHERE id = ?', id).changes > 0),
  }
}

function keyOf(row: Row): ApiKey {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    scope: text(row, 'scope') as KeyScope,
    userId: textOrNull(row, 'user_id'),
    createdAt: time(row, 'created_at'),
  }
}
