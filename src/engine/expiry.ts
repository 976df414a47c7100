/**
 * When does idle working memory go (000)? By itself: after a turn was stored, and every few minutes while a process works in
 * the background. Nobody waits for it, and a sweep that fails leaves it to the next one.
 */
import type { Store } from '../domain/contracts/store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import { breathe } from '../domain/pieces.ts'
import { type ExpiryCounts, expireWorkingMemory } from '../usecases/upkeep/expire.ts'
import type { ResolvedOptions } from './options.ts'

/** Between two sweeps of one process. */
const SWEEP_EVERY_MS = 5 * 60_000

type ExpiryOptions = Pick<ResolvedOptions, 'clock' | 'logger' | 'archiveWorkingMemory' | 'background'>

/** Removes what is idle now, of every user; with the option its topic and variables are kept as a memory. */
export function expireNow(store: Store, { clock, logger, archiveWorkingMemory }: ExpiryOptions): Promise<ExpiryCounts> {
  const archiving: Pick<Store['memories'], 'insert'> = {
    insert: async (user, archived) => {
      const stored = await store.memories.insert(user, archived)
      const count = stored.filter(({ existed }) => !existed).length
      logger.info('a memory operation is done', { operation: 'archive', user, count })
      return stored
    },
  }
  return expireWorkingMemory(store.workingMemory, archiving, clock().getTime(), { archive: archiveWorkingMemory })
}

/** Sweeps that come by themselves. */
export interface Sweeping {
  /** A turn was stored: sweeps soon, if the last sweep was a while ago. */
  soon(): void
  /** Resolves when no sweep runs. */
  idle(): Promise<void>
  /** No more sweeps; resolves when none runs. */
  close(): Promise<void>
}

/** Starts them. */
export function sweeping(store: Store, options: ExpiryOptions): Sweeping {
  const { clock, logger, background } = options
  let last = Number.NEGATIVE_INFINITY
  let running = Promise.resolve()
  const sweep = async (): Promise<void> => {
    try {
      await breathe()
      // A look takes no lock: mostly nothing is idle.
      const idle = await store.workingMemory.listIdle(clock().getTime() - WORKING_MEMORY_IDLE_MS, 1)
      if (idle.length > 0) await expireNow(store, options)
    } catch (error) {
      logger.warn('Idle working memory stays for now.', { operation: 'expire', reason: String(error) })
    }
  }
  const soon = (): void => {
    const now = clock().getTime()
    if (now - last < SWEEP_EVERY_MS) return
    last = now
    running = running.then(sweep)
  }
  const timer = background ? setInterval(soon, SWEEP_EVERY_MS).unref() : undefined
  return {
    soon,
    idle: () => running,
    close: () => {
      clearInterval(timer)
      return running
    },
  }
}
