/**
 * Reads the options of one call, in camelCase or snake_case, as snake_case. Unknown options are errors, and unsupported
 * ones name an alternative.
 */
import { checkBoolean, checkInteger, checkRecord, checkTime } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { snakeName } from '../operations/names.ts'

/** Options by name in snake_case; none is undefined or null. */
export type Fields = Readonly<Record<string, unknown>>

/** The options of a call. */
export interface FieldTable {
  readonly known: readonly string[]
  /** Required options. */
  readonly needed?: readonly string[]
  /** Options for which null has a meaning; for all others it counts as absent. */
  readonly clearable?: readonly string[]
  /** Unsupported options of mem0 with their alternatives; ignored while false. */
  readonly unsupported?: Readonly<Record<string, string>>
}

/** Options that are ignored here: versions of mem0's answers, platform accounts, search methods. */
export const WITHOUT_EFFECT: readonly string[] = [
  'api_version',
  'async_mode',
  'enable_graph',
  'keyword_search',
  'org_id',
  'org_name',
  'output_format',
  'project_id',
  'project_name',
  'rerank',
  'source',
  'version',
]

/** Reads options; throws `invalid` or `unsupported` with the faulty option's name. */
export function readFields(given: unknown, { known, clearable = [], unsupported = {} }: FieldTable): Fields {
  const fields: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(checkRecord('options', given ?? {}))) {
    const name = snakeName(written)
    if (value === undefined || (value === null && !clearable.includes(name))) continue
    const remedy = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined
    if (remedy !== undefined) {
      if (value !== false) throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
      continue
    }
    if (WITHOUT_EFFECT.includes(name) && !known.includes(name)) continue
    if (!known.includes(name)) throw invalid(written, 'is not known here', remedyFor(name, known))
    if (fields[name] !== undefined && fields[name] !== value)
      throw invalid(name, 'is given twice, differently', 'Give it once.')
    fields[name] = value
  }
  return fields
}

/** Options merged with a call's own fields. Throws `invalid` when the options are no object. */
export function optionsWith(options: unknown, own: Fields): Fields {
  return { ...checkRecord('options', options ?? {}), ...own }
}

function remedyFor(name: string, known: readonly string[]): string {
  if (known.length > 0) return `Use one of: ${known.join(', ')}.`
  return name === 'user_id' ? 'Name the user by the header X-User-Id.' : 'Leave it out.'
}

/** true or false; false when it is not given. */
export function flag(fields: Fields, name: string): boolean {
  return fields[name] === undefined ? false : checkBoolean(name, fields[name])
}

/** `top_k`, which older calls name `limit`: 1 to 10,000. */
export function mostOf(fields: Fields, usually: number): number {
  const { top_k: most, limit } = fields
  if (most !== undefined && limit !== undefined && most !== limit)
    throw invalid('top_k', 'and limit are two numbers', 'Give one of them.')
  const name = most === undefined ? 'limit' : 'top_k'
  const value = most ?? limit
  return value === undefined ? usually : checkInteger(name, value, 1, 10_000)
}

/** mem0's times: days for what expires, seconds since the epoch or ISO 8601 for moments. */
const DAY = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000

/** A time: a Date, ISO 8601, or seconds since the epoch (also as digits). */
export function readMoment(field: string, value: unknown): Date {
  const seconds = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number') return new Date(checkTime(field, seconds))
  if (!(Math.abs(seconds) <= LAST_SECOND))
    throw invalid(
      field,
      `${seconds} is no time in seconds since the epoch`,
      'Numbers are seconds: divide milliseconds by 1000, or pass ISO 8601.',
    )
  return new Date(checkTime(field, new Date(seconds * 1000)))
}

/** The first moment after a day (YYYY-MM-DD, UTC), at which something with that expiry ends. */
export function endOfDay(field: string, value: unknown): Date {
  if (typeof value !== 'string' || !DATE.test(value))
    throw invalid(field, 'must be a day', 'Pass it as YYYY-MM-DD, such as 2026-12-31.')
  return new Date(checkTime(field, value) + DAY)
}

/** The last day (UTC) before this moment. */
export function lastDay(endsAt: string): string {
  return new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10)
}

/** Bounds of creation times; the last day is included whole. */
export function createdBetween(from: unknown, to: unknown): Readonly<Record<string, unknown>> | undefined {
  const bounds = {
    ...(from === undefined ? {} : { gte: readMoment('start_date', from) }),
    ...(to === undefined ? {} : upper(to)),
  }
  return Object.keys(bounds).length === 0 ? undefined : { createdAt: bounds }
}

function upper(to: unknown): Readonly<Record<string, unknown>> {
  const isDay = typeof to === 'string' && DATE.test(to)
  return isDay ? { lt: endOfDay('end_date', to) } : { lte: readMoment('end_date', to) }
}
