/** Whose work comes next on this thread? Each turn of the event loop begins at most one request of each user. */
import { refuseStopped } from './pieces.ts'

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
  readonly userId: string
  readonly go: () => void
  turns: number
}

/** The order of work. */
export interface FairTurns {
  /** Resolves when a request of this user may begin, to a function that ends it. */
  enter(userId: string): Promise<() => void>
  /** Lets waiting events and, for a bounded time, requests of other users run; throws 'aborted' by the signal. */
  giveWay(userId: string, signal?: AbortSignal): Promise<void>
}

/** An order in which nobody waits. */
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
      if (one.turns <= MOST_TURNS && heldBackBy(one.userId).length > 0) continue
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
      await new Promise<void>((go) => {
        givingWay.add({ userId, go, turns: 0 })
        plan()
      })
    },
  }
}

interface Arrival {
  readonly userId: string
  readonly at: number
}

/** The order of this thread, which all open memories share. */
export const { enter, giveWay } = createFairTurns()
