/** The contract of a durable job queue shared by processes: jobs are leased, and unique by user, kind and subject. */
import type { Page, PageRange } from './conversation-log.ts'

/** The job kinds. Jobs of any other kind, from a newer version, are never taken or listed, and stay. */
export const JOB_KINDS = ['think', 'add', 'embed', 'reconsolidate'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `waiting` for its time, `running` under a lease, `dead` after the last attempt. Done jobs are gone. */
export const JOB_STATES = ['waiting', 'running', 'dead'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface Job {
  readonly id: string
  readonly userId: string
  readonly kind: JobKind
  /** A conversation's id, one use of a memory, or an id of the caller's. */
  readonly subject: string
  /** JSON; null when the subject suffices. */
  readonly payload: unknown
  readonly state: JobState
  /** Attempts begun so far. */
  readonly attempts: number
  /** Why the last attempt failed; null when none did. */
  readonly lastError: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly dueAt: number
  /** End of the lease of a running job, else null. */
  readonly leasedUntil: number | null
}

/** A job to enqueue. One that waits only becomes due sooner, a running one waits again, a dead one revives. */
export interface NewJob {
  readonly kind: JobKind
  readonly subject: string
  readonly payload?: unknown
  /** Default: at once. */
  readonly dueAt?: number
}

/** A lease on a job: the proof of holding it that `complete` and `fail` need. */
export interface LeasedJob extends Job {
  readonly lease: string
}

export interface JobQueue {
  /** Ids in order; known jobs keep theirs. Rejects `queue_full` beyond the bound, having written nothing. */
  enqueue(userId: string, jobs: readonly NewJob[], at: number): Promise<readonly string[]>
  /** Leases at most `limit` due jobs until `at + leaseMs`, longest due first; one per user and subject at a time. */
  take(at: number, leaseMs: number, limit: number): Promise<readonly LeasedJob[]>
  /** Extends the lease; false when it was lost. */
  extend(job: LeasedJob, until: number): Promise<boolean>
  /** Completes the job: it is gone, or waits again when it was enqueued while it ran. false when the lease was lost. */
  complete(job: LeasedJob, at: number): Promise<boolean>
  /** Fails the job, which waits until `retryAt`, or is dead when that is null. false when the lease was lost. */
  fail(job: LeasedJob, error: string, retryAt: number | null): Promise<boolean>
  /** Gives the job back without counting this attempt, until `dueAt`, or sooner when it was enqueued while it ran. */
  release(job: LeasedJob, dueAt: number): Promise<boolean>
  /** Newest first. */
  list(userId: string | null, page: PageRange & { readonly state?: JobState }): Promise<Page<Job>>
  get(id: string): Promise<Job | null>
  /** Makes the named job due, or all dead ones of this user (all users when null), with attempts reset; their number. */
  retry(userId: string | null, at: number, id?: string): Promise<number>
  remove(userId: string, which?: { readonly kind: JobKind; readonly subject: string }): Promise<number>
  /** The time at which the next job can be taken (milliseconds since the epoch), or null when none waits or runs. */
  nextDue(): Promise<number | null>
}
