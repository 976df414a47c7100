/** Handlers of a test that think with pauses in all the wrong places: one memory for every turn and every note. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { LeasedJob } from '../../src/domain/contracts/job-queue.ts'
import type { MemoryChanges } from '../../src/domain/contracts/memory-store.ts'
import type { Store } from '../../src/domain/contracts/store.ts'
import type { JobWorkerOptions } from '../../src/usecases/upkeep/jobs/job-worker.ts'
import { memoryOf } from '../contracts/memory-store.ts'

/** Plans anew until the plan is written or the lease is lost. */
async function write(store: Store, job: LeasedJob, plan: () => Promise<Partial<MemoryChanges> | null>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const revision = await store.memories.revision(job.userId)
    const changes = await plan()
    if (changes === null) return
    await setTimeout(Math.random() * 3)
    const whole: MemoryChanges = { insert: [], update: [], remove: [], at: Date.now(), lease: job, ...changes }
    if (await store.memories.apply(job.userId, revision, whole)) return
    if ((await store.jobs.get(job.id))?.state !== 'running') return
  }
  throw new Error('somebody else is always quicker')
}

/** A thought about a conversation keeps each of its turns; a note is kept as it is. */
export function thinkingHandlers(store: Store): JobWorkerOptions['handlers'] {
  const think = (job: LeasedJob): Promise<void> =>
    write(store, job, async () => {
      const thoughtTo = await store.log.thoughtTo(job.userId, job.subject)
      if (thoughtTo === null) return null
      const turns = await store.log.turns(job.userId, job.subject, { from: thoughtTo + 1, limit: 4 })
      if (turns.length === 0) return null
      const last = turns.at(-1)!.turnId
      // The next run does the rest: it was enqueued again, or is now.
      if (turns.length === 4)
        await store.jobs.enqueue(job.userId, [{ kind: 'think', subject: job.subject }], Date.now())
      return {
        insert: turns.map(({ externalId }) => memoryOf(randomUUID(), `turn ${externalId}`)),
        completes: { conversationId: job.subject, thoughtTo: last },
      }
    })
  const add = (job: LeasedJob): Promise<void> =>
    write(store, job, async () => ({ insert: [memoryOf(randomUUID(), `note ${job.subject}`)], finishes: true }))
  const slow = (handler: (job: LeasedJob) => Promise<void>) => async (job: LeasedJob) => {
    await setTimeout(Math.random() * 3)
    await handler(job)
    await setTimeout(Math.random() * 3)
  }
  const nothing = async (): Promise<void> => {}
  return { think: slow(think), add: slow(add), embed: nothing, reconsolidate: nothing }
}
