/** The only place where values from SQLite rows become typed values. Throws when a column does not match the schema. */

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new TypeError(`column ${column} holds no number`)
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column)
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new TypeError(`column ${column} holds no bytes`)
  return value
}

/** A column that holds an ISO 8601 time, as milliseconds since the epoch. SQLite's own CURRENT_TIMESTAMP is UTC. */
export function time(row: Row, column: string): number {
  const value = text(row, column)
  return Date.parse(value.includes('T') ? value : `${value.replace(' ', 'T')}Z`)
}

/** The rows of a statement that returns lists: the types of node:sqlite know only objects. */
export function asLists(rows: unknown): readonly (readonly unknown[])[] {
  const isLists = (some: unknown): some is readonly (readonly unknown[])[] =>
    Array.isArray(some) && (some.length === 0 || Array.isArray(some[0]))
  if (isLists(rows)) return rows
  throw new TypeError('the rows are no lists')
}

export function timeOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : time(row, column)
}

export function json(row: Row, column: string): unknown {
  const value = textOrNull(row, column)
  return value === null ? null : JSON.parse(value)
}

export function jsonObject(row: Row, column: string): Readonly<Record<string, unknown>> | null {
  const value = json(row, column)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

export function jsonStrings(row: Row, column: string): readonly string[] {
  const value = json(row, column)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function jsonNumbers(row: Row, column: string): readonly number[] {
  const value = json(row, column)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []
}
