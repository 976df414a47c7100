/** What a server does by the clock: idle working memory goes every few minutes, memories are consolidated once a day. */
import { Cron } from 'croner'
import { invalid } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { OpenMemory } from '../library/index.ts'

/** When to do what, as cron patterns in local time; null: never. */
export interface TimedWork {
  readonly expire: string | null
  readonly consolidate: string | null
}

/** What holds where nothing is said. */
export const TIMED_WORK: TimedWork = { expire: '*/5 * * * *', consolidate: '30 3 * * *' }

/** Starts it; what it resolves to stops it and waits for what runs. */
export function startTimedWork(memory: OpenMemory, when: TimedWork, logger: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const run = async (name: string, work: () => Promise<object>): Promise<void> => {
    try {
      logger.info(`${name}: done`, { ...(await work()) })
    } catch (error) {
      if (!stopping.signal.aborted) logger.error(`${name}: failed`, { reason: String(error) })
    }
  }
  const every = (field: string, pattern: string | null, work: () => Promise<object>): Cron | undefined => {
    if (pattern === null) return undefined
    try {
      return new Cron(pattern, { protect: true, unref: true }, async () => {
        const task = run(field, work)
        running.add(task)
        await task
        running.delete(task)
      })
    } catch (error) {
      throw invalid(
        field,
        `is no cron pattern: ${error instanceof Error ? error.message : error}`,
        'Write one such as "30 3 * * *".',
      )
    }
  }
  const timers = [
    every('expire', when.expire, () => memory.maintenance.expire()),
    every('consolidate', when.consolidate, () => memory.maintenance.consolidate({ signal: stopping.signal })),
  ]
  return async () => {
    for (const timer of timers) timer?.stop()
    stopping.abort()
    await Promise.all(running)
  }
}
