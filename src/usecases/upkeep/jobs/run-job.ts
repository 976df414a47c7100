/** Runs one leased job to its end, keeps its lease, and writes the outcome into the queue. It never rejects. */
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../domain/clock.ts'
import type { JobKind, JobQueue, LeasedJob } from '../../../domain/contracts/job-queue.ts'
import { type ErrorCode, MnemeError } from '../../../domain/errors.ts'
import type { Logger } from '../../../domain/logger.ts'

/** The work of a job, repeatable; it must stop soon after `signal`, and write with the job as `lease`. */
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

/** Attempts before a job is dead. */
export const MAX_ATTEMPTS = 5
const FIRST_DELAY_MS = SECOND_MS
const FACTOR = 4
/** A delay is longer or shorter by up to this part of it, so that jobs that failed together do not come back together. */
const JITTER = 0.25
/** A spent budget is looked at again after this long. */
const BUDGET_DELAY_MS = 15 * MINUTE_MS

/** Trying again would bring the same. */
const FINAL: readonly ErrorCode[] = ['model_refused', 'invalid_input']

/** Milliseconds after failed attempt 1, 2, …: 1 s, 4 s, 16 s, 64 s, each ± a quarter; `chance` in [0, 1). */
export function retryDelay(attempt: number, chance: number): number {
  const delay = FIRST_DELAY_MS * FACTOR ** (attempt - 1)
  return Math.round(delay * (1 - JITTER + 2 * JITTER * chance))
}

/** The next step for a failed job: another attempt, one that is not blamed for this, or none. */
type Verdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'postpone'; readonly delayMs: number }
  | { readonly kind: 'dead' }

/** `attempt` is the one that failed, from 1. */
export function judgeFailure(error: unknown, attempt: number, chance: number): Verdict {
  const code = error instanceof MnemeError ? error.code : null
  if (code === 'budget_spent') return { kind: 'postpone', delayMs: BUDGET_DELAY_MS }
  if (attempt >= MAX_ATTEMPTS || (code !== null && FINAL.includes(code))) return { kind: 'dead' }
  return { kind: 'retry', delayMs: retryDelay(attempt, chance) }
}

/** The reason of a failure on one line, at most 500 characters. */
export function failureReason(error: unknown): string {
  const said = error instanceof MnemeError ? `${error.code}: ${error.message}` : String(error)
  return said.replaceAll(/\s+/gu, ' ').slice(0, 500).toWellFormed()
}
