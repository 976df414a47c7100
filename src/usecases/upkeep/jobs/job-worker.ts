/** Background work, job by job, shortly after the last stored turn; a lease is kept while a job runs. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../domain/clock.ts'
import type { JobKind, JobQueue, LeasedJob } from '../../../domain/contracts/job-queue.ts'
import { type ErrorCode, isUnwritable, MnemeError } from '../../../domain/errors.ts'
import type { Logger } from '../../../domain/logger.ts'
import { breathe } from '../../../domain/scheduling.ts'

/** The options of a worker; everything with a default may be left out. */
export interface JobWorkerOptions {
  readonly queue: JobQueue
  readonly clock: Clock
  readonly logger: Logger
  readonly handlers: Readonly<Record<JobKind, JobHandler>>
  /** How long a job stays with a process that has died. Default 30 s. */
  readonly leaseMs?: number
  /** A handler that takes longer is told to stop and has failed. Default 10 minutes. */
  readonly longestRunMs?: number
  /** Jobs that run at the same time, at least 1. Default 1; more where handlers wait for a model. */
  readonly concurrency?: number
  /** Quiet after the last `wake` before work begins. Default 30 ms. */
  readonly quietMs?: number
  /** The longest that work is put off by one `wake` after the other. Default 1 s. */
  readonly longestWaitMs?: number
  /** The interval of looking for jobs that other processes left behind; by default as long as `leaseMs`. */
  readonly lookMs?: number
  /** Random numbers in [0, 1). Default Math.random. */
  readonly random?: () => number
}

export interface JobWorker {
  /** Something was enqueued, or may have been: work begins after a while of quiet. Costs nothing worth mentioning. */
  wake(): void
  /** Does all that is due now; retries, dead jobs and jobs of other processes do not hold it up. */
  idle(): Promise<void>
  /** Why the last job or its state could not be written; null from the next that could. */
  unwritten(): string | null
  /** Tells running handlers to stop and gives their jobs back. Close it before the store. */
  close(): Promise<void>
}

/** The shortest sleep before a job that is due, but could not be taken, is tried for again. */
const SHORTEST_SLEEP_MS = 200

