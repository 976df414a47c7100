/** Waits for another process's write lock without blocking this one: the call is made again from time to time. */
import { setTimeout } from 'node:timers/promises'
import { BUSY_MS, type Connection } from './connection.ts'
import { isLocked } from './storage-errors.ts'

/** Time for which each try holds the thread, in milliseconds: many callers may be waiting at once. */
const THREAD_MS = 2
/** Milliseconds between two tries of a call: so many for each that waits, as the tries of all hold one thread. */
const PAUSE_MS = 2
const LONGEST_PAUSE_MS = 40
/** Wait for a lock that others have awaited in vain, in milliseconds. */
const SHORT_PATIENCE_MS = 250
/** Milliseconds without a try after which another transaction may hold the lock. */
const STILL_THE_SAME_MS = 1000
/** Longest wait of a call while the lock goes from hand to hand, in milliseconds. */
const MOST_PATIENCE_MS = 60_000

/** Makes a connection refuse a missing lock soon: its callers are patient. */
export function refuseSoon(connection: Connection): void {
  connection.holdThread(THREAD_MS)
}

/** A lock that was refused, and the file as it was then. */
interface Refusal {
  /** The time on the clock of `performance` since which nobody has committed. */
  readonly since: number
  last: number
  readonly stamp: string
}

const refusals = new WeakMap<Connection, Refusal>()
/** Calls of each connection that wait. */
const waiting = new WeakMap<Connection, number>()

/** The time until which a refused call is worth repeating: anew with each commit of others, sooner for a lock known to be held long. */
function patienceWith(connection: Connection, begun: number): number {
  const now = performance.now()
  const stamp = connection.stamp()
  const known = refusals.get(connection)
  if (known !== undefined && known.stamp === stamp && now - known.last < STILL_THE_SAME_MS) {
    known.last = now
    return Math.max(known.since + BUSY_MS, begun + SHORT_PATIENCE_MS)
  }
  const since = known === undefined || known.stamp === stamp ? begun : now
  refusals.set(connection, { since, last: now, stamp })
  return since + BUSY_MS
}

/** true when a failed call was only refused the lock, and may still get it. */
function isWorthRepeating(connection: Connection, error: unknown, begun: number): boolean {
  return isLocked(error) && performance.now() < Math.min(patienceWith(connection, begun), begun + MOST_PATIENCE_MS)
}

/** Calls until the lock is granted; a refused call has changed nothing. Rejects when nobody else has committed for 5 seconds. */
export async function patiently<T>(
  connection: Connection,
  call: () => T | Promise<T>,
  begun = performance.now(),
): Promise<T> {
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (!isWorthRepeating(connection, error, begun)) throw error
      const others = waiting.get(connection) ?? 0
      waiting.set(connection, others + 1)
      await setTimeout(Math.min(PAUSE_MS * (others + 1), LONGEST_PAUSE_MS))
      waiting.set(connection, waiting.get(connection)! - 1)
    }
}

/** A transaction of work in steps: yields `locked` for as long as the lock is refused. */
export function* writeWhenFree<T>(connection: Connection, work: () => T): Generator<'locked', T> {
  const begun = performance.now()
  for (;;)
    try {
      return connection.write(work)
    } catch (error) {
      if (!isWorthRepeating(connection, error, begun)) throw error
      yield 'locked'
    }
}

/** A transaction as by `Connection.write`, for work in several of which none may be repeated. */
export function writePatiently<T>(connection: Connection, work: () => T): Promise<T> {
  return patiently(connection, () => connection.write(work))
}

/** The object with its asynchronous methods called patiently; those of several transactions are so inside each. */
export function patient<T extends object>(connection: Connection, part: T): T {
  const methods = new Map<string | symbol, unknown>()
  return new Proxy(part, {
    get: (target, name) => {
      const known = methods.get(name)
      if (known !== undefined) return known
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = (...values: unknown[]): unknown => {
        const begun = performance.now()
        const call = (): unknown => Reflect.apply(value, target, values)
        const answer = call()
        if (!(answer instanceof Promise)) return answer
        return answer.catch((error: unknown) => {
          if (!isWorthRepeating(connection, error, begun)) throw error
          return patiently(connection, call, begun)
        })
      }
      methods.set(name, method)
      return method
    },
  })
}
