/** Titles and snippets of conversations in the SQLite file: the contract SessionSummaryStore. */

import type { SessionSummary, SessionSummaryStore } from '../../../domain/contracts/documents.ts'
import type { Connection } from '../file/connection.ts'
import { noteWipeDue, reclaim } from '../file/reclaim.ts'
import { isoTime, number, type Row, text, time } from '../file/rows.ts'
import { raw, sql } from '../file/sql.ts'
import type { Users } from '../file/users.ts'

const COLUMNS = 'conversation_id, title, snippet, created_at, updated_at, edited'
/** Writes nothing while the conversation is being removed, nor over the user's edits and removals. */
const PUT = `INSERT INTO session_summaries (user_no, conversation_id, title, snippet, created_at, updated_at)
  SELECT user_no, public_id, ?3, ?4, ?5, ?5 FROM conversations WHERE user_no = ?1 AND public_id = ?2
  ON CONFLICT (user_no, conversation_id) DO UPDATE SET title = excluded.title, snippet = excluded.snippet,
    updated_at = excluded.updated_at WHERE edited = 0 AND title IS NOT NULL`

/** Makes one where there is none, also where the user removed it before. */
const EDIT = `INSERT INTO session_summaries (user_no, conversation_id, title, snippet, created_at, updated_at, edited)
  SELECT user_no, public_id, coalesce(?3, ''), coalesce(?4, ''), ?5, ?5, 1
    FROM conversations WHERE user_no = ?1 AND public_id = ?2
  ON CONFLICT (user_no, conversation_id) DO UPDATE SET title = coalesce(?3, title, ''),
    snippet = coalesce(?4, snippet, ''), updated_at = ?5, edited = 1`

/** The store over an open, migrated database. */
export function sqliteSessionSummaryStore(connection: Connection, users: Users): SessionSummaryStore {
  const read = (userNo: number, conversationId: string): SessionSummary | null =>
    connection.one(
      sessionSummaryOf,
      sql`SELECT ${raw(COLUMNS)} FROM session_summaries WHERE user_no = ${userNo}
        AND conversation_id = ${conversationId} AND title IS NOT NULL`,
    )
  return {
    put: async (userId, { conversationId, title, snippet }, at) =>
      users.of(userId, false, (userNo) => {
        return connection.write(() => {
          const known = read(userNo, conversationId)
          const isWritten = connection.run(PUT, userNo, conversationId, title, snippet, isoTime(at)).changes > 0
          // The replaced words must leave no trace.
          if (known !== null && isWritten) noteWipeDue(connection)
          return isWritten
        })
      }),

    get: async (userId, conversationId) => users.of(userId, null, (userNo) => read(userNo, conversationId)),

    list: async (userId, page) =>
      users.of(userId, { items: [], total: 0 }, (userNo) => {
        const source = sql`FROM session_summaries WHERE user_no = ${userNo} AND title IS NOT NULL`
        return connection.page(sessionSummaryOf, COLUMNS, source, 'created_at DESC, conversation_id DESC', page)
      }),

    update: async (userId, conversationId, { title, snippet }, at) =>
      users.of(userId, null, (userNo) => {
        return connection.write(() => {
          connection.run(EDIT, userNo, conversationId, title ?? null, snippet ?? null, isoTime(at))
          const edited = read(userNo, conversationId)
          // The replaced words must leave no trace.
          if (edited !== null) noteWipeDue(connection)
          return edited
        })
      }),

    remove: async (userId, conversationId) =>
      users.of(userId, false, async (userNo) => {
        const sql = `UPDATE session_summaries SET title = NULL, snippet = NULL
        WHERE user_no = ? AND conversation_id = ? AND title IS NOT NULL`
        const removed = connection.write(() => connection.run(sql, userNo, conversationId).changes > 0)
        if (removed) await reclaim(connection)
        return removed
      }),
  }
}

function sessionSummaryOf(row: Row): SessionSummary {
  return {
    conversationId: text(row, 'conversation_id'),
    title: text(row, 'title'),
    snippet: text(row, 'snippet'),
    createdAt: time(row, 'created_at'),
    updatedAt: time(row, 'updated_at'),
    edited: number(row, 'edited') === 1,
  }
}
