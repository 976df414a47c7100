/** Records of a table: one description names the columns, reads a row, and gives the values of one to be written. */
import type { SQLInputValue } from 'node:sqlite'
import { isoTime, isoTimeOrNull } from '../../../domain/clock.ts'
import {
  json,
  jsonNumbers,
  jsonObject,
  jsonStrings,
  number,
  type Row,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './rows.ts'

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

/** What is written for values that are not stored as they are. */
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
