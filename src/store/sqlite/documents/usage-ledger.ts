/** Counts what models were asked, in the SQLite file: the contract UsageLedger. It holds numbers, no text of anybody. */

import type { UsageLedger, UsageRow } from '../../../domain/contracts/documents.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, number, numberOrNull, type Row, text, time } from '../file/rows.ts'
import { raw, sql } from '../file/sql.ts'
import type { Users } from '../file/users.ts'

/** Counts of users who were removed; no user has this number. */
const NOBODY = 0

/** New values are added to an existing row. */
const ADD = `ON CONFLICT (day, user_no, step, model) DO UPDATE SET calls = calls + excluded.calls,
  prompt_tokens = prompt_tokens + excluded.prompt_tokens,
  completion_tokens = completion_tokens + excluded.completion_tokens,
  cost = CASE WHEN excluded.cost IS NULL THEN cost ELSE coalesce(cost, 0) + excluded.cost END,
  last_at = max(last_at, excluded.last_at)`
const COLUMNS = 'day, user_no, step, model, calls, prompt_tokens, completion_tokens, cost, last_at'

/** The ledger over an open, migrated database. */
export function sqliteUsageLedger(connection: Connection, users: Users): UsageLedger {
  return {
    record: async ({ at, userId, step, model, calls, promptTokens, completionTokens, cost }) => {
      connection.write(() =>
        connection.run(
          sql`INSERT INTO model_usage (${raw(COLUMNS)}) VALUES (${dayOf(at)}, ${users.ensure(userId)}, ${step},
            ${model}, ${calls}, ${promptTokens}, ${completionTokens}, ${cost}, ${isoTime(at)}) ${raw(ADD)}`,
        ),
      )
    },

    spent: async (sinceMs) => {
      const row =
        connection.get(sql`SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(prompt_tokens + completion_tokens),
          0) AS tokens
         FROM model_usage WHERE day >= ${dayOf(sinceMs)}`)
      return row === undefined
        ? { calls: 0, tokens: 0 }
        : { calls: number(row, 'calls'), tokens: number(row, 'tokens') }
    },

    summary: async ({ userId, since } = {}) => {
      const userNo = userId === undefined ? null : users.find(userId)
      if (userNo === undefined) return []
      return connection
        .all(
          `SELECT coalesce(u.user_id, '') AS user_id, step, model, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens,
             sum(completion_tokens) AS completion_tokens, sum(cost) AS cost, max(last_at) AS last_at
           FROM model_usage m LEFT JOIN users u ON u.user_no = m.user_no
           WHERE (?1 IS NULL OR m.user_no = ?1) AND (?2 IS NULL OR day >= ?2)
           GROUP BY m.user_no, step, model ORDER BY 1, step, model`,
          userNo,
          since === undefined ? null : dayOf(since),
        )
        .map(usageRowOf)
    },
  }
}

/** Moves a user's counts to no user: the spending stays, its user is forgotten. Call it inside a write. */
export function forgetUsage(connection: Connection, userNo: number): void {
  connection.run(sql`INSERT INTO model_usage (${raw(COLUMNS)}) SELECT day, ${NOBODY}, step, model, calls,
    prompt_tokens, completion_tokens,
       cost, last_at FROM model_usage WHERE user_no = ${userNo} ${raw(ADD)}`)
  connection.run('DELETE FROM model_usage WHERE user_no = ?', userNo)
}

function dayOf(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10)
}

function usageRowOf(row: Row): UsageRow {
  return {
    userId: text(row, 'user_id'),
    step: text(row, 'step'),
    model: text(row, 'model'),
    calls: number(row, 'calls'),
    promptTokens: number(row, 'prompt_tokens'),
    completionTokens: number(row, 'completion_tokens'),
    cost: numberOrNull(row, 'cost'),
    lastAt: time(row, 'last_at'),
  }
}
