/** How is long work run? In pieces that let others run, one after the other, for a limited time, started over, or loaded late. */
import { setImmediate } from 'node:timers/promises'
import { MnemeError, ViewExpired } from './errors.ts'

/** Runs work that pauses after each piece in one go, and returns its result. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** As `atOnce`, piece by piece with other work in between. Rejects as `pause` does. */
export async function inPieces<T>(work: Generator<void, T>, pause: () => Promise<void> = breathe): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await pause()
  }
}

/** Lets waiting events run; throws MnemeError 'aborted' when the signal says so. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  refuseStopped(signal)
  // The first turn may end the round of events in which this was called, before others are looked for.
  await setImmediate()
  await setImmediate()
}

/** Characters of texts that are work enough before others run. */
const CHARACTERS_A_PIECE = 65_536

/** The items, with other work in between where those before were long. Rejects as `breathe` does. */
export async function* withBreath<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  let characters = 0
  for (const item of items) {
    characters += lengthOf(item)
    if (characters > CHARACTERS_A_PIECE) {
      characters = 0
      await breathe(signal)
    }
    yield item
  }
}

/** Throws MnemeError 'aborted' when the signal says so. */
export function refuseStopped(signal?: AbortSignal): void {
  if (signal?.aborted)
    throw new MnemeError('aborted', 'The work was stopped; what was finished before is kept.', {
      remedy: 'Run it again to do the rest.',
      cause: signal.reason,
    })
}

/** The result of the work, or null when the time is over. Late work goes on, and may fail unheard. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  const over = Promise.withResolvers<null>()
  const timer = setTimeout(() => over.resolve(null), milliseconds)
  work.catch(() => null)
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** As `make`, run at the first call; every later call gets the same result, or the same promise of one. */
export function late<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Runs work after earlier work of one name and owner; resolves or rejects as the work does. */
type InTurn = <T>(owner: object, name: string, work: () => Promise<T>) => Promise<T>

/** A queue for work on one owner: an open memory, a store. A failure does not hold up the next. */
export function inTurns(): InTurn {
  const queues = new WeakMap<object, Map<string, Promise<unknown>>>()
  return async (owner, name, work) => {
    const last = queues.get(owner) ?? new Map<string, Promise<unknown>>()
    queues.set(owner, last)
    const done = (last.get(name) ?? Promise.resolve()).then(work)
    const settled = done.catch(() => undefined)
    last.set(name, settled)
    try {
      return await done
    } finally {
      if (last.get(name) === settled) last.delete(name)
    }
  }
}

/** How often work over a view is started over: reorganisations are rare, and never last. */
const TRIES = 5

/** Does work over a view, and starts it over when the index is reorganised meanwhile. */
export async function overView<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ViewExpired) || attempt === TRIES) throw error
    }
}

/** The items of a list that is read page by page. */
export async function* everyItem<T>(
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<{ readonly items: readonly T[] }>,
  limit: number,
): AsyncGenerator<T> {
  for (let offset = 0; ; offset += limit) {
    const { items } = await list({ limit, offset })
    yield* items
    if (items.length < limit) return
  }
}
