/** Long work goes in pieces: between two of them others get their turn, and an abort is noticed. */
import { setImmediate } from 'node:timers/promises'
import { MnemeError } from './errors.ts'

/** Lets waiting events run; throws MnemeError 'aborted' when the signal says so. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  if (signal?.aborted)
    throw new MnemeError('aborted', 'The work was stopped; what was finished before is kept.', {
      remedy: 'Run it again to do the rest.',
      cause: signal.reason,
    })
  await setImmediate()
}