/** A worker that sleeps until `wake`. Call `wake` once after opening, for work that earlier processes left undone. */
export function createJobWorker({
  leaseMs = 30 * SECOND_MS,
  longestRunMs = 10 * MINUTE_MS,
  concurrency = 1,
  quietMs = 30,
  longestWaitMs = 1000,
  lookMs = leaseMs,
  random = Math.random,
  ...given
}: JobWorkerOptions): JobWorker {
  const { queue, clock, logger } = given
  const stop = new AbortController()
  /** When work was first asked for since it last began; performance.now(). */
  let firstWake: number | null = null
  let timer: NodeJS.Timeout | undefined
  let sleepsUntil = Number.POSITIVE_INFINITY
  let working: Promise<number> | undefined
  let lastWake = Number.NEGATIVE_INFINITY
  /** Callers of `idle`: while there are any, nothing is put off. */
  let hurrying = 0

  /** While one `wake` follows the other a piece of work is done each `longestWaitMs`, so that storing stays quick. */
  const pause = async (): Promise<void> => {
    const began = performance.now()
    await breathe()
    while (hurrying === 0 && !stop.signal.aborted) {
      const now = performance.now()
      if (now - lastWake >= quietMs || now - began >= longestWaitMs) return
      await delay(quietMs, undefined, { ref: false })
    }
  }
  let unwritten: string | null = null
  const wrote = (failure: unknown): void => {
    if (failure === null) unwritten = null
    else if (isUnwritable(failure)) unwritten = failure.message
  }
  const options = { ...given, leaseMs, longestRunMs, random, closing: stop.signal, pause, wrote }

  /** Looks again after so long, or earlier where that is planned already. */
  const sleep = (milliseconds: number): void => {
    const until = performance.now() + milliseconds
    if (stop.signal.aborted || until >= sleepsUntil) return
    clearTimeout(timer)
    sleepsUntil = until
    timer = setTimeout(onTimer, milliseconds)
    timer.unref()
  }

  const onTimer = (): void => {
    sleepsUntil = Number.POSITIVE_INFINITY
    if (working !== undefined) return
    const wait = quietLeft()
    if (wait > 0) sleep(wait)
    else void begin()
  }

  const quietLeft = (): number =>
    firstWake === null ? 0 : Math.min(lastWake + quietMs, firstWake + longestWaitMs) - performance.now()

  /** Does the due jobs, one at a time for all callers, and returns their number. */
  const begin = (): Promise<number> => {
    if (working !== undefined) return working
    firstWake = null
    working = runDue()
      .catch((error: unknown) => {
        wrote(error)
        logger.warn('the queue of background jobs could not be read', { reason: failureReason(error) })
        return 0
      })
      .finally(() => {
        working = undefined
        void plan()
      })
    return working
  }

  const runDue = async (): Promise<number> => {
    const lanes = Array.from({ length: concurrency }, async () => {
      let ran = 0
      while (!stop.signal.aborted) {
        const [job] = await queue.take(clock().getTime(), leaseMs, 1)
        if (job === undefined) break
        await runJob(job, options)
        ran += 1
        await pause()
      }
      return ran
    })
    // All are waited for, also when one rejects: before the store is closed nothing may run any more.
    const ended = await Promise.allSettled(lanes)
    return ended.reduce((sum, lane) => {
      if (lane.status === 'rejected') throw lane.reason
      return sum + lane.value
    }, 0)
  }

  /** The time of the next look: that of the next job, and now and then for jobs that other processes left behind. */
  const plan = async (): Promise<void> => {
    if (stop.signal.aborted) return
    if (firstWake !== null) sleep(Math.max(0, quietLeft()))
    const next = await queue.nextDue().catch(() => null)
    const wait = next === null ? lookMs : Math.max(SHORTEST_SLEEP_MS, next - clock().getTime())
    sleep(Math.min(wait, lookMs))
  }

  return {
    unwritten: () => unwritten,
    wake: () => {
      lastWake = performance.now()
      // The timer is left as it is while it runs: when it fires it sees how long it has been quiet.
      if (firstWake !== null) return
      firstWake = lastWake
      if (working === undefined) sleep(quietMs)
    },

    idle: async () => {
      hurrying += 1
      try {
        // A run under way may have looked for the last time already; later jobs of its handlers are done by the next.
        await working
        while (!stop.signal.aborted && (await begin()) > 0);
      } finally {
        hurrying -= 1
      }
    },

    close: async () => {
      stop.abort(new Error('the worker was closed'))
      clearTimeout(timer)
      await working
    },
  }
}

/** The work of a job, repeatable; it must stop soon after `signal`, and write with the job as `lease`. */
export type JobHandler = (job: LeasedJob, signal: AbortSignal, pause: Pause) => Promise<void>

/** Called between two pieces of long work: lets others have their turn, and resolves when it has been quiet for a while. */
type Pause = () => Promise<void>

interface RunJobOptions
  extends Required<
    Pick<JobWorkerOptions, 'queue' | 'clock' | 'logger' | 'handlers' | 'leaseMs' | 'longestRunMs' | 'random'>
  > {
  /** Says that the worker closes: the handler is to stop and its job to be given back. */
  readonly closing: AbortSignal
  readonly pause: Pause
  /** Told of every job that was done, by null, and of what kept another from it. */
  readonly wrote: (failure: unknown) => void
}

/** How many times the lease is renewed while it lasts, so that a renewal or two may fail. */
const RENEWALS_A_LEASE = 3
const STOP_WAIT_MS = 2000

