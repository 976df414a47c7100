/** The background jobs, to be looked at and put right: what waits, what runs, what failed for good and why. */

import { checkId, checkOneOf, checkOptionalId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { Page } from '../domain/contracts/conversation-log.ts'
import type { Job, JobQueue, JobState } from '../domain/contracts/job-queue.ts'
import { notFound } from '../domain/errors.ts'
import { checkPage } from '../domain/page.ts'
import type { JobWorker } from '../usecases/upkeep/jobs/worker.ts'
import type { Guard } from './guards.ts'

/** Which jobs to list; everything has a default. */
export interface ListJobsInput {
  /** Default: of every user. */
  readonly userId?: string | null | undefined
  /** 1 to 10,000, default 100. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly state?: JobState | undefined
}

/** What can be done with background jobs. */
export interface JobUseCases {
  /** Newest first. */
  list(input: ListJobsInput): Promise<Page<Job>>
  /** Dead jobs are tried again: one, or all of a user (null: of every user); the number of them; not_found for one that is none of theirs. */
  retry(userId: string | null, id?: string): Promise<number>
}

const STATES: readonly JobState[] = ['waiting', 'running', 'dead']
const FIELDS = ['userId', 'limit', 'offset', 'state']

/** Binds the use cases. */
export function jobUseCases(jobs: JobQueue, clock: Clock, worker: JobWorker, open: Guard): JobUseCases {
  const checkIsThere = async (userId: string | null, id: string): Promise<void> => {
    const job = await jobs.get(id)
    if (job === null || (userId !== null && job.userId !== userId))
      throw notFound('job', id, 'List the jobs to see their ids.')
  }
  return {
    list: open(async (input) => {
      checkRecord('', input, FIELDS)
      const { state } = input
      return jobs.list(checkOptionalId('userId', input.userId), {
        ...checkPage(input),
        ...(state === undefined ? {} : { state: checkOneOf('state', state, STATES) }),
      })
    }),
    retry: open(async (userId, id) => {
      const user = checkOptionalId('userId', userId)
      const retried = await jobs.retry(user, clock().getTime(), id === undefined ? undefined : checkId('id', id))
      if (retried > 0) worker.wake()
      else if (id !== undefined) await checkIsThere(user, id)
      return retried
    }),
  }
}
