/** How long is something waited for that goes on by itself? */

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
