/**
 * The only place where SQLite rows become typed values, and back: one description of a record reads and writes its
 * columns. Throws when a column does not match the schema.
 */
import type { SQLInputValue } from 'node:sqlite'
import { isoTime, isoTimeOrNull } from '../../../domain/clock.ts'

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

/** Reads a value from a column. */
export type Reader<T> = (row: Row, column: string) => T

type Writer<T> = (value: T) => SQLInputValue

/** How each field is read. Its column has the field's name in snake case, unless another is named. */
type Fields<T> = {
  readonly [Name in keyof T]-?:
    | Reader<T[Name]>
    | readonly [column: string, read: Reader<T[Name]>, write?: Writer<T[Name]>]
}

export interface TableRecord<T> {
  readonly columns: readonly string[]
  /** The columns for a SELECT, as the table's of this short name; '' for a table without. */
  named(table?: string): string
  of(row: Row): T
  /** The values by column, in order. */
  values(record: T): SQLInputValue[]
}

/** The written form of values that are not stored as they are. */
const WRITERS = new Map<unknown, Writer<never>>([
  [flag, (value: boolean) => (value ? 1 : 0)],
  [time, isoTime],
  [timeOrNull, isoTimeOrNull],
])
for (const read of [json, jsonObject, jsonStrings, jsonNumbers])
  WRITERS.set(read, (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value)))

export function recordOf<T extends object>(fields: Fields<T>): TableRecord<T> {
  const parts = Object.entries<Reader<unknown> | readonly [string, Reader<unknown>, Writer<never>?]>(fields)
  const described = parts.map(([name, given]) => {
    const [column, read, write = WRITERS.get(read)] = typeof given === 'function' ? [snakeCase(name), given] : given
    return { name, column, read, write }
  })
  // A copy of a parsed object is made and read faster than one that is built field by field.
  const empty: Record<string, unknown> = JSON.parse(
    JSON.stringify(Object.fromEntries(parts.map(([name]) => [name, null]))),
  )
  const columns = described.map(({ column }) => column)
  return {
    columns,
    named: (table = '') => columns.map((column) => (table === '' ? column : `${table}.${column}`)).join(', '),
    of: (row) => {
      const record: Record<string, unknown> = { ...empty }
      for (const { name, column, read } of described) record[name] = read(row, column)
      return record as T
    },
    values: (record) =>
      described.map(({ name, write }) => {
        const value = record[name as keyof T] as never
        return write === undefined ? value : write(value)
      }),
  }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** A column that holds 1 for true. */
export function flag(row: Row, column: string): boolean {
  return number(row, column) === 1
}

/** A column that holds one of these words. Throws for another. */
export function wordOf<T extends string>(words: readonly T[]): Reader<T> {
  return (row, column) => {
    const word = words.find((candidate) => candidate === row[column])
    if (word === undefined)
      throw new TypeError(`column ${column} holds the unknown word ${JSON.stringify(text(row, column))}`)
    return word
  }
}

/** As `wordOf`, null for any other. */
export function wordOrNull<T extends string>(words: readonly T[]): Reader<T | null> {
  return (row, column) => words.find((candidate) => candidate === textOrNull(row, column)) ?? null
}
