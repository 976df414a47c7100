/** Small documents in the SQLite file: keys, settings, replies, summaries, working memory, and what models were asked. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isoDay, isoTime } from '../../../domain/clock.ts'
import type { WorkingMemoryStore } from '../../../domain/contracts/memory-store.ts'
import type {
  ApiKey,
  KeyScope,
  KeyStore,
  KnownReply,
  ReplyStore,
  SessionSummary,
  SessionSummaryStore,
  UsageLedger,
  UsageRow,
} from '../../../domain/contracts/small-stores.ts'
import type { SettingsStore } from '../../../domain/contracts/store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../../domain/limits.ts'
import type { WorkingMemory } from '../../../domain/memory.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { noteErasure, noteWipeDue, reclaim } from '../file/reclaim.ts'
import { json, jsonObject, number, numberOrNull, type Reader, recordOf, text, textOrNull, time } from '../file/rows.ts'

const KEY = recordOf<ApiKey>({
  ...{ id: text, name: text, scope: text as Reader<KeyScope> },
  ...{ userId: textOrNull, createdAt: time },
})

export function sqliteKeyStore(connection: Connection): KeyStore {
  return {
    add: async (key, hash) =>
      connection.write(() => {
        const add = `INSERT INTO api_keys (${KEY.named()}, hash) VALUES (?, ?, ?, ?, ?, ?)`
        connection.run(add, ...KEY.values(key), hash)
      }),
    exist: async () => connection.get('SELECT 1 FROM api_keys LIMIT 1') !== undefined,
    list: async () => connection.all(`SELECT ${KEY.named()} FROM api_keys ORDER BY created_at, id`).map(KEY.of),
    find: async (hash) => connection.one(KEY.of, `SELECT ${KEY.named()} FROM api_keys WHERE hash = ?`, hash),
    remove: (id) => removed(connection, () => connection.run('DELETE FROM api_keys WHERE id = ?', id).changes > 0),
  }
}

/** Removes in one write, and wipes the file; whether there was anything. */
async function removed(connection: Connection, remove: () => boolean, wipes = true): Promise<boolean> {
  const isGone = connection.write(() => {
    if (!remove()) return false
    noteErasure(connection)
    return true
  })
  if (isGone && wipes) await reclaim(connection)
  return isGone
}

const SET = `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`

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

const FIND = 'SELECT fingerprint, status, body, created_at FROM request_replies WHERE user_no = ? AND key = ?'
const BEGIN = `INSERT INTO request_replies (user_no, key, fingerprint, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (user_no, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, erased = 0,
    created_at = excluded.created_at`
const FINISH = `UPDATE request_replies SET status = ?, body = CASE WHEN erased = 0 OR ? THEN ? END
  WHERE user_no = ? AND key = ? AND fingerprint = ?`
/** The status of a request without an answer for which something was written (HTTP's "processing"). */
const WRITTEN = 102
const NOTE = `UPDATE request_replies SET status = ${WRITTEN} WHERE user_no = ? AND key = ? AND status IS NULL`
const UNANSWERED = `(status IS NULL OR status = ${WRITTEN})`
const RENEW = `UPDATE request_replies SET created_at = ? WHERE user_no = ? AND key = ? AND ${UNANSWERED}`
const ABANDON = `DELETE FROM request_replies WHERE user_no = ? AND key = ? AND ${UNANSWERED}`

const QUOTES_NO_MORE = 'UPDATE request_replies SET body = NULL WHERE user_no = ? AND instr(body, ?) > 0'

/** A request in work. Jobs that it started may outlive it and no longer count as its work. */
interface Doing {
  readonly userNo: number
  readonly key: string
  isOver: boolean
}

