/** Settings of the whole database in the SQLite file: the contract SettingsStore. */
import type { SettingsStore } from '../../../domain/contracts/store.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, json, text } from '../file/rows.ts'

const SET = `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`

/** The store over an open, migrated database. */
export function sqliteSettingsStore(connection: Connection): SettingsStore {
  return {
    all: async () =>
      new Map(
        connection
          .all('SELECT key, value FROM settings ORDER BY key')
          .map((row) => [text(row, 'key'), json(row, 'value')]),
      ),

    get: async (key) =>
      connection.one((row) => json(row, 'value'), 'SELECT value FROM settings WHERE key = ?', key) ?? undefined,

    set: async (values, at) =>
      connection.write(() => {
        for (const [key, value] of Object.entries(values))
          if (value === null || value === undefined) connection.run('DELETE FROM settings WHERE key = ?', key)
          else connection.run(SET, key, JSON.stringify(value), isoTime(at))
      }),
  }
}
