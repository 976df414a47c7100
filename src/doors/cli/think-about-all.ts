/** All the thinking that is due, in front of a person: a bar shows how many jobs are left, Ctrl-C leaves the rest. */
import { setTimeout } from 'node:timers/promises'
import type { OpenMemory } from '../library/index.ts'
import { watchedWork } from './watched-work.ts'

/** How often it is looked how much is left, and whether something has become due. */
const LOOK_MS = 500

/** Resolves when nothing is due; with `wait` when nothing waits or runs any more. Jobs that failed for good stay. */
export async function thinkAboutAll(
  memory: OpenMemory,
  { wait = false }: { readonly wait?: boolean } = {},
): Promise<void> {
  await watchedWork({ doing: 'thinking', unit: 'jobs' }, async ({ signal, onProgress }) => {
    const before = await unfinished(memory)
    const show = async (): Promise<void> => onProgress?.(Math.max(0, before - (await unfinished(memory))), before)
    const interrupted = aborted(signal)
    const watch = setInterval(() => void show().catch(() => undefined), LOOK_MS)
    try {
      for (;;) {
        await Promise.race([memory.idle(), interrupted])
        if (!wait || (await unfinished(memory)) === 0) return
        await setTimeout(LOOK_MS, undefined, { signal })
      }
    } finally {
      clearInterval(watch)
    }
  })
}

/** Jobs in this state, of every user. */
export async function jobCount(memory: OpenMemory, state: 'waiting' | 'running' | 'dead'): Promise<number> {
  return (await memory.maintenance.jobs({ state, limit: 1, allUsers: true })).total
}

async function unfinished(memory: OpenMemory): Promise<number> {
  return (await jobCount(memory, 'waiting')) + (await jobCount(memory, 'running'))
}

/** Rejects when the person interrupts; closing the memory then gives the jobs back. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
