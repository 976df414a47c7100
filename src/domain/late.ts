/** What most processes never need is loaded when it is first asked for, and asked for once: an `import()` costs each time. */

/** The same loader, run at the first call; every later call gets the same promise. */
export function late<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
