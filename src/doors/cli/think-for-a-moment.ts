/**
 * Thinks briefly about stored turns in the first command that needs the result or asks for it; storing itself never
 * waits. Only rules run here; the rest, and all work for a model, stays queued (`mneme jobs run`).
 */
import { setTimeout } from 'node:timers/promises'
import type { OpenMemory } from '../library/index.ts'
import { chooseLlm } from './models.ts'
import type { Settings } from './settings.ts'
import { stderrLogger } from './standard-streams.ts'
import { watchedWork } from './watched-work.ts'

/** The longest wait in milliseconds. */
const MOST_MS = 10_000

/** Runs due jobs for at most MOST_MS. Never rejects. */
export async function thinkForAMoment(settings: Settings, memory: OpenMemory): Promise<void> {
  if (chooseLlm(settings).enabled.value) return
  const stop = new AbortController()
  try {
    const { total } = await memory.maintenance.jobs({ limit: 1, state: 'waiting' })
    if (total === 0) return
    await Promise.race([memory.idle(), setTimeout(MOST_MS, undefined, { signal: stop.signal })])
  } catch (error) {
    stderrLogger(settings.log_level.value).info('what was stored will be thought about later', {
      reason: error instanceof Error ? error.message : String(error),
    })
  } finally {
    stop.abort()
  }
}

/** Milliseconds between two checks for remaining and newly due jobs. */
const LOOK_MS = 500

/** Resolves when no job is due; with `wait` when none waits or runs. Permanently failed jobs remain. */
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

/** Rejects when the person interrupts; closing the memory then releases the jobs. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