async function runJob(job: LeasedJob, options: RunJobOptions): Promise<void> {
  const { queue, clock, logger, random, closing, wrote } = options
  const details = { job: job.id, kind: job.kind, user: job.userId, attempt: job.attempts }
  const now = (): number => clock().getTime()
  try {
    if (job.attempts > MOST_ATTEMPTS) {
      const reason = job.lastError ?? 'it never came to an end'
      await queue.fail(job, reason, null)
      logger.error('a job failed for good', { ...details, reason })
      return
    }
    const failed = await work(job, options).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (failed === null) {
      // false where the handler finished it with its own write, or another process has it: either way it is not ours.
      await queue.complete(job, now())
      wrote(null)
      logger.debug('a job is done', details)
    } else if (failed.error === LOST) return
    else if (closing.aborted) {
      await queue.release(job, now())
      logger.debug('a job was given back', details)
    } else {
      const { error } = failed
      const reason = failureReason(error)
      wrote(error)
      const verdict = judgeFailure(error, job.attempts, random())
      if (verdict.kind === 'postpone') await queue.release(job, now() + verdict.delayMs)
      else await queue.fail(job, reason, verdict.kind === 'dead' ? null : now() + verdict.delayMs)
      if (verdict.kind === 'dead') logger.error('a job failed for good', { ...details, reason })
      else logger.warn('a job failed and will be tried again', { ...details, reason, in_ms: verdict.delayMs })
    }
  } catch (error) {
    wrote(error)
    logger.warn('the queue could not be written; the job comes back when its lease has run out', {
      ...details,
      reason: failureReason(error),
    })
  }
}

/** Another process has the job by now, or it was removed. */
const LOST = new Error('the lease was lost')

/** Rejects as the handler does; one that was told to stop may not, and then the reason of that counts, soon after. */
async function work(
  job: LeasedJob,
  { queue, clock, logger, handlers, leaseMs, longestRunMs, closing, pause }: RunJobOptions,
): Promise<void> {
  const stop = new AbortController()
  const renew = async (): Promise<void> => {
    try {
      if (!(await queue.extend(job, clock().getTime() + leaseMs))) stop.abort(LOST)
    } catch (error) {
      logger.warn('a lease could not be renewed', { job: job.id, reason: failureReason(error) })
    }
  }
  const overdue = new Error(`it took longer than ${Math.round(longestRunMs / SECOND_MS)} s`)
  const timers = [
    setInterval(renew, leaseMs / RENEWALS_A_LEASE).unref(),
    setTimeout(() => stop.abort(overdue), longestRunMs).unref(),
  ]
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  // Not unref'ed: a process that closes waits for it, so that the job is given back.
  const wait = (): void => void timers.push(setTimeout(reject, STOP_WAIT_MS))
  const onClose = (): void => stop.abort(closing.reason)
  stop.signal.addEventListener('abort', wait)
  closing.addEventListener('abort', onClose)
  if (closing.aborted) onClose()
  try {
    await Promise.race([(async () => handlers[job.kind](job, stop.signal, pause))(), stopped])
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    for (const timer of timers) clearTimeout(timer)
    stop.signal.removeEventListener('abort', wait)
    closing.removeEventListener('abort', onClose)
  }
}

/** Attempts before a job is dead. */
export const MOST_ATTEMPTS = 5
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

/** The next step for a failed job: another attempt, one that is not blamed for this, or none. `attempt` is the one that failed, from 1. */
export function judgeFailure(error: unknown, attempt: number, chance: number) {
  const code = error instanceof MnemeError ? error.code : null
  if (code === 'budget_spent') return { kind: 'postpone', delayMs: BUDGET_DELAY_MS } as const
  if (attempt >= MOST_ATTEMPTS || (code !== null && FINAL.includes(code))) return { kind: 'dead' } as const
  return { kind: 'retry', delayMs: retryDelay(attempt, chance) } as const
}

/** The reason of a failure on one line, at most 500 characters. */
export function failureReason(error: unknown): string {
  const said = error instanceof MnemeError ? `${error.code}: ${error.message}` : String(error)
  return said.replaceAll(/\s+/gu, ' ').slice(0, 500).toWellFormed()
}
