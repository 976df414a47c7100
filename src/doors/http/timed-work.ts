/** Scheduled work of a server; runs that were missed are made up, and edits of the memory file are read at once. */
import { setTimeout } from 'node:timers/promises'
import { Cron } from 'croner'
import type { Clock } from '../../domain/clock.ts'
import { invalid, messageOf } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { everyItem } from '../../domain/scheduling.ts'
import type { OpenMemory } from '../library/index.ts'

/** Cron patterns in local time; null: never. */
export interface TimedWork {
  readonly expire: string | null
  readonly consolidate: string | null
  readonly digest: string | null
  /** Only where a threshold was configured (000, MEMORY_EVICTION_THRESHOLD). */
  readonly evict: string | null
}

/** Milliseconds before missed work is made up, so that a server answers first. */
const CATCH_UP_MS = 10_000

/** Starts the schedule and returns a function that stops it and waits for running work. */
export function startTimedWork(
  memory: OpenMemory,
  when: TimedWork,
  logger: Logger,
  defaultUser: string,
  {
    clock = () => new Date(),
    catchUpMs = CATCH_UP_MS,
  }: { readonly clock?: Clock | undefined; readonly catchUpMs?: number | undefined } = {},
): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const run = async (name: string, work: () => Promise<object>): Promise<void> => {
    try {
      logger.info(`${name}: done`, { ...(await work()) })
    } catch (error) {
      if (!stopping.signal.aborted) logger.error(`${name}: failed`, { reason: String(error) })
    }
  }
  const track = async (task: Promise<void>): Promise<void> => {
    running.add(task)
    await task
    running.delete(task)
  }
  /** Runs work by the clock, one run at a time, and notes when; an interrupted run counts as missed. */
  const every = (field: keyof TimedWork, work: () => Promise<object>, isNoted = true) => {
    const noted = async (): Promise<object> => {
      const begunAt = clock()
      const done = await work()
      if (isNoted && !stopping.signal.aborted) await memory.maintenance.noteRun(field, begunAt, done)
      return done
    }
    const pattern = when[field]
    if (pattern === null) return []
    try {
      const cron = new Cron(pattern, { protect: true, unref: true }, () => track(run(field, noted)))
      return [{ field, isNoted, cron }]
    } catch (error) {
      const reason = `is no cron pattern: ${messageOf(error)}`
      throw invalid(field, reason, 'Write one such as "30 3 * * *".')
    }
  }
  const timers = [
    ...every('expire', () => memory.maintenance.expire(), false),
    ...every('consolidate', () => memory.maintenance.consolidate({ signal: stopping.signal })),
    ...every('evict', () => evictAll(memory, stopping.signal)),
    ...every('digest', () => digestAll(memory, defaultUser, stopping.signal)),
  ]
  const watching =
    when.digest === null
      ? Promise.resolve([])
      : watchFiles(memory, defaultUser, logger, (userId) =>
          track(run('memory file', () => memory.memoryFile.sync({ userId }).then(countsOf))),
        )
  const catchUp = async (): Promise<void> => {
    await setTimeout(catchUpMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    for (const { field, isNoted, cron } of timers)
      if (isNoted && !stopping.signal.aborted && (await isMissed(memory, field, cron, clock())) && !cron.isBusy())
        await cron.trigger()
  }
  void track(
    catchUp().catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error('missed work was not made up', { reason: String(error) })
    }),
  )
  return async () => {
    for (const { cron } of timers) cron.stop()
    stopping.abort()
    for (const stop of await watching) stop()
    await Promise.all(running)
  }
}

/** Whether a scheduled run was missed since the last one. Work that never ran is due from now on. */
async function isMissed(memory: OpenMemory, field: string, cron: Cron, now: Date): Promise<boolean> {
  const done = await memory.maintenance.lastRun(field)
  if (done === null) await memory.maintenance.noteRun(field, now)
  const [due] = cron.previousRuns(1, now)
  return done !== null && due !== undefined && done < due
}

const USERS_A_PAGE = 1000

async function evictAll(memory: OpenMemory, signal: AbortSignal): Promise<{ readonly evicted: number }> {
  let evicted = 0
  for await (const { userId } of everyItem(memory.owners.list, USERS_A_PAGE)) {
    if (signal.aborted) break
    evicted += (await memory.maintenance.evict({ userId })).evicted.length
  }
  return { evicted }
}

async function keptUsers(memory: OpenMemory, defaultUser: string): Promise<readonly string[]> {
  return [...new Set([defaultUser, ...(await memory.memoryFile.users())])]
}

async function digestAll(memory: OpenMemory, defaultUser: string, signal: AbortSignal): Promise<object> {
  let files = 0
  let failed = 0
  for (const userId of await keptUsers(memory, defaultUser)) {
    try {
      await memory.memoryFile.digest({ userId }, { signal })
      files += 1
    } catch (error) {
      if (signal.aborted) throw error
      failed += 1
    }
  }
  return { files, failed }
}

async function watchFiles(
  memory: OpenMemory,
  defaultUser: string,
  logger: Logger,
  changed: (userId: string) => Promise<void>,
): Promise<readonly (() => void)[]> {
  const stops: (() => void)[] = []
  try {
    for (const userId of await keptUsers(memory, defaultUser))
      stops.push(await memory.memoryFile.watch({ userId }, () => void changed(userId)))
  } catch (error) {
    logger.warn('the memory file is not watched', { reason: messageOf(error) })
  }
  return stops
}

function countsOf({ edits, removed, updated, conflicts }: MemoryFileReport): object {
  return { edits: edits.length, removed: removed.length, updated: updated.length, conflicts: conflicts.length }
}