export function sqliteReplyStore(connection: Connection): ReplyStore {
  // Made for the first request: Node takes a moment to load it.
  let current: AsyncLocalStorage<Doing> | undefined
  const { write } = connection.users
  connection.beforeCommit = () => {
    const doing = current?.getStore()
    if (doing !== undefined && !doing.isOver) connection.run(NOTE, doing.userNo, doing.key)
  }
  return {
    begin: async ({ userId, key, fingerprint }, { at, staleBefore, forgetBefore }) =>
      connection.write((): KnownReply => {
        connection.run('DELETE FROM request_replies WHERE created_at < ?', isoTime(forgetBefore))
        const userNo = connection.users.ensure(userId)
        const row = connection.get(FIND, userNo, key)
        if (row !== undefined) {
          if (text(row, 'fingerprint') !== fingerprint) return { state: 'other' }
          if (row.status !== null && row.status !== WRITTEN) {
            const body = textOrNull(row, 'body')
            return body === null ? { state: 'erased' } : { state: 'answered', status: number(row, 'status'), body }
          }
          if (text(row, 'created_at') >= isoTime(staleBefore)) return { state: 'running' }
          if (row.status === WRITTEN) return { state: 'unanswered' }
        }
        connection.run(BEGIN, userNo, key, fingerprint, isoTime(at))
        return { state: 'new' }
      }),
    doing: async ({ userId, key }, work) => {
      const userNo = connection.users.find(userId)
      if (userNo === undefined) return work()
      const doing: Doing = { userNo, key, isOver: false }
      current ??= new AsyncLocalStorage()
      try {
        return await current.run(doing, work)
      } finally {
        doing.isOver = true
      }
    },
    renew: async ({ userId, key }, at) =>
      write(undefined, (userNo) => void connection.run(RENEW, isoTime(at), userNo, key))(userId),
    finish: async ({ userId, key, fingerprint }, { status, body, quotes }) =>
      write(undefined, (userNo) => {
        connection.run(FINISH, status, quotes ? 0 : 1, body, userNo, key, fingerprint)
      })(userId),
    abandon: async ({ userId, key }) => write(undefined, (userNo) => void connection.run(ABANDON, userNo, key))(userId),
  }
}

const SUMMARY = recordOf<SessionSummary>({
  ...{ conversationId: text, title: text, snippet: text },
  ...{ createdAt: time, updatedAt: time, edited: (row, column) => number(row, column) > 0 },
})
/** The bits of `edited`: the halves that the user wrote, and 1 where nobody knows which. */
const [UNKNOWN, TITLE, SNIPPET] = [1, 2, 4]
const HALVES = Object.entries({ title: TITLE, snippet: SNIPPET }).map(([half, bit]) => ({
  half,
  /** The machine's half; of an unknown writer those words that are gone. What the user left empty stays so. */
  isMachines: `(edited = 0 OR edited & ${bit} = 0 AND ${half} <> ''
    AND (edited & ${UNKNOWN} = 0 OR instr(lower(?6), lower(rtrim(${half}, '…'))) > 0))`,
}))
/** Writes nothing while the conversation is being removed, nor over the user's edits and removals. */
const PUT = `INSERT INTO session_summaries (user_no, conversation_id, title, snippet, created_at, updated_at)
  SELECT user_no, public_id, ?3, ?4, ?5, ?5 FROM conversations WHERE user_no = ?1 AND public_id = ?2
  ON CONFLICT (user_no, conversation_id) DO UPDATE SET updated_at = excluded.updated_at,
    ${HALVES.map(({ half, isMachines }) => `${half} = iif(${isMachines}, excluded.${half}, ${half})`).join()}
    WHERE title IS NOT NULL AND (${HALVES.map(({ isMachines }) => isMachines).join(' OR ')})`

/** Makes one where there is none, also where the user removed it before. */
const EDIT = `INSERT INTO session_summaries (user_no, conversation_id, title, snippet, created_at, updated_at, edited)
  SELECT user_no, public_id, coalesce(?3, ''), coalesce(?4, ''), ?5, ?5, ?6
    FROM conversations WHERE user_no = ?1 AND public_id = ?2
  ON CONFLICT (user_no, conversation_id) DO UPDATE SET title = coalesce(?3, title, ''),
    snippet = coalesce(?4, snippet, ''), updated_at = ?5, edited = edited | ?6`

