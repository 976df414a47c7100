/** How does a job lie in its table? Its public id is a word and its number in the table. */
import { JOB_KINDS, type Job, type JobState, type LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { Row } from './rows.ts'
import { json, number, text, textOrNull, time, timeOrNull } from './rows.ts'

const STATES: readonly JobState[] = ['waiting', 'running', 'dead']
const ID = /^job-([1-9]\d{0,14})$/

/** Condition on a row's kind; jobs of kinds from a newer version that shares the file are left to it. */
export const KNOWN_KIND = `kind IN (${JOB_KINDS.map((kind) => `'${kind}'`).join(', ')})`

/** The columns that `jobOf` needs from a SELECT of `jobs`, or a RETURNING of it. */
export const JOB_COLUMNS = `job_no, kind, subject, payload, state, attempts, last_error, created_at, due_at, lease,
  leased_until, (SELECT user_id FROM users WHERE users.user_no = jobs.user_no) AS user_id`

/** The id that callers see. */
export function jobId(jobNo: number): string {
  return `job-${jobNo}`
}

/** jobs.job_no of an id; -1, which no job has, for an invalid one. */
export function jobNumber(id: string): number {
  const match = ID.exec(id)
  return match === null ? -1 : Number(match[1])
}

/** The job of a row that holds JOB_COLUMNS. */
export function jobOf(row: Row): Job {
  const kind = JOB_KINDS.find((known) => known === row.kind)
  const state = STATES.find((known) => known === row.state)
  if (kind === undefined || state === undefined) throw new TypeError(`job ${row.job_no} is of an unknown kind or state`)
  return {
    id: jobId(number(row, 'job_no')),
    userId: text(row, 'user_id'),
    kind,
    subject: text(row, 'subject'),
    payload: json(row, 'payload'),
    state,
    attempts: number(row, 'attempts'),
    lastError: textOrNull(row, 'last_error'),
    createdAt: time(row, 'created_at'),
    dueAt: time(row, 'due_at'),
    leasedUntil: timeOrNull(row, 'leased_until'),
  }
}

/** As `jobOf`, for a job that was just leased. */
export function leasedJobOf(row: Row): LeasedJob {
  return { ...jobOf(row), lease: text(row, 'lease') }
}
