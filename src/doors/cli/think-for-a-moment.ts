/**
 * What was stored is thought about by the first command that wants to know what came of it, or that is told to: storing
 * itself ends with its answer. It takes a moment at most, and only where rules think; the rest waits in the queue for the
 * next process, and so does everything where a model was configured (`mneme jobs run`).
 */
import { setTimeout } from 'node:timers/promises'
import type { OpenMemory } from '../library/index.ts'
import { stderrLogger } from './log-to-stderr.ts'
import type { Settings } from './settings.ts'

/** The longest that a command stays for it. */
const MOST_MS = 10_000

/** Does what is due, for at most MOST_MS. Never rejects. */
export async function thinkForAMoment(settings: Settings, memory: OpenMemory): Promise<void> {
  if (settings.models.llm.shown.enabled.value) return
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
