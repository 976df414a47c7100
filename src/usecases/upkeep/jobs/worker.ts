/** Background work is done shortly after the last stored turn, or at once for `idle`. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../domain/clock.ts'
import type { JobKind, JobQueue } from '../../../domain/contracts/job-queue.ts'
import type { Logger } from '../../../domain/logger.ts'
import { breathe } from '../../../domain/pieces.ts'
import { failureReason, type JobHandler, runJob } from './run-job.ts'

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

/** The controls of a worker. */
export interface JobWorker {
  /** Something was enqueued, or may have been: work begins after a while of quiet. Costs nothing worth mentioning. */
  wake(): void
  /** Does all that is due now; retries, dead jobs and jobs of other processes do not hold it up. */
  idle(): Promise<void>
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
  /** When work was first and last asked for since it last began; performance.now(). */
  let asked: { readonly first: number; last: number } | null = null
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
  const options = { ...given, leaseMs, longestRunMs, random, closing: stop.signal, pause }

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
    const wait = asked === null ? 0 : quietLeft(asked.first, asked.last)
    if (wait > 0) sleep(wait)
    else void begin()
  }

  const quietLeft = (first: number, last: number): number =>
    Math.min(last + quietMs, first + longestWaitMs) - performance.now()

  /** Does the due jobs, one at a time for all callers, and returns their number. */
  const begin = (): Promise<number> => {
    if (working !== undefined) return working
    asked = null
    working = runDue()
      .catch((error: unknown) => {
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
    if (asked !== null) sleep(Math.max(0, quietLeft(asked.first, asked.last)))
    const next = await queue.nextDue().catch(() => null)
    const wait = next === null ? lookMs : Math.max(SHORTEST_SLEEP_MS, next - clock().getTime())
    sleep(Math.min(wait, lookMs))
  }

  return {
    wake: () => {
      const now = performance.now()
      lastWake = now
      // The timer is left as it is while it runs: when it fires it sees how long it has been quiet.
      if (asked !== null) asked.last = now
      else {
        asked = { first: now, last: now }
        if (working === undefined) sleep(quietMs)
      }
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
