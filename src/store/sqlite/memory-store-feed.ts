/** The feed of changed memories in SQLite: the contract MemoryFeed. What has changed has a new document (migration 014). */
import type { MemoryFeed } from '../../domain/contracts/memory-feed.ts'
import type { Connection } from './connection.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { number, text } from './rows.ts'
import type { Users } from './users.ts'

const CHANGED = `SELECT m.document, ${MEMORY_COLUMNS} FROM memories m INDEXED BY memories_document
  WHERE m.user_no = ? AND m.document > ? AND m.buried_at IS NULL ORDER BY m.document LIMIT ?`
const READ_MARK = 'SELECT mark FROM memory_feed_marks WHERE user_no = ? AND reader = ?'
const SET_MARK = `INSERT INTO memory_feed_marks (user_no, reader, mark) VALUES (?, ?, ?)
  ON CONFLICT (user_no, reader) DO UPDATE SET mark = max(mark, excluded.mark)`
const CHANGED_USERS = `SELECT u.user_id FROM users u
  LEFT JOIN memory_feed_marks k ON k.user_no = u.user_no AND k.reader = ?1
  WHERE u.user_id > ?2
    AND EXISTS (SELECT 1 FROM memories m INDEXED BY memories_document
      WHERE m.user_no = u.user_no AND m.document > coalesce(k.mark, 0) AND m.buried_at IS NULL)
  ORDER BY u.user_id LIMIT ?3`

/** The feed over an open, migrated database. */
export function sqliteMemoryFeed(connection: Connection, users: Users): MemoryFeed {
  return {
    changedSince: async (userId, mark, limit) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return { memories: [], mark }
      const rows = connection.all(CHANGED, userNo, mark, limit)
      const last = rows.at(-1)
      return { memories: rows.map(memoryOf), mark: last === undefined ? mark : number(last, 'document') }
    },
    readMark: async (userId, reader) => {
      const userNo = users.find(userId)
      const row = userNo === undefined ? undefined : connection.get(READ_MARK, userNo, reader)
      return row === undefined ? 0 : number(row, 'mark')
    },
    setMark: async (userId, reader, mark) => {
      const userNo = users.find(userId)
      if (userNo !== undefined) connection.write(() => connection.run(SET_MARK, userNo, reader, mark))
    },
    changedUsers: async (reader, limit, after = '') =>
      connection.all(CHANGED_USERS, reader, after, limit).map((row) => text(row, 'user_id')),
  }
}
