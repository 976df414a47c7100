/**
 * Which work must run one after the other? Work that reads before it writes, as the values read must still hold then.
 */

/** Runs work after earlier work of one name and owner; resolves or rejects as the work does. */
export type InTurn = <T>(owner: object, name: string, work: () => Promise<T>) => Promise<T>

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
