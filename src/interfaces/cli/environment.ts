/** What the process's environment says. The only file that reads it; an empty value counts as not set. */

/** The variables that the command line knows. */
export interface Environment {
  readonly MNEME_DB?: string | undefined
  readonly MNEME_LOG_LEVEL?: string | undefined
  readonly MEMORY_RETRIEVAL_LIMIT?: string | undefined
  readonly MEMORY_EVICTION_THRESHOLD?: string | undefined
}

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/** Reads the environment once. */
export function readEnvironment(): Environment {
  const { env } = process
  return {
    MNEME_DB: filled(env.MNEME_DB),
    MNEME_LOG_LEVEL: filled(env.MNEME_LOG_LEVEL),
    MEMORY_RETRIEVAL_LIMIT: filled(env.MEMORY_RETRIEVAL_LIMIT),
    MEMORY_EVICTION_THRESHOLD: filled(env.MEMORY_EVICTION_THRESHOLD),
  }
}
