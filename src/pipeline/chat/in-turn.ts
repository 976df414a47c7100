/** One after the other: what is read before something is written must still hold when it is written. */

const working = new Map<string, Promise<unknown>>()

/** Does the work behind what is being done under the same name; resolves, or rejects, as the work does. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const done = (working.get(name) ?? Promise.resolve()).then(work)
  const settled = done.catch(() => undefined)
  working.set(name, settled)
  try {
    return await done
  } finally {
    if (working.get(name) === settled) working.delete(name)
  }
}
