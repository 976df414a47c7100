/** Input checks: each returns the typed value or throws `invalid` with field, reason and remedy. */
import { invalid, messageOf } from './errors.ts'
import { DEFAULT_PAGE, LIMITS } from './limits.ts'
import type { Metadata } from './turn.ts'

/** A plain object whose names are all in `known`. */
function checkRecord(field: string, value: unknown, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(field, `must be an object, not ${describe(value)}`, 'Pass an object.')
  const record: Record<string, unknown> = { ...value }
  if (known !== undefined)
    for (const name of Object.keys(record))
      if (!known.includes(name))
        throw invalid(field === '' ? name : `${field}.${name}`, 'is not known here', `Use one of: ${known.join(', ')}.`)
  return record
}

/** A check of one field, by its full name; `Given` is what a caller may pass. */
export interface FieldCheck<T, Given = T> {
  (field: string, value: unknown): T
  /** Only a type: no check has it. */
  readonly given?: Given
}

type Given<Check> = 'given' extends keyof Check
  ? Exclude<Check['given' & keyof Check], undefined>
  : Check extends (...field: never) => infer T
    ? T
    : never

type OptionalOf<Fields, Names extends keyof Fields> = {
  readonly [Name in Names]?: Given<Fields[Name]> | undefined
}
type NeededOf<Fields, Names extends keyof Fields> = { readonly [Name in Names]: Given<Fields[Name]> }

/** The input of a caller where a table of fields is read; all but the `Needed` ones may be left out. */
export type InputOf<Fields, Needed extends keyof Fields = never> = OptionalOf<Fields, Exclude<keyof Fields, Needed>> &
  NeededOf<Fields, Needed>

/** The fields of an input, each with its check. */
export type FieldTable = Readonly<Record<string, (field: string, value: unknown) => unknown>>

/** The checked values of a table of fields. */
export type FieldsOf<Fields extends FieldTable> = { readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }

/** An object read by a table of its fields. A name that is not in the table is refused. */
function checkFields<Fields extends FieldTable>(at: string, value: unknown, fields: Fields): FieldsOf<Fields> {
  const record = checkRecord(at, value, Object.keys(fields))
  const checked = Object.entries(fields).map(([name, check]) => {
    return [name, check(at === '' ? name : `${at}.${name}`, record[name])] as const
  })
  return Object.fromEntries(checked) as FieldsOf<Fields>
}

/** A field that may be left out. */
export function orElse<T, const D, Bounds extends readonly unknown[], Given = T>(
  otherwise: D,
  check: ((field: string, value: unknown, ...bounds: Bounds) => T) & { readonly given?: Given },
  ...bounds: Bounds
): FieldCheck<T | D, Given> {
  return (field, value) => (value === undefined ? otherwise : check(field, value, ...bounds))
}

/** The fields that have a value. */
export function defined<T extends object>(fields: T): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof T]?: Exclude<T[Name], undefined>
  }
}

/** A list of at most `most` items, each checked under its place in it. */
function checkList<T>(
  field: string,
  list: unknown,
  check: FieldCheck<T>,
  most = Number.POSITIVE_INFINITY,
): readonly T[] {
  if (!Array.isArray(list)) throw invalid(field, 'must be a list', 'Pass a list.')
  if (list.length > most)
    throw invalid(field, `has ${list.length} items; at most ${most} are taken`, 'Make several calls.')
  return list.map((item: unknown, index) => check(`${field}[${index}]`, item))
}

/** A field that somebody else checks. */
export function asGiven<T>(_: string, value: T): T {
  return value
}

/** As `asGiven`, for a field of this type. */
export function givenAs<T>(): FieldCheck<T> {
  return (_, value) => value as T
}

/** Text without NUL and without half a surrogate pair, neither of which SQLite and UTF-8 can hold. */
function checkText(field: string, value: unknown, bounds: { readonly maxBytes: number }): string {
  if (typeof value !== 'string') throw invalid(field, `must be text, not ${describe(value)}`, 'Pass a string.')
  if (value.includes('\0')) throw invalid(field, 'contains a NUL character', 'Remove the character U+0000.')
  if (!value.isWellFormed())
    throw invalid(
      field,
      'contains half of a surrogate pair',
      'Pass well-formed Unicode: no half of a pair stands alone.',
    )
  // A UTF-16 unit takes at most three bytes, so that most texts need no counting.
  if (value.length * 3 > bounds.maxBytes) {
    const bytes = Buffer.byteLength(value)
    if (bytes > bounds.maxBytes)
      throw invalid(field, `has ${bytes} bytes; at most ${bounds.maxBytes} are taken`, 'Shorten or split it.')
  }
  return value
}

/** Text with something other than white space in it. */
function checkContent(field: string, value: unknown, maxBytes: number = LIMITS.contentBytes): string {
  const content = checkText(field, value, { maxBytes })
  if (content.trim() === '') throw invalid(field, 'is empty', 'Pass text that says something.')
  return content
}

/** A question: text within the bound with something other than white space in it. */
function checkQuery(query: unknown, field = 'query'): string {
  const text = checkText(field, query, { maxBytes: LIMITS.queryCharacters * 3 })
  if (text.length > LIMITS.queryCharacters)
    throw invalid(field, `has ${text.length} characters; at most ${LIMITS.queryCharacters} are taken`, 'Shorten it.')
  if (text.trim() === '') throw invalid(field, 'is empty', 'Ask for something.')
  return text
}

/** The beginning of a message, as long as a query may be; no character is cut in half. */
export function queryPart(message: string): string {
  const { queryCharacters } = LIMITS
  if (message.length <= queryCharacters) return message
  const isCutInHalf = /[\uD800-\uDBFF]/.test(message.charAt(queryCharacters - 1))
  return message.slice(0, isCutInHalf ? queryCharacters - 1 : queryCharacters)
}

