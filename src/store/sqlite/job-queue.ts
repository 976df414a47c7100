/**
 * The durable queue of background work in the SQLite file: the contract JobQueue. A job is taken in one BEGIN IMMEDIATE
 * transaction, so of several processes one gets it.
 */
import { randomUUID } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts'
import type { Page } from '../../domain/contracts/conversation-log.ts'
import type { Job, JobQueue, JobState, LeasedJob } from '../../domain/contracts/job-queue.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Connection } from './connection.ts'
import { enqueueJob } from './job-enqueue.ts'
import { completeJob, extendLease, failJob, releaseJob } from './job-lease.ts'
import { JOB_COLUMNS, jobId, jobNumber, jobOf, KNOWN_KIND, leasedJobOf } from './job-rows.ts'
import { isoTime, number, time } from './rows.ts'
import type { Users } from './users.ts'
import { noteWipeDue } from './wipe-due.ts'

/** The last error of a job whose runner never came back. */
const LAPSED = 'its lease ran out: the process that ran it has ended or hangs'

/** The job that is longest due, without another running job of its user and subject. */
const NEXT = `SELECT job_no FROM jobs WHERE state <> 'dead' AND ${KNOWN_KIND} AND coalesce(leased_until, due_at) <= ?1
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.user_no = jobs.user_no AND r.subject = jobs.subject
    AND r.state = 'running' AND r.leased_until > ?1)
  ORDER BY coalesce(leased_until, due_at), job_no LIMIT 1`
const TAKE = `UPDATE jobs SET last_error = CASE WHEN state = 'running' THEN ?1 ELSE last_error END, state = 'running',
  again = 0, attempts = attempts + 1, lease = ?2, leased_until = ?3 WHERE job_no = ?4 RETURNING ${JOB_COLUMNS}`

/**
 * The test for jobs left too far ahead by a clock that jumped back. No job is put off longer than a day, and no lease
 * exceeds the requested one, so any later time is due.
 */
const IS_AHEAD = `SELECT 1 FROM jobs WHERE state <> 'dead' AND (coalesce(leased_until, due_at) > ?1
  OR leased_until > ?2 OR (state = 'waiting' AND created_at > ?3)) LIMIT 1`
const BRING_BACK = `UPDATE jobs SET due_at = min(due_at, ?4), created_at = min(created_at, ?4),
  leased_until = CASE WHEN leased_until > ?2 THEN ?4 ELSE leased_until END
  WHERE state <> 'dead' AND (coalesce(leased_until, due_at) > ?1 OR leased_until > ?2 OR created_at > ?3)`
/** Greatest difference between the clocks of two processes, or of one that is corrected, in milliseconds. */
const CLOCK_ERROR_MS = MINUTE_MS

/** The queue over an open, migrated database; `bound` is the most jobs that it takes. */
export function sqliteJobQueue(connection: Connection, users: Users, bound: number = LIMITS.queuedJobs): JobQueue {
  const ofUser = <T>(userId: string | null, none: T, work: (userNo: number | null) => T): T => {
    const userNo = userId === null ? null : users.find(userId)
    return userNo === undefined ? none : work(userNo)
  }
  const leased = (work: () => boolean): boolean => connection.write(work)
  return {
    enqueue: async (userId, jobs, at) =>
      connection.write(() => {
        const userNo = users.ensure(userId)
        const newest = number(connection.get('SELECT coalesce(max(job_no), 0) AS n FROM jobs') ?? { n: 0 }, 'n')
        const numbers = jobs.map((job) => enqueueJob(connection, userNo, job, at))
        if (numbers.some((jobNo) => jobNo > newest)) refuseBeyond(connection, bound)
        return numbers.map(jobId)
      }),

    take: async (at, leaseMs, limit) => takeDue(connection, at, leaseMs, limit),
    extend: async (job, until) => leased(() => extendLease(connection, job, until)),
    complete: async (job, at) => leased(() => completeJob(connection, job, at)),
    fail: async (job, error, retryAt) => leased(() => failJob(connection, job, error, retryAt)),
    release: async (job, dueAt) => leased(() => releaseJob(connection, job, dueAt)),

    list: async (userId, page) =>
      ofUser<Page<Job>>(userId, { items: [], total: 0 }, (userNo) => listJobs(connection, userNo, page)),

    get: async (id) => {
      const row = connection.get(`SELECT ${JOB_COLUMNS} FROM jobs WHERE job_no = ? AND ${KNOWN_KIND}`, jobNumber(id))
      return row === undefined ? null : jobOf(row)
    },

    retry: async (userId, at, id) =>
      ofUser(userId, 0, (userNo) => {
        const sql = `UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ?1
          WHERE state = 'dead' AND (?2 IS NULL OR user_no = ?2) AND (?3 IS NULL OR job_no = ?3)`
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

    nextDue: async () => {
      const row =
        connection.get(`SELECT coalesce(leased_until, due_at) AS next FROM jobs WHERE state <> 'dead' AND ${KNOWN_KIND}
        ORDER BY coalesce(leased_until, due_at), job_no LIMIT 1`)
      return row === undefined ? null : time(row, 'next')
    },
  }
}

/** Throws, and so undoes the transaction, when there are more jobs than the bound. */
function refuseBeyond(connection: Connection, bound: number): void {
  // Numbers only grow: a span of fewer numbers cannot hold more jobs, and is known without counting.
  const span = connection.get('SELECT (SELECT max(job_no) FROM jobs) - (SELECT min(job_no) FROM jobs) + 1 AS n')
  if (span === undefined || span.n === null || number(span, 'n') <= bound) return
  const jobs = number(connection.get('SELECT count(*) AS n FROM jobs') ?? { n: 0 }, 'n')
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
      if (row !== undefined) taken.push(leasedJobOf(row))
    }
    return taken
  })
}

/** true when jobs were due at a time too far ahead. */
function bringBack(connection: Connection, at: number, leaseMs: number): boolean {
  const bounds = [at + DAY_MS, at + leaseMs + CLOCK_ERROR_MS, at + CLOCK_ERROR_MS].map(isoTime)
  if (connection.get(IS_AHEAD, ...bounds) === undefined) return false
  return connection.run(BRING_BACK, ...bounds, isoTime(at)).changes > 0
}

function listJobs(
  connection: Connection,
  userNo: number | null,
  { limit, offset, state }: { readonly limit: number; readonly offset: number; readonly state?: JobState },
): Page<Job> {
  const where = `(?1 IS NULL OR user_no = ?1) AND (?2 IS NULL OR state = ?2) AND ${KNOWN_KIND}`
  const values: SQLInputValue[] = [userNo, state ?? null]
  return connection.read(() => {
    const total = connection.get(`SELECT count(*) AS n FROM jobs WHERE ${where}`, ...values)
    const rows = connection.all(
      `SELECT ${JOB_COLUMNS} FROM jobs WHERE ${where} ORDER BY job_no DESC LIMIT ?3 OFFSET ?4`,
      ...values,
      limit,
      offset,
    )
    return { items: rows.map(jobOf), total: total === undefined ? 0 : number(total, 'n') }
  })
}
