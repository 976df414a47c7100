/**
 * How does a job get into the queue? In the caller's transaction, so that a record and the job about it exist only
 * together.
 */
import type { NewJob } from '../../domain/contracts/job-queue.ts'
import type { Connection } from './connection.ts'
import { isoTime, number, text } from './rows.ts'

const FIND = 'SELECT job_no, state, again, attempts, due_at FROM jobs WHERE user_no = ? AND kind = ? AND subject = ?'
const INSERT = 'INSERT INTO jobs (user_no, kind, subject, payload, created_at, due_at) VALUES (?, ?, ?, ?, ?, ?)'
const AGAIN = 'UPDATE jobs SET again = 1, payload = coalesce(?, payload), due_at = ? WHERE job_no = ?'
/** Moves a waiting job forward, unless it was put off by a failure. */
const ADVANCE = 'UPDATE jobs SET due_at = ? WHERE job_no = ?'
const REVIVE = `UPDATE jobs SET state = 'waiting', attempts = 0, payload = coalesce(?, payload), due_at = ?
  WHERE job_no = ?`

/**
 * Enqueues the job and returns its number, inside a write; the argument `at` is in milliseconds since the epoch. A
 * running job waits again afterwards, and one already waiting and due is left alone.
 */
export function enqueueJob(connection: Connection, userNo: number, job: NewJob, at: number): number {
  const { kind, subject, payload, dueAt = at } = job
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

/**
 * Removes jobs about a conversation or with quotes from it, and returns their number. Running ones lose their lease.
 */
export function removeJobsOfConversation(connection: Connection, userNo: number, conversationId: string): number {
  return connection.run(
    `DELETE FROM jobs WHERE user_no = ?1 AND ((kind = 'think' AND subject = ?2)
       OR json_extract(payload, '$.conversationId') = ?2)`,
    userNo,
    conversationId,
  ).changes
}

/**
 * Removes jobs that hold words of these turns, a list of numbers as JSON. Running thinking about the conversation loses
 * its lease and begins again.
 */
export function removeJobsOfTurns(
  connection: Connection,
  userNo: number,
  conversationId: string,
  turnNumbers: string,
): void {
  connection.run(
    `DELETE FROM jobs WHERE user_no = ?1 AND json_extract(payload, '$.conversationId') = ?2 AND (kind = 'reconsolidate'
       OR EXISTS (SELECT 1 FROM json_each(payload, '$.messages') m WHERE json_extract(m.value, '$.turnId') IN (SELECT value FROM json_each(?3))))`,
    userNo,
    conversationId,
    turnNumbers,
  )
  connection.run(
    `UPDATE jobs SET state = 'waiting', lease = NULL, leased_until = NULL
     WHERE user_no = ? AND kind = 'think' AND subject = ? AND state = 'running'`,
    userNo,
    conversationId,
  )
}

/** Removes the jobs about a memory, `<id>#<use>`, running ones too, and returns their number. */
export function removeJobsOfMemory(connection: Connection, userNo: number, memoryId: string): number {
  const sql = `DELETE FROM jobs WHERE user_no = ?1 AND kind = 'reconsolidate'
    AND (subject = ?2 OR (subject > ?2 || '#' AND subject < ?2 || '$'))`
  return connection.run(sql, userNo, memoryId).changes
}
