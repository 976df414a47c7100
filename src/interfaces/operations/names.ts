/**
 * snake_case at the doors, camelCase in the library. Only names of fields change: what a caller stored (metadata, values,
 * variables) stays as it was.
 */

/** The type of a name in snake_case: `turnId` → `turn_id`. */
export type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeName<Rest>}`
    : `_${Lowercase<First>}${SnakeName<Rest>}`
  : ''

/** The type of a name in camelCase: `turn_id` → `turnId`. */
export type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name

/** The type of a record with snake_case names. */
export type SnakeNames<T> = { [Name in keyof T as Name extends string ? SnakeName<Name> : never]: T[Name] }

/** The type of a record with camelCase names. */
export type CamelNames<T> = { [Name in keyof T as Name extends string ? CamelName<Name> : never]: T[Name] }

/** `turnId` → `turn_id`. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `turn_id` → `turnId`. */
export function camelName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Names of fields that are kept; records bring the same few again and again. */
const MOST_NAMES = 1000

function remembered(rename: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    let renamed = known.get(name)
    if (renamed === undefined) {
      renamed = rename(name)
      if (known.size >= MOST_NAMES) known.clear()
      known.set(name, renamed)
    }
    return renamed
  }
}

const toSnake = remembered(snakeName)
const toCamel = remembered(camelName)

/** The same object with snake_case names; undefined values are left out. */
export function snakeNames<T extends object>(record: T): SnakeNames<T> {
  return renamed(record, toSnake) as SnakeNames<T>
}

/** The same object with camelCase names; undefined values are left out. */
export function camelNames<T extends object>(record: T): CamelNames<T> {
  return renamed(record, toCamel) as CamelNames<T>
}

function renamed(record: object, rename: (name: string) => string): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(record)) {
    const value: unknown = Reflect.get(record, name)
    if (value !== undefined) result[rename(name)] = value
  }
  return result
}

/** A filter with the library's names: those of fields, at every depth of AND, OR and NOT; `metadata.…` is the caller's. */
export function camelFilters(filters: unknown): unknown {
  if (Array.isArray(filters)) return filters.map(camelFilters)
  if (typeof filters !== 'object' || filters === null) return filters
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filters)) {
    const isGroup = name === 'AND' || name === 'OR' || name === 'NOT'
    result[name.startsWith('metadata.') ? name : camelName(name)] = isGroup ? camelFilters(value) : value
  }
  return result
}

/**
 * A message of the library in the words of the doors: names of inputs become snake_case, except inside double quotes,
 * where a caller's own words stand.
 */
export function snakeWords(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part) => (part.startsWith('"') ? part : part.replace(/\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g, snakeName)))
    .join('')
    .replace('a Date or ISO 8601', 'ISO 8601')
}
