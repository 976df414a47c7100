/** How long is something waited for that goes on by itself? */

/** What the work resolves to, or null when the time is over. Nobody waits for it any more then, and it may fail unheard. */
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
