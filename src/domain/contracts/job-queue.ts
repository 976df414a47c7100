/**
 * The contract of a durable job queue that several processes share; a job is leased for a while and falls back when its
 * process dies. Its name (user, kind, subject) is unique, so the queue is bounded.
 */
import type { Page } from './conversation-log.ts'

/**
 * The closed list of job kinds. A job of any other kind, from a newer version in a shared store, is never taken, listed
 * or got, and stays.
 */
export const JOB_KINDS = ['think', 'add', 'embed', 'reconsolidate'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `waiting` for its time, `running` under a lease, `dead` after the last attempt. Done jobs are gone. */
export const JOB_STATES = ['waiting', 'running', 'dead'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A job as the queue holds it. */
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

/**
 * A job to enqueue. One of its name that waits only becomes due sooner (not after a failure), a running one waits again
 * afterwards, a dead one revives.
 */
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
  /**
   * Returns the ids in order; a waiting job keeps its id and payload. Rejects `queue_full`, having written nothing,
   * beyond the bound, dead jobs included; jobs from storing turns are never refused.
   */
  enqueue(userId: string, jobs: readonly NewJob[], at: number): Promise<readonly string[]>
  /**
   * Leases at most `limit` due jobs of any user until `at + leaseMs`, longest due first, jobs with an expired lease
   * included. At most one job per user and subject runs, whatever its kind.
   */
  take(at: number, leaseMs: number, limit: number): Promise<readonly LeasedJob[]>
  /** Extends the lease; false when it was lost. */
  extend(job: LeasedJob, until: number): Promise<boolean>
  /** Completes the job: it is gone, or waits again when it was enqueued while it ran. false when the lease was lost. */
  complete(job: LeasedJob, at: number): Promise<boolean>
  /** Fails the job, which waits until `retryAt`, or is dead when that is null. false when the lease was lost. */
  fail(job: LeasedJob, error: string, retryAt: number | null): Promise<boolean>
  /**
   * Gives the job back without counting this attempt. It waits until `dueAt`, or sooner when it was enqueued while it
   * ran; false as above.
   */
  release(job: LeasedJob, dueAt: number): Promise<boolean>
  /** Newest first. */
  list(
    userId: string | null,
    page: { readonly limit: number; readonly offset: number; readonly state?: JobState },
  ): Promise<Page<Job>>
  get(id: string): Promise<Job | null>
  /** Sets dead jobs of this user (all users when null) to waiting, with attempts reset, and returns their number. */
  retry(userId: string | null, at: number, id?: string): Promise<number>
  /** Removes jobs of this user, of one kind and subject or all, and returns their number. */
  remove(userId: string, which?: { readonly kind: JobKind; readonly subject: string }): Promise<number>
  /** The time at which the next job can be taken (milliseconds since the epoch), or null when none waits or runs. */
  nextDue(): Promise<number | null>
}
