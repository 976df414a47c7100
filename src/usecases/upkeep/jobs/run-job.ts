/**
 * Runs one leased job to its end: it keeps the lease while the handler works, and writes the outcome into the queue. It
 * never rejects; an unwritten failure is repeated after the lease.
 */

import { type Clock, SECOND_MS } from '../../../domain/clock.ts'
import type { JobKind, JobQueue, LeasedJob } from '../../../domain/contracts/job-queue.ts'
import type { Logger } from '../../../domain/logger.ts'
import { failureReason, judgeFailure, MAX_ATTEMPTS } from './retry-delay.ts'

/**
 * Does the work of a job, in a way that may be repeated: a process can die after it. It must stop soon after `signal`
 * says so, by rejecting, and should write through `MemoryStore.apply` with the job as `lease`.
 */
export type JobHandler = (job: LeasedJob, signal: AbortSignal, pause: Pause) => Promise<void>

/** Called between two pieces of long work: lets others have their turn, and resolves when it has been quiet for a while. */
type Pause = () => Promise<void>

/** The dependencies of running a job. */
export interface RunJobOptions {
  readonly queue: JobQueue
  readonly clock: Clock
  readonly logger: Logger
  readonly handlers: Readonly<Record<JobKind, JobHandler>>
  readonly leaseMs: number
  /** A handler that takes longer has failed. */
  readonly longestRunMs: number
  /** A random number in [0, 1). */
  readonly random: () => number
  /** Says that the worker closes: the handler is to stop and its job to be given back. */
  readonly closing: AbortSignal
  readonly pause: Pause
}

/** How many times the lease is renewed while it lasts, so that a renewal or two may fail. */
const RENEWALS_A_LEASE = 3
/** How long a handler that was told to stop is waited for. */
const STOP_WAIT_MS = 2000

/** Resolves when the job is done, failed or given back. */
export async function runJob(job: LeasedJob, options: RunJobOptions): Promise<void> {
  const { queue, clock, logger, random, closing } = options
  const details = { job: job.id, kind: job.kind, user: job.userId, attempt: job.attempts }
  const now = (): number => clock().getTime()
  try {
    if (job.attempts > MAX_ATTEMPTS) {
      const reason = job.lastError ?? 'it never came to an end'
      await queue.fail(job, reason, null)
      logger.error('a job failed for good', { ...details, reason })
      return
    }
    const outcome = await work(job, options)
    if (outcome.kind === 'done') {
      // false where the handler finished it with its own write, or another process has it: either way it is not ours.
      await queue.complete(job, now())
      logger.debug('a job is done', details)
    } else if (outcome.kind === 'failed' && !closing.aborted) {
      const reason = failureReason(outcome.error)
      const verdict = judgeFailure(outcome.error, job.attempts, random())
      if (verdict.kind === 'postpone') await queue.release(job, now() + verdict.delayMs)
      else await queue.fail(job, reason, verdict.kind === 'dead' ? null : now() + verdict.delayMs)
      if (verdict.kind === 'dead') logger.error('a job failed for good', { ...details, reason })
      else logger.warn('a job failed and will be tried again', { ...details, reason, in_ms: verdict.delayMs })
    } else if (outcome.kind !== 'lost') {
      await queue.release(job, now())
      logger.debug('a job was given back', details)
    }
  } catch (error) {
    logger.warn('the queue could not be written; the job comes back when its lease has run out', {
      ...details,
      reason: failureReason(error),
    })
  }
}

type RunResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Told to stop and still busy. */
  | { readonly kind: 'stopped' }
  /** Another process has the job by now, or it was removed. */
  | { readonly kind: 'lost' }

async function work(
  job: LeasedJob,
  { queue, clock, logger, handlers, leaseMs, longestRunMs, closing, pause }: RunJobOptions,
): Promise<RunResult> {
  const stop = new AbortController()
  let end: 'lost' | 'overdue' | null = null
  let settled = false
  const stopFor = (reason: unknown, why: 'lost' | 'overdue' | null): void => {
    if (settled || stop.signal.aborted) return
    end = why
    stop.abort(reason)
  }
  const renew = async (): Promise<void> => {
    try {
      const held = await queue.extend(job, clock().getTime() + leaseMs)
      if (!held) stopFor(new Error('the lease was lost'), 'lost')
    } catch (error) {
      logger.warn('a lease could not be renewed', { job: job.id, reason: failureReason(error) })
    }
  }
  const overdue = new Error(`it took longer than ${Math.round(longestRunMs / SECOND_MS)} s`)
  const timers = [
    setInterval(renew, leaseMs / RENEWALS_A_LEASE),
    setTimeout(() => stopFor(overdue, 'overdue'), longestRunMs),
  ]
  for (const timer of timers) timer.unref()
  const onClose = (): void => stopFor(closing.reason, null)
  // Not unref'ed: a process that closes waits for it, so that the job is given back.
  const stopped = new Promise<RunResult>((resolve) => {
    stop.signal.addEventListener('abort', () =>
      timers.push(setTimeout(() => resolve({ kind: 'stopped' }), STOP_WAIT_MS)),
    )
  })
  closing.addEventListener('abort', onClose)
  if (closing.aborted) onClose()
  try {
    const handled = (async () => handlers[job.kind](job, stop.signal, pause))().then(
      (): RunResult => ({ kind: 'done' }),
      (error: unknown): RunResult => ({ kind: 'failed', error }),
    )
    return judge(await Promise.race([handled, stopped]), end, overdue)
  } finally {
    settled = true
    for (const timer of timers) clearTimeout(timer)
    closing.removeEventListener('abort', onClose)
  }
}

/** A handler that was told to stop says so by failing; then the reason of the stop counts. */
function judge(outcome: RunResult, end: 'lost' | 'overdue' | null, overdue: Error): RunResult {
  if (outcome.kind === 'done' || end === null) return outcome
  return end === 'lost' ? { kind: 'lost' } : { kind: 'failed', error: overdue }
}
