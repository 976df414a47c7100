/** A value and its origin, in the same form for every setting of the command line. */

/** The origin is such as `--db`, `MNEME_DB`, a config file's path, or `default`. */
export interface Setting<T> {
  readonly value: T
  readonly source: string
}

/** The first that is given, in the order of precedence; undefined when none is. */
export function first<T>(
  ...choices: readonly (readonly [source: string, value: T | undefined])[]
): Setting<T> | undefined {
  for (const [source, value] of choices) if (value !== undefined) return { value, source }
  return undefined
}

/** A default value. */
export function byDefault<T>(value: T): Setting<T> {
  return { value, source: 'default' }
}

/** The flags that every command takes. */
export interface CommonFlags {
  readonly db?: string
  readonly user?: string
  readonly config?: string
  readonly milvusUri?: string
  readonly milvusCollection?: string
  readonly pretty?: boolean
}

/** The caller's name of each library option. */
export type CallersNames = ReadonlyMap<string, string>

/** The flag, the variable, or the file and its key; undefined for a default. */
export function originOf({ source }: Setting<unknown>, key: string): string | undefined {
  if (source === 'default') return undefined
  return isFlagOrVariable(source) ? source : `${source}: ${key}`
}

function isFlagOrVariable(source: string): boolean {
  return /^(?:--[a-z-]+|[A-Z][A-Z\d_]*)$/.test(source)
}
