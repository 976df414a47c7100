/** Who holds a job, and what ends a lease? Its word proves a lease, and only its holder can end it. */
import type { LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { Connection } from './connection.ts'
import { jobNumber } from './job-rows.ts'
import { isoTime } from './rows.ts'

/** true while the lease is held, even if it has run out: no process has taken the job since. */
export function holdsLease(connection: Connection, { id, lease }: LeasedJob): boolean {
  return connection.get('SELECT 1 FROM jobs WHERE job_no = ? AND lease = ?', jobNumber(id), lease) !== undefined
}

/** Extends the lease until then; false when it was lost. */
export function extendLease(connection: Connection, { id, lease }: LeasedJob, until: number): boolean {
  const sql = 'UPDATE jobs SET leased_until = ? WHERE job_no = ? AND lease = ?'
  return connection.run(sql, isoTime(until), jobNumber(id), lease).changes > 0
}

/** The job is gone, or waits again when it was enqueued while it ran. Call it inside a write. */
export function completeJob(connection: Connection, { id, lease }: LeasedJob, at: number): boolean {
  const jobNo = jobNumber(id)
  const removed = connection.run('DELETE FROM jobs WHERE job_no = ? AND lease = ? AND again = 0', jobNo, lease).changes
  if (removed > 0) return true
  return (
    connection.run(
      `UPDATE jobs SET state = 'waiting', again = 0, attempts = 0, last_error = NULL, due_at = max(due_at, ?),
         lease = NULL, leased_until = NULL WHERE job_no = ? AND lease = ?`,
      isoTime(at),
      jobNo,
      lease,
    ).changes > 0
  )
}

/**
 * Makes the job wait until `retryAt`, or dead where that is null. A job enqueued while it ran gets a new life instead.
 */
export function failJob(
  connection: Connection,
  { id, lease }: LeasedJob,
  error: string,
  retryAt: number | null,
): boolean {
  return (
    connection.run(
      `UPDATE jobs SET state = CASE WHEN ?1 IS NULL AND again = 0 THEN 'dead' ELSE 'waiting' END,
         attempts = CASE WHEN ?1 IS NULL AND again = 1 THEN 0 ELSE attempts END,
         due_at = coalesce(?1, due_at), again = 0, last_error = ?2, lease = NULL, leased_until = NULL
       WHERE job_no = ?3 AND lease = ?4`,
      retryAt === null ? null : isoTime(retryAt),
      error,
      jobNumber(id),
      lease,
    ).changes > 0
  )
}

/** Releases the job until `dueAt`, or until the time of its enqueuing while it ran, as if never taken. */
export function releaseJob(connection: Connection, { id, lease }: LeasedJob, dueAt: number): boolean {
  return (
    connection.run(
      `UPDATE jobs SET state = 'waiting', attempts = max(0, attempts - 1),
         due_at = CASE WHEN again = 1 THEN min(due_at, ?1) ELSE ?1 END, again = 0, lease = NULL, leased_until = NULL
       WHERE job_no = ?2 AND lease = ?3`,
      isoTime(dueAt),
      jobNumber(id),
      lease,
    ).changes > 0
  )
}
