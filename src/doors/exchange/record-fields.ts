/** Reads the fields of one exported object; a missing or invalid field is an import error with its name. */
import type { Metadata } from '../../domain/turn.ts'
import { importError } from './import-error.ts'
import { asObject } from './parse-json.ts'

/** One object of an export file and where it stands. */
export interface RecordFields {
  /** "turn", "memory": for messages. */
  readonly what: string
  readonly at: string
  readonly values: Readonly<Record<string, unknown>>
}

const REMEDY = 'Import what an export of Mneme gave, or mend this field.'
/** ISO 8601 with a zone, as at every door. */
const TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/

/** The fields of a JSON object; anything else is an error. */
export function fieldsOf(value: unknown, what: string, at: string): RecordFields {
  const values = asObject(value)
  if (values === null) throw importError(at, `a ${what} is a JSON object`, REMEDY)
  return { what, at, values }
}

/** An error about one field. */
export function wrongField(fields: RecordFields, name: string, expected: string): Error {
  const problem = fields.values[name] === undefined ? 'is missing' : 'is wrong'
  return importError(fields.at, `${fields.what}.${name} ${problem}: expected ${expected}`, REMEDY)
}

/** A string without NUL and lone surrogates. */
export function textField(fields: RecordFields, name: string): string {
  const value = fields.values[name]
  if (typeof value !== 'string') throw wrongField(fields, name, 'a string')
  if (value.includes('\0') || !value.isWellFormed()) {
    throw wrongField(fields, name, 'a string without NUL characters and lone surrogates')
  }
  return value
}

/** A string that is not empty. */
export function idField(fields: RecordFields, name: string): string {
  const value = textField(fields, name)
  if (value === '') throw wrongField(fields, name, 'a string that is not empty')
  return value
}

/** A string; null when it is null or absent. */
export function textOrNullField(fields: RecordFields, name: string): string | null {
  return isAbsent(fields, name) ? null : textField(fields, name)
}

/** One of some words. */
export function choiceField<T extends string>(fields: RecordFields, name: string, choices: readonly T[]): T {
  const value = fields.values[name]
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw wrongField(fields, name, `one of ${choices.join(', ')}`)
  return choice
}

/** A finite number from `least` to `most`. */
export function numberField(fields: RecordFields, name: string, least: number, most: number): number {
  const value = fields.values[name]
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw wrongField(fields, name, `a number from ${least} to ${most}`)
}

/** A whole number, at least `least`. */
export function wholeField(fields: RecordFields, name: string, least: number): number {
  const value = fields.values[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw wrongField(fields, name, `a whole number, at least ${least}`)
}

/** true or false. */
export function switchField(fields: RecordFields, name: string): boolean {
  const value = fields.values[name]
  if (typeof value !== 'boolean') throw wrongField(fields, name, 'true or false')
  return value
}

/** An ISO 8601 time with a zone, as milliseconds since the epoch. */
export function timeField(fields: RecordFields, name: string): number {
  const value = fields.values[name]
  const time = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw wrongField(fields, name, 'a time such as 2026-05-07T09:30:00.000Z')
  return time
}

/** A time; null when it is null or absent. */
export function timeOrNullField(fields: RecordFields, name: string): number | null {
  return isAbsent(fields, name) ? null : timeField(fields, name)
}

/** A list of strings; empty when absent. */
export function textsField(fields: RecordFields, name: string): readonly string[] {
  const value = fields.values[name] ?? []
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item.isWellFormed())) {
    throw wrongField(fields, name, 'a list of strings')
  }
  return value
}

/** A list of whole numbers; empty when absent. */
export function numbersField(fields: RecordFields, name: string): readonly number[] {
  const value = fields.values[name] ?? []
  if (!Array.isArray(value) || !value.every((item) => Number.isSafeInteger(item))) {
    throw wrongField(fields, name, 'a list of whole numbers')
  }
  return value
}

/** A JSON object; null when it is null or absent. */
export function objectOrNullField(fields: RecordFields, name: string): Metadata | null {
  if (isAbsent(fields, name)) return null
  const value = asObject(fields.values[name])
  if (value === null) throw wrongField(fields, name, 'a JSON object')
  return value
}

function isAbsent(fields: RecordFields, name: string): boolean {
  return fields.values[name] === null || fields.values[name] === undefined
}
