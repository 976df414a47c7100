/**
 * What waits for another process's write lock holds nobody else up. SQLite itself waits with the thread: reads, timers
 * and every other request would stand still meanwhile. So it hardly waits at all, and the call is made again from time
 * to time.
 */
import { setTimeout } from 'node:timers/promises'
import { BUSY_MS, type Connection } from './connection.ts'
import { isLocked } from './errors.ts'

/** How long the thread is held at each try, in milliseconds: many may be waiting at once. */
const THREAD_MS = 2
/** Milliseconds between two tries, growing. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 40

/** Makes a connection refuse soon what it is not given the lock for: its callers are patient. */
export function refuseSoon(connection: Connection): void {
  connection.holdThread(THREAD_MS)
}

/**
 * Calls until it is not refused the lock, for 5 seconds in all. Rejects with the refusal then; what was refused the lock
 * has changed nothing.
 */
export async function patiently<T>(call: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS))
    try {
      return await call()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= until) throw error
      await setTimeout(pause)
    }
}

/** A transaction as `Connection.write` does it; for work in several, of which none is to be done twice. */
export function writePatiently<T>(connection: Connection, work: () => T): Promise<T> {
  return patiently(() => connection.write(work))
}

/** The same object, whose asynchronous methods are called patiently. What else it has is as it was. */
export function patient<T extends object>(part: T): T {
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
          // One that works in several transactions has been patient itself.
          if (!isLocked(error) || performance.now() - begun >= BUSY_MS) throw error
          return patiently(call)
        })
      }
      methods.set(name, method)
      return method
    },
  })
}
