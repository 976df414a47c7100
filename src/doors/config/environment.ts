/** The process's environment variables; no other file reads them. An empty value counts as not set. */

export type Environment = Readonly<Record<string, string | undefined>>

export function readEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
}