export function sqliteSessionSummaryStore(connection: Connection): SessionSummaryStore {
  const { ask, write } = connection.users
  const read = (userNo: number, conversationId: string): SessionSummary | null =>
    connection.one(
      SUMMARY.of,
      sql`SELECT ${raw(SUMMARY.named())} FROM session_summaries WHERE user_no = ${userNo}
        AND conversation_id = ${conversationId} AND title IS NOT NULL`,
    )
  /** Answers that quote the title or the snippet as they are. */
  const dropReplies = (userNo: number, conversationId: string): void => {
    for (const [half, words] of Object.entries(read(userNo, conversationId) ?? {}))
      if ((half === 'title' || half === 'snippet') && words !== '')
        connection.run(QUOTES_NO_MORE, userNo, `"${half}":${JSON.stringify(words)}`)
  }
  return {
    put: write(false, (userNo, { conversationId, title, snippet, gone = '' }, at) => {
      const known = read(userNo, conversationId)
      const isWritten = connection.run(PUT, userNo, conversationId, title, snippet, isoTime(at), gone).changes > 0
      // The replaced words must leave no trace.
      if (known !== null && isWritten) noteWipeDue(connection)
      return isWritten
    }),

    get: ask(null, read),

    list: ask({ items: [], total: 0 }, (userNo, page) => {
      const source = sql`FROM session_summaries WHERE user_no = ${userNo} AND title IS NOT NULL`
      return connection.page(SUMMARY.of, SUMMARY.named(), source, 'created_at DESC, conversation_id DESC', page)
    }),

    latest: ask([], (userNo, { most, projectRoot }) => {
      const inProject = projectRoot === undefined ? raw('') : sql`AND project_root = ${projectRoot}`
      const rows = connection.all(sql`SELECT s.*, c.project_root, c.last_active FROM
        (SELECT * FROM conversations WHERE user_no = ${userNo} ${inProject}
          ORDER BY last_active DESC, conversation_no DESC LIMIT ${BigInt(most)}) c
        JOIN session_summaries s ON s.user_no = c.user_no AND s.conversation_id = c.public_id
        WHERE s.title IS NOT NULL AND c.is_muted = 0 ORDER BY c.last_active DESC, c.conversation_no DESC`)
      return rows.map((row) => ({
        ...SUMMARY.of(row),
        projectRoot: text(row, 'project_root'),
        lastActive: time(row, 'last_active'),
      }))
    }),

    update: write(null, (userNo, conversationId, { title, snippet, isOfUnknown = false }, at) => {
      const halves = (title === undefined ? 0 : TITLE) + (snippet === undefined ? 0 : SNIPPET)
      const by = isOfUnknown ? UNKNOWN : halves
      dropReplies(userNo, conversationId)
      connection.run(EDIT, userNo, conversationId, title ?? null, snippet ?? null, isoTime(at), by)
      const edited = read(userNo, conversationId)
      // The replaced words must leave no trace.
      if (edited !== null) noteErasure(connection)
      return edited
    }),

    remove: ask(false, async (userNo, conversationId) => {
      const sql = `UPDATE session_summaries SET title = NULL, snippet = NULL
        WHERE user_no = ? AND conversation_id = ? AND title IS NOT NULL`
      return removed(connection, () => {
        dropReplies(userNo, conversationId)
        return connection.run(sql, userNo, conversationId).changes > 0
      })
    }),
  }
}

/** Counts of users who were removed; no user has this number. */
const NOBODY = 0

const ADD = `ON CONFLICT (day, user_no, step, model) DO UPDATE SET calls = calls + excluded.calls,
  prompt_tokens = prompt_tokens + excluded.prompt_tokens,
  completion_tokens = completion_tokens + excluded.completion_tokens,
  cost = CASE WHEN excluded.cost IS NULL THEN cost ELSE coalesce(cost, 0) + excluded.cost END,
  last_at = max(last_at, excluded.last_at)`
const USAGE_COLUMNS = 'day, user_no, step, model, calls, prompt_tokens, completion_tokens, cost, last_at'
const USAGE = recordOf<UsageRow>({
  ...{ userId: text, step: text, model: text, calls: number },
  ...{ promptTokens: number, completionTokens: number, cost: numberOrNull, lastAt: time },
})
const SPENT = recordOf<{ readonly calls: number; readonly tokens: number }>({ calls: number, tokens: number })

export function sqliteUsageLedger(connection: Connection): UsageLedger {
  return {
    record: async ({ at, userId, step, model, calls, promptTokens, completionTokens, cost }) => {
      connection.write(() =>
        connection.run(
          sql`INSERT INTO model_usage (${raw(USAGE_COLUMNS)}) VALUES (${isoDay(at)}, ${connection.users.ensure(userId)}, ${step},
            ${model}, ${calls}, ${promptTokens}, ${completionTokens}, ${cost}, ${isoTime(at)}) ${raw(ADD)}`,
        ),
      )
    },

    spent: async (sinceMs) =>
      SPENT.of(
        connection.get(sql`SELECT coalesce(sum(calls), 0) AS calls,
          coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens
          FROM model_usage WHERE day >= ${isoDay(sinceMs)}`)!,
      ),

    summary: async (userId = null) => {
      const userNo = userId === null ? null : connection.users.find(userId)
      if (userNo === undefined) return []
      return connection
        .all(
          `SELECT coalesce(u.user_id, '') AS user_id, step, model, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens,
             sum(completion_tokens) AS completion_tokens, sum(cost) AS cost, max(last_at) AS last_at
           FROM model_usage m LEFT JOIN users u ON u.user_no = m.user_no
           WHERE ?1 IS NULL OR m.user_no = ?1
           GROUP BY m.user_no, step, model ORDER BY 1, step, model`,
          userNo,
        )
        .map(USAGE.of)
    },
  }
}

