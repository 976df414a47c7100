/** How is a rarely needed module loaded? At the first request and only once, as each `import()` costs time. */

/** As `load`, run at the first call; every later call gets the same promise. */
export function late<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
