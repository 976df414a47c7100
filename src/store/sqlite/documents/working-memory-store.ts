/** The contract WorkingMemoryStore. One that was idle for too long is gone for every reader. */
import { isoTime } from '../../../domain/clock.ts'
import type { WorkingMemoryStore } from '../../../domain/contracts/memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../../domain/limits.ts'
import type { WorkingMemory } from '../../../domain/memory.ts'
import { type Connection, raw, sql, type Users } from '../file/connection.ts'
import { recordOf } from '../file/records.ts'
import { jsonObject, number, text, textOrNull, time } from '../file/rows.ts'
import { userCalls } from '../file/user-calls.ts'

const WORKING = recordOf<WorkingMemory>({
  ...{ sessionId: text, currentTopic: textOrNull, contextVariables: (row, column) => jsonObject(row, column) ?? {} },
  ...{ turnCount: number, lastEmotion: textOrNull, createdAt: time, updatedAt: time },
})
const COLUMNS = WORKING.named()

const TOUCH = `INSERT INTO working_memory (user_no, session_id, turn_count, created_at, updated_at)
  VALUES (?1, ?2, max(1, ?3), ?4, ?4)
  ON CONFLICT (user_no, session_id) DO UPDATE SET
    turn_count = CASE WHEN updated_at < ?5 THEN excluded.turn_count ELSE turn_count + ?3 END,
    current_topic = CASE WHEN updated_at < ?5 THEN NULL ELSE current_topic END,
    context_variables = CASE WHEN updated_at < ?5 THEN '{}' ELSE context_variables END,
    last_emotion = CASE WHEN updated_at < ?5 THEN NULL ELSE last_emotion END,
    created_at = CASE WHEN updated_at < ?5 THEN excluded.created_at ELSE created_at END,
    updated_at = max(updated_at, excluded.updated_at)`

/** Notes new turns in their transaction; one idle since before `activeSince` begins anew. */
export function touchWorkingMemory(
  connection: Connection,
  userNo: number,
  sessionId: string,
  userTurns: number,
  at: number,
  activeSince: number,
): void {
  connection.run(TOUCH, userNo, sessionId, userTurns, isoTime(at), isoTime(activeSince))
}

export function sqliteWorkingMemoryStore(connection: Connection, users: Users): WorkingMemoryStore {
  const { ask, write } = userCalls(connection, users)
  const read = (userNo: number, sessionId: string, activeSince: number): WorkingMemory | null =>
    connection.one(
      WORKING.of,
      sql`SELECT ${raw(COLUMNS)} FROM working_memory WHERE user_no = ${userNo} AND session_id = ${sessionId} AND
        updated_at >= ${isoTime(activeSince)}`,
    )
  return {
    get: ask(null, read),

    list: ask([], (userNo, activeSince) => {
      const sql = `SELECT ${COLUMNS} FROM working_memory WHERE user_no = ? AND updated_at >= ?
        ORDER BY updated_at DESC, session_id`
      return connection.all(sql, userNo, isoTime(activeSince)).map(WORKING.of)
    }),

    update: write(null, (userNo, sessionId, patch, at) => {
      const before = read(userNo, sessionId, at - WORKING_MEMORY_IDLE_MS)
      if (before === null) return null
      const after: WorkingMemory = { ...before, ...patch, updatedAt: Math.max(before.updatedAt, at) }
      connection.run(sql`UPDATE working_memory SET current_topic = ${after.currentTopic},
        context_variables = ${JSON.stringify(after.contextVariables)}, last_emotion = ${after.lastEmotion},
        updated_at = ${isoTime(after.updatedAt)} WHERE user_no = ${userNo} AND session_id = ${sessionId}`)
      return after
    }),

    remove: write(false, (userNo, sessionId) => {
      const sql = 'DELETE FROM working_memory WHERE user_no = ? AND session_id = ?'
      return connection.run(sql, userNo, sessionId).changes > 0
    }),

    listIdle: async (activeSince, limit) =>
      connection
        .all(sql`SELECT user_id, ${raw(COLUMNS)} FROM working_memory w JOIN users u ON u.user_no = w.user_no
          WHERE updated_at < ${isoTime(activeSince)} ORDER BY updated_at, w.user_no, session_id LIMIT ${limit}`)
        .map((row) => ({ userId: text(row, 'user_id'), ...WORKING.of(row) })),

    removeIdle: async (idle, activeSince) =>
      connection.write(() =>
        idle.reduce((removed, { userId, sessionId }) => {
          const { changes } = connection.run(sql`DELETE FROM working_memory WHERE session_id = ${sessionId}
            AND user_no = ${users.find(userId) ?? null} AND updated_at < ${isoTime(activeSince)}`)
          return removed + changes
        }, 0),
      ),
  }
}