/** Moves a user's counts to no user: the spending stays, its user is forgotten. Call it inside a write. */
export function forgetUsage(connection: Connection, userNo: number): void {
  connection.run(sql`INSERT INTO model_usage (${raw(USAGE_COLUMNS)}) SELECT day, ${NOBODY}, step, model, calls,
    prompt_tokens, completion_tokens,
       cost, last_at FROM model_usage WHERE user_no = ${userNo} ${raw(ADD)}`)
  connection.run('DELETE FROM model_usage WHERE user_no = ?', userNo)
}

const WORKING = recordOf<WorkingMemory>({
  ...{ sessionId: text, currentTopic: textOrNull, contextVariables: (row, column) => jsonObject(row, column) ?? {} },
  // Who spoke before the user is no turn of theirs, though a new session counts one.
  ...{
    turnCount: (row, column) => Math.max(1, number(row, column)),
    lastEmotion: textOrNull,
    createdAt: time,
    updatedAt: time,
  },
})
const WORKING_COLUMNS = WORKING.named()

/** One that was idle for too long is gone for every reader. */
const TOUCH = `INSERT INTO working_memory (user_no, session_id, turn_count, created_at, updated_at)
  VALUES (?1, ?2, ?3, ?4, ?4)
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

export function sqliteWorkingMemoryStore(connection: Connection): WorkingMemoryStore {
  const { ask, write } = connection.users
  const read = (userNo: number, sessionId: string, activeSince: number): WorkingMemory | null =>
    connection.one(
      WORKING.of,
      sql`SELECT ${raw(WORKING_COLUMNS)} FROM working_memory WHERE user_no = ${userNo} AND session_id = ${sessionId} AND
        updated_at >= ${isoTime(activeSince)}`,
    )
  return {
    get: ask(null, read),

    list: ask([], (userNo, activeSince) => {
      const sql = `SELECT ${WORKING_COLUMNS} FROM working_memory WHERE user_no = ? AND updated_at >= ?
        ORDER BY updated_at DESC, session_id`
      return connection.all(sql, userNo, isoTime(activeSince)).map(WORKING.of)
    }),

    update: write(null, (userNo, sessionId, patch, at, isEdit = false) => {
      const before = read(userNo, sessionId, at - WORKING_MEMORY_IDLE_MS)
      if (before === null) return null
      const after: WorkingMemory = { ...before, ...patch, updatedAt: Math.max(before.updatedAt, at) }
      connection.run(sql`UPDATE working_memory SET current_topic = ${after.currentTopic},
        context_variables = ${JSON.stringify(after.contextVariables)}, last_emotion = ${after.lastEmotion},
        updated_at = ${isoTime(after.updatedAt)} WHERE user_no = ${userNo} AND session_id = ${sessionId}`)
      if (isEdit) noteErasure(connection)
      return after
    }),

    remove: ask(false, async (userNo, sessionId, wipes) => {
      const sql = 'DELETE FROM working_memory WHERE user_no = ? AND session_id = ?'
      return removed(connection, () => connection.run(sql, userNo, sessionId).changes > 0, wipes)
    }),

    listIdle: async (activeSince, limit) =>
      connection
        .all(sql`SELECT user_id, ${raw(WORKING_COLUMNS)} FROM working_memory w JOIN users u ON u.user_no = w.user_no
          WHERE updated_at < ${isoTime(activeSince)} ORDER BY updated_at, w.user_no, session_id LIMIT ${limit}`)
        .map((row) => ({ userId: text(row, 'user_id'), ...WORKING.of(row) })),

    removeIdle: async (idle, activeSince) =>
      connection.write(() =>
        idle.reduce((removed, { userId, sessionId }) => {
          const { changes } = connection.run(sql`DELETE FROM working_memory WHERE session_id = ${sessionId}
            AND user_no = ${connection.users.find(userId) ?? null} AND updated_at < ${isoTime(activeSince)}`)
          return removed + changes
        }, 0),
      ),
  }
}
