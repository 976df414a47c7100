/**
 * The options of one call: mem0 writes them in camelCase and in snake_case, here they become snake_case. One that nobody
 * knows is an error; one that asks for what Mneme does not do is an error that names what to use.
 */
import { checkBoolean, checkInteger, checkRecord, checkTime } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { snakeName } from '../operations/names.ts'

/** Options by name in snake_case; none is undefined or null. */
export type Fields = Readonly<Record<string, unknown>>

/** Which options a call takes. */
export interface FieldTable {
  readonly known: readonly string[]
  /** Those without which a call means nothing. */
  readonly needed?: readonly string[]
  /** Those that mean something as null; of all others it counts as not given. */
  readonly clearable?: readonly string[]
  /** Names of mem0 that ask for something else, each with what to use instead; passed over while they are false. */
  readonly unsupported?: Readonly<Record<string, string>>
}

/** Options that change nothing here: versions of mem0's answers, accounts of its platform, ways to search. */
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

/** Reads options; throws `invalid` or `unsupported` naming the one at fault. */
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

/** Options together with what the call takes beside them. Throws `invalid` where they are no object. */
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

/** A moment: a Date, ISO 8601, or a number of seconds since the epoch (a text of digits, too). */
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

/** The first moment at which something that expires with this day (YYYY-MM-DD, UTC) holds no more. */
export function endOfDay(field: string, value: unknown): Date {
  if (typeof value !== 'string' || !DATE.test(value))
    throw invalid(field, 'must be a day', 'Pass it as YYYY-MM-DD, such as 2026-12-31.')
  return new Date(checkTime(field, value) + DAY)
}

/** The last day (UTC) on which something held that ends at this moment. */
export function lastDay(endsAt: string): string {
  return new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10)
}

/** The bounds of a span of creation times; a last day counts whole. */
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
