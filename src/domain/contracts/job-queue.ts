/**
 * What a durable queue of background work must be able to do. A job is named by (user, kind, subject): enqueuing it
 * again while it waits changes nothing but that it may be due sooner (not after a failure), while it runs makes it wait
 * again afterwards, and when it is dead gives it a new life; so the queue is bounded by what there is to do. Several
 * processes take from one queue: a job is leased to one of them for a while and falls back when that one dies.
 */
import type { Page } from './conversation-log.ts'

/**
 * What a job is about, a closed list: a job of another kind, which a newer version enqueued in a shared store, is never
 * taken, listed or got, and stays where it is.
 */
export const JOB_KINDS = ['think', 'add', 'embed', 'reconsolidate'] as const
/** One of JOB_KINDS. */
export type JobKind = (typeof JOB_KINDS)[number]

/** `waiting` for its time, `running` under a lease, `dead` after the last attempt. Done jobs are gone. */
export type JobState = 'waiting' | 'running' | 'dead'

/** A job as the queue holds it. */
export interface Job {
  readonly id: string
  readonly userId: string
  readonly kind: JobKind
  /** A conversation's id, one use of a memory, or an id of the caller's. */
  readonly subject: string
  /** JSON; null when the subject says it all. */
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

/** A job to enqueue. */
export interface NewJob {
  readonly kind: JobKind
  readonly subject: string
  readonly payload?: unknown
  /** Default: at once. */
  readonly dueAt?: number
}

/** A lease on a job: what `complete` and `fail` need to prove that it is still held. */
export interface LeasedJob extends Job {
  readonly lease: string
}

/** The queue. */
export interface JobQueue {
  /**
   * The ids, in order; a job that is there already keeps its id. One that waits keeps its payload, else the new one
   * counts. Rejects `queue_full`, having written nothing, when there would be more jobs than the bound, dead ones
   * included. (Jobs that storing turns enqueues are at most one a conversation and never refused.)
   */
  enqueue(userId: string, jobs: readonly NewJob[], at: number): Promise<readonly string[]>
  /**
   * Leases at most `limit` due jobs, longest due first, of every user, until `at + leaseMs`. Of one user and subject at
   * most one runs, whatever its kind. A job whose lease has run out is due, too.
   */
  take(at: number, leaseMs: number, limit: number): Promise<readonly LeasedJob[]>
  /** Makes the lease longer; false when it was lost. */
  extend(job: LeasedJob, until: number): Promise<boolean>
  /** Done: the job is gone, or waits again when it was enqueued while it ran. false when the lease was lost. */
  complete(job: LeasedJob, at: number): Promise<boolean>
  /** Failed: waits until `retryAt`, or is dead when that is null. false when the lease was lost. */
  fail(job: LeasedJob, error: string, retryAt: number | null): Promise<boolean>
  /**
   * Gives it back unfinished and unblamed: it waits until `dueAt`, or sooner when it was enqueued while it ran, this
   * attempt not counted. false as above.
   */
  release(job: LeasedJob, dueAt: number): Promise<boolean>
  /** Newest first. */
  list(
    userId: string | null,
    page: { readonly limit: number; readonly offset: number; readonly state?: JobState },
  ): Promise<Page<Job>>
  get(id: string): Promise<Job | null>
  /** Dead jobs of this user (all users when null) wait again, with no attempt counted; the number of them. */
  retry(userId: string | null, at: number, id?: string): Promise<number>
  /** Removes jobs of this user: of one kind and subject, or all. The number removed. */
  remove(userId: string, which?: { readonly kind: JobKind; readonly subject: string }): Promise<number>
  /**
   * When the next job can be taken, in milliseconds since the epoch: its time, or the end of the lease of one that runs.
   * null when none waits or runs.
   */
  nextDue(): Promise<number | null>
}
