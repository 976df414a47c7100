/** Waits for another process's write lock without blocking this one: the call is made again from time to time. */
import { setTimeout } from 'node:timers/promises'
import { BUSY_MS, type Connection } from './connection.ts'
import { isLocked } from './errors.ts'

/** Time for which each try holds the thread, in milliseconds: many callers may be waiting at once. */
const THREAD_MS = 2
/** Milliseconds between two tries, growing. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 40
/** Wait for a lock that others have awaited in vain, in milliseconds. */
const SHORT_PATIENCE_MS = 250
/** Milliseconds without a try after which another transaction may hold the lock. */
const STILL_THE_SAME_MS = 1000

/** Makes a connection refuse a missing lock soon: its callers are patient. */
export function refuseSoon(connection: Connection): void {
  connection.holdThread(THREAD_MS)
}

/** A lock that was refused and not obtained since. */
interface Refusal {
  /** The time on the clock of `performance`. */
  readonly since: number
  last: number
  readonly commits: number
}

const refusals = new WeakMap<Connection, Refusal>()

/** The time until which a refused call is worth repeating, which comes sooner for a lock known to be held long. */
function patienceWith(connection: Connection, begun: number): number {
  const now = performance.now()
  const known = refusals.get(connection)
  if (known !== undefined && known.commits === connection.commits && now - known.last < STILL_THE_SAME_MS) {
    known.last = now
    return Math.max(Math.min(known.since, begun) + BUSY_MS, begun + SHORT_PATIENCE_MS)
  }
  refusals.set(connection, { since: begun, last: now, commits: connection.commits })
  return begun + BUSY_MS
}

/** true when a failed call was only refused the lock, and may still get it. */
function isWorthRepeating(connection: Connection, error: unknown, begun: number): boolean {
  return isLocked(error) && performance.now() < patienceWith(connection, begun)
}

/** Calls until the lock is granted, at most 5 seconds; a refused call has changed nothing. */
export async function patiently<T>(
  connection: Connection,
  call: () => T | Promise<T>,
  begun = performance.now(),
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS))
    try {
      return await call()
    } catch (error) {
      if (!isWorthRepeating(connection, error, begun)) throw error
      await setTimeout(pause)
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
