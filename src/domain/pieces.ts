/** How does long work let others run? It goes in pieces, with events and aborts handled between two of them. */
import { setImmediate } from 'node:timers/promises'
import { MnemeError } from './errors.ts'

/** Runs work that pauses after each piece in one go, and returns its result. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** As `atOnce`, piece by piece with other work in between. Rejects as `breathe` does. */
export async function inPieces<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await breathe(signal)
  }
}

/** Lets waiting events run; throws MnemeError 'aborted' when the signal says so. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  if (signal?.aborted)
    throw new MnemeError('aborted', 'The work was stopped; what was finished before is kept.', {
      remedy: 'Run it again to do the rest.',
      cause: signal.reason,
    })
  await setImmediate()
}
