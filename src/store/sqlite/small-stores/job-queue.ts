/** The contract JobQueue in the SQLite file. A job is taken in one BEGIN IMMEDIATE transaction, by one process. */
import { randomUUID } from 'node:crypto'
import { DAY_MS, isoTime, isoTimeOrNull, MINUTE_MS } from '../../../domain/clock.ts'
import type { Page } from '../../../domain/contracts/conversation-log.ts'
import {
  JOB_KINDS,
  JOB_STATES,
  type Job,
  type JobQueue,
  type LeasedJob,
  type NewJob,
} from '../../../domain/contracts/job-queue.ts'
import { MnemeError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { type Connection, raw, sql } from '../file/connection.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { json, number, type Row, recordOf, text, textOrNull, time, timeOrNull, wordOf } from '../file/rows.ts'

const ID = /^job-([1-9]\d{0,14})$/

/** Condition on a row's kind; jobs of kinds from a newer version that shares the file are left to it. */
const KNOWN_KIND = `kind IN (${JOB_KINDS.map((kind) => `'${kind}'`).join(', ')})`

function jobId(jobNo: number): string {
  return `job-${jobNo}`
}

/** jobs.job_no of an id; -1, which no job has, for an invalid one. */
function jobNumber(id: string): number {
  const match = ID.exec(id)
  return match === null ? -1 : Number(match[1])
}

const USER = '(SELECT user_id FROM users WHERE users.user_no = jobs.user_no) AS user_id'
const JOB = recordOf<Omit<Job, 'id' | 'userId'>>({
  ...{ kind: wordOf(JOB_KINDS), subject: text, payload: json, state: wordOf(JOB_STATES), attempts: number },
  ...{ lastError: textOrNull, createdAt: time, dueAt: time, leasedUntil: timeOrNull },
})
/** The columns that `jobOf` needs from a SELECT of `jobs`, or a RETURNING of it. */
const JOB_COLUMNS = `job_no, lease, ${JOB.named()}, ${USER}`

function jobOf(row: Row): Job {
  return { id: jobId(number(row, 'job_no')), userId: text(row, 'user_id'), ...JOB.of(row) }
}

/** The last error of a job whose runner never came back. */
const LAPSED = 'its lease ran out: the process that ran it has ended or hangs'

/** The job that is longest due, without another running job of its user and subject. */
const NEXT = `SELECT job_no FROM jobs WHERE state <> 'dead' AND ${KNOWN_KIND} AND coalesce(leased_until, due_at) <= ?1
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.user_no = jobs.user_no AND r.subject = jobs.subject
    AND r.state = 'running' AND r.leased_until > ?1)
  ORDER BY coalesce(leased_until, due_at), job_no LIMIT 1`
const TAKE = `UPDATE jobs SET last_error = CASE WHEN state = 'running' THEN ?1 ELSE last_error END, state = 'running',
  again = 0, attempts = attempts + 1, lease = ?2, leased_until = ?3 WHERE job_no = ?4 RETURNING ${JOB_COLUMNS}`

/** Jobs left too far ahead by a clock that jumped back: none is put off longer than a day or leased for longer. */
const IS_AHEAD = `SELECT 1 FROM jobs WHERE state <> 'dead' AND (coalesce(leased_until, due_at) > ?1
  OR leased_until > ?2 OR (state = 'waiting' AND created_at > ?3)) LIMIT 1`
const BRING_BACK = `UPDATE jobs SET due_at = min(due_at, ?3), created_at = min(created_at, ?3),
  leased_until = CASE WHEN leased_until > ?2 THEN ?3 ELSE leased_until END
  WHERE state <> 'dead' AND (coalesce(leased_until, due_at) > ?1 OR leased_until > ?2 OR created_at > ?3)`
const FAIL = `UPDATE jobs SET state = CASE WHEN ?1 IS NULL AND again = 0 THEN 'dead' ELSE 'waiting' END,
  attempts = CASE WHEN ?1 IS NULL AND again = 1 THEN 0 ELSE attempts END,
  due_at = coalesce(?1, due_at), again = 0, last_error = ?2, lease = NULL, leased_until = NULL`
const RELEASE = `UPDATE jobs SET state = 'waiting', attempts = max(0, attempts - 1),
  due_at = CASE WHEN again = 1 THEN min(due_at, ?1) ELSE ?1 END, again = 0, lease = NULL, leased_until = NULL`
/** Greatest difference between the clocks of two processes, or of one that is corrected, in milliseconds. */
const CLOCK_ERROR_MS = MINUTE_MS

/** `bound` is the most jobs that it takes. */
export function sqliteJobQueue(connection: Connection, bound: number = LIMITS.queuedJobs): JobQueue {
  const ofUser = <T>(userId: string | null, none: T, work: (userNo: number | null) => T): T => {
    const userNo = userId === null ? null : connection.users.find(userId)
    return userNo === undefined ? none : work(userNo)
  }
  /** Changes a job while its lease is held. */
  const change = (sql: string, { id, lease }: LeasedJob, ...values: readonly (string | null)[]): boolean =>
    connection.write(() => {
      const held = `${sql} WHERE job_no = ?${values.length + 1} AND lease = ?${values.length + 2}`
      return connection.run(held, ...values, jobNumber(id), lease).changes > 0
    })
  return {
    enqueue: async (userId, jobs, at) =>
      connection.write(() => {
        const userNo = connection.users.ensure(userId)
        const newest = connection.count('SELECT coalesce(max(job_no), 0) AS n FROM jobs')
        const numbers = jobs.map((job) => enqueueJob(connection, userNo, job, at))
        if (numbers.some((jobNo) => jobNo > newest)) refuseBeyond(connection, bound)
        return numbers.map(jobId)
      }),

    take: async (at, leaseMs, limit) => takeDue(connection, at, leaseMs, limit),
    extend: async (job, until) => change('UPDATE jobs SET leased_until = ?1', job, isoTime(until)),
    complete: async (job, at) => connection.write(() => completeJob(connection, job, at)),
    // A job that was enqueued while it ran gets a new life instead of an end.
    fail: async (job, error, retryAt) => change(FAIL, job, isoTimeOrNull(retryAt), error),
    release: async (job, dueAt) => change(RELEASE, job, isoTime(dueAt)),

    list: async (userId, { state = null, ...page }) =>
      ofUser<Page<Job>>(userId, { items: [], total: 0 }, (userNo) => {
        const source = sql`FROM jobs WHERE (${userNo} IS NULL OR user_no = ${userNo})
          AND (${state} IS NULL OR state = ${state}) AND ${raw(KNOWN_KIND)}`
        return connection.page(jobOf, JOB_COLUMNS, source, 'job_no DESC', page)
      }),

    get: async (id) =>
      connection.one(jobOf, `SELECT ${JOB_COLUMNS} FROM jobs WHERE job_no = ? AND ${KNOWN_KIND}`, jobNumber(id)),

    retry: async (userId, at, id) =>
      ofUser(userId, 0, (userNo) => {
        const sql = `UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ?1
          WHERE (?2 IS NULL OR user_no = ?2) AND (state = 'dead' AND ?3 IS NULL OR state <> 'running' AND job_no = ?3)`
        const jobNo = id === undefined ? null : jobNumber(id)
        return connection.write(() => connection.run(sql, isoTime(at), userNo, jobNo).changes)
      }),

    remove: async (userId, which) =>
      ofUser(userId, 0, (userNo) =>
        connection.write(() => {
          const sql = `DELETE FROM jobs WHERE user_no = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR subject = ?3)`
          const removed = connection.run(sql, userNo, which?.kind ?? null, which?.subject ?? null).changes
          if (removed > 0) noteWipeDue(connection)
          return removed
        }),
      ),

    nextDue: async () =>
      connection.one(
        (row) => time(row, 'next'),
        `SELECT coalesce(leased_until, due_at) AS next FROM jobs WHERE state <> 'dead' AND ${KNOWN_KIND}
        ORDER BY coalesce(leased_until, due_at), job_no LIMIT 1`,
      ),
  }
}

/** Throws, and so undoes the transaction, when there are more jobs than the bound. */
function refuseBeyond(connection: Connection, bound: number): void {
  // Numbers only grow: a span of fewer numbers cannot hold more jobs, and is known without counting.
  const span = connection.get('SELECT (SELECT max(job_no) FROM jobs) - (SELECT min(job_no) FROM jobs) + 1 AS n')
  if (span === undefined || span.n === null || number(span, 'n') <= bound) return
  const jobs = connection.count('SELECT count(*) AS n FROM jobs')
  if (jobs <= bound) return
  throw new MnemeError('queue_full', `The queue of background jobs holds ${bound} jobs and takes no more.`, {
    remedy: 'Wait until some are done, or look at the dead ones (`mneme jobs`) and retry or remove them.',
  })
}

function takeDue(connection: Connection, at: number, leaseMs: number, limit: number): readonly LeasedJob[] {
  const now = isoTime(at)
  // The test comes first without the write lock, as mostly nothing is due.
  if (connection.get(NEXT, now) === undefined && !bringBack(connection, at, leaseMs)) return []
  return connection.write(() => {
    const taken: LeasedJob[] = []
    while (taken.length < limit) {
      const next = connection.get(NEXT, now)
      if (next === undefined) break
      const row = connection.get(TAKE, LAPSED, randomUUID(), isoTime(at + leaseMs), number(next, 'job_no'))
      if (row !== undefined) taken.push({ ...jobOf(row), lease: text(row, 'lease') })
    }
    return taken
  })
}

/** true when jobs were created, due or leased at a time ahead. */
function bringBack(connection: Connection, at: number, leaseMs: number): boolean {
  const bounds = [at + DAY_MS, at + leaseMs + CLOCK_ERROR_MS, at].map(isoTime)
  if (connection.get(IS_AHEAD, ...bounds) === undefined) return false
  return connection.run(BRING_BACK, ...bounds).changes > 0
}

/** true while the lease is held, even if it has run out: no process has taken the job since. */
export function holdsLease(connection: Connection, { id, lease }: LeasedJob): boolean {
  return connection.get('SELECT 1 FROM jobs WHERE job_no = ? AND lease = ?', jobNumber(id), lease) !== undefined
}

/** The job is gone, or waits again when it was enqueued while it ran. Call it inside a write. */
export function completeJob(connection: Connection, { id, lease }: LeasedJob, at: number): boolean {
  const jobNo = jobNumber(id)
  const removed = connection.run('DELETE FROM jobs WHERE job_no = ? AND lease = ? AND again = 0', jobNo, lease).changes
  if (removed > 0) return true
  return (
    connection.run(sql`UPDATE jobs SET state = 'waiting', again = 0, attempts = 0, last_error = NULL, due_at =
      max(due_at, ${isoTime(at)}),
         lease = NULL, leased_until = NULL WHERE job_no = ${jobNo} AND lease = ${lease}`).changes > 0
  )
}

/** A job from before the clock jumped back is due no later than one from after it. */
const KEEP_ORDER = `UPDATE jobs SET due_at = min(due_at, ?1), created_at = ?1 WHERE state <> 'dead' AND job_no >
  coalesce((SELECT job_no FROM jobs WHERE created_at <= ?1 ORDER BY job_no DESC LIMIT 1), 0)`
const FIND = 'SELECT job_no, state, again, attempts, due_at FROM jobs WHERE user_no = ? AND kind = ? AND subject = ?'
const INSERT = 'INSERT INTO jobs (user_no, kind, subject, payload, created_at, due_at) VALUES (?, ?, ?, ?, ?, ?)'
const AGAIN = 'UPDATE jobs SET again = 1, payload = coalesce(?, payload), due_at = ? WHERE job_no = ?'
/** Moves a waiting job forward, unless it was put off by a failure. */
const ADVANCE = 'UPDATE jobs SET due_at = ? WHERE job_no = ?'
const REVIVE = `UPDATE jobs SET state = 'waiting', attempts = 0, payload = coalesce(?, payload), due_at = ?
  WHERE job_no = ?`

/** Enqueues the job inside a write; its number. A running job waits again afterwards. */
export function enqueueJob(connection: Connection, userNo: number, job: NewJob, at: number): number {
  const { kind, subject, payload, dueAt = at } = job
  connection.run(KEEP_ORDER, isoTime(at))
  const known = connection.get(FIND, userNo, kind, subject)
  const due = isoTime(dueAt)
  if (known === undefined)
    return connection.run(INSERT, userNo, kind, subject, written(payload), isoTime(at), due).lastInsertRowid
  const jobNo = number(known, 'job_no')
  if (known.state === 'waiting') {
    if (known.attempts === 0 && text(known, 'due_at') > due) connection.run(ADVANCE, due, jobNo)
  } else if (known.state === 'dead') connection.run(REVIVE, written(payload), due, jobNo)
  else if (known.again === 0 || written(payload) !== null) connection.run(AGAIN, written(payload), due, jobNo)
  return jobNo
}

function written(payload: unknown): string | null {
  return payload === undefined || payload === null ? null : JSON.stringify(payload)
}

/** Removes jobs about a conversation or with quotes from it; their number. Running ones lose their lease. */
export function removeJobsOfConversation(connection: Connection, userNo: number, conversationId: string): number {
  return connection.run(sql`DELETE FROM jobs WHERE user_no = ${userNo} AND ((kind = 'think'
    AND subject = ${conversationId})
       OR json_extract(payload, '$.conversationId') = ${conversationId})`).changes
}

/** Removes jobs with words of these turns (a JSON list); running thinking loses its lease and begins again. */
export function removeJobsOfTurns(
  connection: Connection,
  userNo: number,
  conversationId: string,
  turnNumbers: string,
): void {
  connection.run(sql`DELETE FROM jobs WHERE user_no = ${userNo} AND json_extract(payload,
    '$.conversationId') = ${conversationId} AND (kind = 'reconsolidate'
       OR EXISTS (SELECT 1 FROM json_each(payload, '$.messages') m
       WHERE json_extract(m.value, '$.turnId') IN (SELECT value FROM json_each(${turnNumbers}))))`)
  connection.run(sql`UPDATE jobs SET state = 'waiting', lease = NULL, leased_until = NULL
     WHERE user_no = ${userNo} AND kind = 'think' AND subject = ${conversationId} AND state = 'running'`)
}

/** Removes the jobs about a memory, `<id>#<use>`, running ones too, and returns their number. */
export function removeJobsOfMemory(connection: Connection, userNo: number, memoryId: string): number {
  const sql = `DELETE FROM jobs WHERE user_no = ?1 AND kind = 'reconsolidate'
    AND (subject = ?2 OR (subject > ?2 || '#' AND subject < ?2 || '$'))`
  return connection.run(sql, userNo, memoryId).changes
}
