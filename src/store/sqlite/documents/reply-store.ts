/** Answers to requests that may come again, in the SQLite file: the contract ReplyStore. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KnownReply, ReplyStore } from '../../../domain/contracts/documents.ts'
import type { Connection } from '../file/connection.ts'
import { isoTime, number, text, textOrNull } from '../file/rows.ts'
import type { Users } from '../file/users.ts'

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

/** A request in work. Jobs that it started may outlive it and no longer count as its work. */
interface Doing {
  readonly userNo: number
  readonly key: string
  isOver: boolean
}

/** The store over an open, migrated database. */
export function sqliteReplyStore(connection: Connection, users: Users): ReplyStore {
  const current = new AsyncLocalStorage<Doing>()
  connection.beforeCommit = () => {
    const doing = current.getStore()
    if (doing !== undefined && !doing.isOver) connection.run(NOTE, doing.userNo, doing.key)
  }
  return {
    begin: async ({ userId, key, fingerprint }, { at, staleBefore, forgetBefore }) =>
      connection.write((): KnownReply => {
        connection.run('DELETE FROM request_replies WHERE created_at < ?', isoTime(forgetBefore))
        const userNo = users.ensure(userId)
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
      const userNo = users.find(userId)
      if (userNo === undefined) return work()
      const doing: Doing = { userNo, key, isOver: false }
      try {
        return await current.run(doing, work)
      } finally {
        doing.isOver = true
      }
    },
    renew: async ({ userId, key }, at) =>
      connection.write(() => {
        const userNo = users.find(userId)
        if (userNo !== undefined) connection.run(RENEW, isoTime(at), userNo, key)
      }),
    finish: async ({ userId, key, fingerprint }, { status, body, quotes }) =>
      connection.write(() => {
        const userNo = users.find(userId)
        if (userNo !== undefined) connection.run(FINISH, status, quotes ? 0 : 1, body, userNo, key, fingerprint)
      }),
    abandon: async ({ userId, key }) =>
      connection.write(() => {
        const userNo = users.find(userId)
        if (userNo !== undefined) connection.run(ABANDON, userNo, key)
      }),
  }
}
