/**
 * A command ends with its answer; what it stored is thought about before that, for a moment, where rules think. What is
 * not done by then waits in the queue for the next process, and so does everything where a model was configured.
 */
import { setTimeout } from 'node:timers/promises'
import type { OpenMemory } from '../library/index.ts'
import type { Context } from './context.ts'
import { stderrLogger } from './log-to-stderr.ts'

/** The longest that a command stays for it. */
const MOST_MS = 1000

/** Does what is due, for at most MOST_MS; call it when the answer was printed. Never rejects. */
export async function thinkBeforeEnd({ settings }: Context, memory: OpenMemory): Promise<void> {
  if (settings.models.llm.shown.enabled.value) return
  const stop = new AbortController()
  try {
    await Promise.race([memory.idle(), setTimeout(MOST_MS, undefined, { signal: stop.signal })])
  } catch (error) {
    stderrLogger(settings.log_level.value).info('what was stored will be thought about later', {
      reason: error instanceof Error ? error.message : String(error),
    })
  } finally {
    stop.abort()
  }
}
