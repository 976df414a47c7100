/** A value that is in use, and where it came from: the same for every setting of this door. */

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

/** A value that nobody chose. */
export function byDefault<T>(value: T): Setting<T> {
  return { value, source: 'default' }
}