/** The lengths searched at the beginning and end of a longer question, as pasted text stands between or around. */
const SEARCHED_BEGINNING = 3000
const SEARCHED_END = 1000

/** The part of a question that is searched for: all of it, unless it is pages long. No character is cut in half. */
export function searchedPart(question: string): string {
  if (question.length <= SEARCHED_BEGINNING + SEARCHED_END) return question
  const parts = `${question.slice(0, SEARCHED_BEGINNING)}\n${question.slice(-SEARCHED_END)}`
  return parts.toWellFormed().replaceAll('\ufffd', ' ')
}

/** An id or a name: not empty, one to 1024 characters. */
function checkId(field: string, value: unknown): string {
  const id = checkText(field, value, { maxBytes: LIMITS.idCharacters * 4 })
  if (id === '') throw invalid(field, 'is empty', 'Pass one that names something.')
  if (id.length > LIMITS.idCharacters)
    throw invalid(field, `has ${id.length} characters; at most ${LIMITS.idCharacters} are taken`, 'Use a shorter one.')
  return id
}

/** The check of a field that may be null or left out. */
export function orNull<T, Given = T>(
  check: ((field: string, value: unknown) => T) & { readonly given?: Given },
): FieldCheck<T | null, Given | null> {
  return (field, value) => (value === undefined || value === null ? null : check(field, value))
}

const checkOptionalId = orNull(checkId)

function checkOneOf<T extends string>(field: string, value: unknown, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw invalid(field, `${describe(value)} is not known`, `Use one of: ${words.join(', ')}.`)
  return word
}

/** A list of one or more of the allowed words. */
function checkSomeOf<T extends string>(field: string, value: unknown, words: readonly T[]): readonly T[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(field, 'must be a list with something in it', `Use one or more of: ${words.join(', ')}.`)
  return value.map((word: unknown, index) => checkOneOf(`${field}[${index}]`, word, words))
}

function checkInteger(field: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw invalid(field, `must be a whole number, not ${describe(value)}`, `Pass a number from ${least} to ${most}.`)
  if (value < least || value > most)
    throw invalid(field, `${value} is out of range`, `Pass a number from ${least} to ${most}.`)
  return value
}

function checkNumber(field: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw invalid(field, `${describe(value)} is not a number from ${least} to ${most}`, 'Pass one that is.')
  return value
}

function checkBoolean(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean')
    throw invalid(field, `must be true or false, not ${describe(value)}`, 'Pass a boolean.')
  return value
}

/** The written form of a time; the day must also exist. */
export const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** A Date or an ISO 8601 text, as milliseconds since the epoch; a text without a zone is UTC. */
const checkTime: FieldCheck<number, Date | string> = (field, value) => {
  const milliseconds =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIsoTime(value) : Number.NaN
  if (Number.isNaN(milliseconds) || milliseconds < EARLIEST || milliseconds > LATEST)
    throw invalid(field, `${describe(value)} is not a time`, 'Pass ISO 8601, such as 2026-05-07T10:30:00Z.')
  return milliseconds
}

const checkOptionalTime = orNull(checkTime)

function parseIsoTime(text: string): number {
  if (!ISO_TIME.test(text)) return Number.NaN
  const date = text.slice(0, 10)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(Date.parse(date)) || new Date(date).toISOString().slice(0, 10) !== date) return Number.NaN
  const whole = text.replace(' ', 'T')
  return Date.parse(whole.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(whole) ? whole : `${whole}Z`)
}

/** The name of a time zone. */
function checkTimeZone(field: string, value: unknown): string {
  const zone = checkId(field, value)
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw invalid(field, `${describe(value)} is no time zone`, 'Pass a name such as Asia/Shanghai.')
  }
  return zone
}

/** A JSON object that a caller attaches, or null when absent. */
const checkMetadata = orNull((field, value): Metadata => {
  const record = checkRecord(field, value)
  checkJson(field, record)
  return record
})

function checkJson(field: string, value: unknown): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw invalid(field, `cannot be written as JSON (${messageOf(cause)})`, 'Pass plain values.')
  }
  if (text === undefined) throw invalid(field, 'cannot be written as JSON', 'Pass plain values.')
  if (Buffer.byteLength(text) > LIMITS.metadataBytes)
    throw invalid(field, `is larger than ${LIMITS.metadataBytes} bytes`, 'Shorten it.')
  return value
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (value instanceof Date) return 'an invalid date'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A number of something that is counted from 1, such as a turn. */
function checkOrdinal(field: string, value: unknown): number {
  return checkInteger(field, value, 1, Number.MAX_SAFE_INTEGER)
}

/** The fields of a page of a list. */
export const PAGE_FIELDS = {
  /** Most items, 1 to 10,000; default 100. */
  limit: orElse(DEFAULT_PAGE, checkInteger, 1, LIMITS.resultLimit),
  /** Items that are left out first. */
  offset: orElse(0, checkInteger, 0, Number.MAX_SAFE_INTEGER),
}

export type PageInput = InputOf<typeof PAGE_FIELDS>

/** The checks by what they check: `check.id`, `check.integer`. */
export const check = {
  boolean: checkBoolean,
  content: checkContent,
  fields: checkFields,
  id: checkId,
  integer: checkInteger,
  json: checkJson,
  list: checkList,
  metadata: checkMetadata,
  number: checkNumber,
  oneOf: checkOneOf,
  optionalId: checkOptionalId,
  optionalTime: checkOptionalTime,
  ordinal: checkOrdinal,
  query: checkQuery,
  record: checkRecord,
  someOf: checkSomeOf,
  text: checkText,
  time: checkTime,
  timeZone: checkTimeZone,
} as const
