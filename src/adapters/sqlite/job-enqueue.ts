/** Enqueues inside the transaction of whoever has the work done later, so that neither is there without the other. */
import type { JobKind, NewJob } from '../../contracts/job-queue.ts'
import type { Connection } from './connection.ts'
import { isoTime, number } from './rows.ts'

const FIND = 'SELECT job_no, state, again FROM jobs WHERE user_no = ? AND kind = ? AND subject = ?'
const INSERT = 'INSERT INTO jobs (user_no, kind, subject, payload, created_at, due_at) VALUES (?, ?, ?, ?, ?, ?)'
const AGAIN = 'UPDATE jobs SET again = 1, payload = coalesce(?, payload), due_at = ? WHERE job_no = ?'
const REVIVE = `UPDATE jobs SET state = 'waiting', attempts = 0, payload = coalesce(?, payload), due_at = ?
  WHERE job_no = ?`

/**
 * The number of the job of this name, which from now on waits, or will wait again after it ran. Where one waits already
 * that is all: nothing is written. Call it inside a write; `at` in milliseconds since the epoch.
 */
export function enqueueJob(connection: Connection, userNo: number, job: NewJob, at: number): number {
  const { kind, subject, payload, dueAt = at } = job
  const known = connection.get(FIND, userNo, kind, subject)
  const jobNo = known === undefined ? null : number(known, 'job_no')
  if (jobNo !== null && known?.state === 'waiting') return jobNo
  const written = payload === undefined || payload === null ? null : JSON.stringify(payload)
  const due = isoTime(dueAt)
  if (jobNo === null) return connection.run(INSERT, userNo, kind, subject, written, isoTime(at), due).lastInsertRowid
  if (known?.state === 'dead') connection.run(REVIVE, written, due, jobNo)
  else if (written !== null || known?.again === 0) connection.run(AGAIN, written, due, jobNo)
  return jobNo
}

/** Removes jobs of these kinds that are about this subject, running ones too: their lease is lost. */
export function removeJobsOf(
  connection: Connection,
  userNo: number,
  kinds: readonly JobKind[],
  subject: string,
): number {
  let removed = 0
  for (const kind of kinds)
    removed += connection.run(
      'DELETE FROM jobs WHERE user_no = ? AND kind = ? AND subject = ?',
      userNo,
      kind,
      subject,
    ).changes
  return removed
}
