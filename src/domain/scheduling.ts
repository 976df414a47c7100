/**
 * How is long work run? In pieces that let others run, for a limited time, started over or loaded late. Each turn of the
 * event loop begins at most one request of a user.
 */
import { setImmediate as nextLoop } from 'node:timers/promises'
import { MnemeError, ViewExpired } from './errors.ts'

/** Runs work that pauses after each piece in one go, and returns its result. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** As `atOnce`, piece by piece with other work in between. */
export async function inPieces<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await breathe()
  }
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

/** The items, at most so many at a time, with other work in between. Rejects as `breathe` does. */
export async function* fewAtATime<T>(
  items: readonly T[],
  most: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[]> {
  for (let first = 0; first < items.length; first += most) {
    if (first > 0) await breathe(signal)
    yield items.slice(first, first + most)
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
export function lazy<T extends object>(make: () => T): () => T {
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

/** The items of all pages, with other work in between. */
export async function* everyItem<T>(
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<{ readonly items: readonly T[] }>,
  limit: number,
): AsyncGenerator<T> {
  for (let offset = 0; ; offset += limit) {
    const { items } = await list({ limit, offset })
    yield* items
    if (items.length < limit) return
    await breathe()
  }
}

/** Turns for which a request holds others back: one that takes longer waits for something else, such as a model. */
const MOST_TURNS = 16
/** Milliseconds for which a user counts as present; a user alone begins at once. */
const PRESENT_MS = 1000

/** A request at work, and the users who began one beside it. */
interface AtWork {
  readonly userId: string
  readonly beside: Set<string>
  turns: number
}

interface GivingWay {
  /** null: of nobody who is known, held back by none. */
  readonly userId: string | null
  readonly go: () => void
  turns: number
}

interface FairTurns {
  /** Resolves when a request of this user may begin, to a function that ends it. */
  enter(userId: string): Promise<() => void>
  /** Lets waiting events and, for a bounded time, requests of other users run; throws 'aborted' by the signal. */
  giveWay(userId: string, signal?: AbortSignal): Promise<void>
  /** As `giveWay` where no user is known: waits for events, and for one piece of each other work that waits. */
  breathe(signal?: AbortSignal): Promise<void>
}

export function createFairTurns(): FairTurns {
  const atWork = new Set<AtWork>()
  const waiting = new Map<string, (() => void)[]>()
  const givingWay = new Set<GivingWay>()
  /** Requests of each user that wait or are at work. */
  const present = new Map<string, number>()
  /** Users of whom a request began in this turn. */
  const begun = new Set<string>()
  let isPlanned = false
  /** The last arrivals of two users, the newest first. */
  let [newest, other] = ['', ''].map((userId) => ({ userId, at: Number.NEGATIVE_INFINITY })) as [Arrival, Arrival]

  const plan = (): void => {
    if (isPlanned || waiting.size + givingWay.size + begun.size === 0) return
    isPlanned = true
    setImmediate(turn)
  }
  const turn = (): void => {
    isPlanned = false
    begun.clear()
    for (const one of atWork) one.turns += 1
    for (const [userId, [go, ...rest]] of waiting) {
      if (go === undefined || isHeldBack(userId)) continue
      if (rest.length === 0) waiting.delete(userId)
      else waiting.set(userId, rest)
      go()
    }
    for (const one of givingWay) one.turns += 1
    // One piece a turn: together they would be a long one.
    for (const one of givingWay) {
      if (one.userId !== null && one.turns <= MOST_TURNS && heldBackBy(one.userId).length > 0) continue
      givingWay.delete(one)
      one.go()
      break
    }
    plan()
  }
  const heldBackBy = (userId: string): readonly AtWork[] =>
    [...atWork].filter((one) => one.userId !== userId && one.turns <= MOST_TURNS)
  const isHeldBack = (userId: string): boolean =>
    heldBackBy(userId).some((one) => one.beside.has(userId) && numberOf(one.userId) < numberOf(userId))
  const numberOf = (userId: string): number => present.get(userId) ?? 0
  const begin = (userId: string): (() => void) => {
    begun.add(userId)
    plan()
    for (const one of atWork) if (one.userId !== userId) one.beside.add(userId)
    const mine = { userId, beside: new Set<string>(), turns: 0 }
    atWork.add(mine)
    return () => {
      if (!atWork.delete(mine)) return
      const left = numberOf(userId) - 1
      if (left === 0) present.delete(userId)
      else present.set(userId, left)
    }
  }
  const pieceOf = (userId: string | null): Promise<void> =>
    new Promise((go) => {
      givingWay.add({ userId, go, turns: 0 })
      plan()
    })
  const isAlone = (userId: string): boolean => {
    const at = performance.now()
    if (newest.userId !== userId) other = newest
    newest = { userId, at }
    return waiting.size === 0 && at - other.at > PRESENT_MS
  }
  return {
    enter: async (userId) => {
      present.set(userId, numberOf(userId) + 1)
      const isNext = !waiting.has(userId) && !begun.has(userId) && !isHeldBack(userId)
      if (isAlone(userId) || isNext) return begin(userId)
      const { promise, resolve } = Promise.withResolvers<() => void>()
      const go = (): void => resolve(begin(userId))
      const before = waiting.get(userId)
      if (before === undefined) waiting.set(userId, [go])
      else before.push(go)
      plan()
      return promise
    },
    giveWay: async (userId, signal) => {
      refuseStopped(signal)
      await pieceOf(userId)
    },
    breathe: async (signal) => {
      refuseStopped(signal)
      // The first turn may end the round of events in which this was called, before others are looked for.
      await nextLoop()
      await pieceOf(null)
    },
  }
}

interface Arrival {
  readonly userId: string
  readonly at: number
}

/** The order of this thread, which all open memories share. */
export const { enter, giveWay, breathe } = createFairTurns()

/** The read value, or null where there is none: by the error's code, since files for frameworks hold classes of their own. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'not_found') return null
    throw error
  }
}
