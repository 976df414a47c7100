/** Field names: snake_case at the doors, camelCase in the library. Stored data of a caller is unchanged. */
import type { Page } from '../../domain/contracts/conversation-log.ts'
import { DEFAULT_PAGE } from '../../domain/limits.ts'

/** The type of a name in snake_case: `turnId` → `turn_id`. */
type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeName<Rest>}`
    : `_${Lowercase<First>}${SnakeName<Rest>}`
  : ''

/** The type of a name in camelCase: `turn_id` → `turnId`. */
export type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name

export type SnakeNames<T> = { [Name in keyof T as Name extends string ? SnakeName<Name> : never]: T[Name] }

export type CamelNames<T> = { [Name in keyof T as Name extends string ? CamelName<Name> : never]: T[Name] }

export function snakeName(name: string): string {
  return name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Most kinds of records, by their names, in the cache; a door sees the same few again and again. */
const MOST_KINDS = 64

interface Kind {
  readonly names: readonly string[]
  readonly renamed: readonly string[]
  /** An object with all new names; a copy of it makes JSON in a third of the time of one built field by field. */
  readonly empty: Readonly<Record<string, unknown>>
}

/** Renames the fields of records, one level deep. */
export function renaming(rename: (name: string) => string): (record: object) => Record<string, unknown> {
  let kinds: Kind[] = []
  const kindOf = (names: readonly string[]): Kind => {
    for (const kind of kinds) if (isSame(kind.names, names)) return kind
    const renamed = names.map(rename)
    const empty: Record<string, unknown> = JSON.parse(
      JSON.stringify(Object.fromEntries(renamed.map((name) => [name, null]))),
    )
    const kind = { names, renamed, empty }
    kinds = [...kinds.slice(0, MOST_KINDS - 1), kind]
    return kind
  }
  return (record) => {
    const { names, renamed, empty } = kindOf(Object.keys(record))
    const result = { ...empty }
    for (let at = 0; at < names.length; at += 1) {
      const value: unknown = Reflect.get(record, names[at]!)
      if (value === undefined) delete result[renamed[at]!]
      else result[renamed[at]!] = value
    }
    return result
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}

export const snakeNames = renaming(snakeName)
const toCamel = renaming(camelName)

export function camelNames<T extends object>(record: T): CamelNames<T> {
  return toCamel(record) as CamelNames<T>
}

/** A filter with the library's field names, at every depth of AND, OR and NOT; `metadata.…` is unchanged. */
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

export function partOfList<T>(all: readonly T[], { limit = DEFAULT_PAGE, offset = 0 }: PageAsked): Page<T> {
  return { items: all.slice(offset, offset + limit), total: all.length }
}

interface PageAsked {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page with what was asked for, as lists are answered. */
export function pageOf<T>({ items, total }: Page<T>, { limit = DEFAULT_PAGE, offset = 0 }: PageAsked) {
  return { items, total, limit, offset, hasMore: offset + items.length < total }
}
