/** mem0's options: what each is, which a call takes, and how their values are read. */
import { checkBoolean, checkInteger, checkRecord, checkTime } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { type CamelNames, snakeName } from '../operations/names.ts'

/** What each option is. */
const KINDS = {
  agent_id: 'text',
  app_id: 'text',
  async_mode: 'flag',
  categories: 'list',
  data: 'text',
  delete_linked: 'flag',
  end_date: 'moment',
  expiration_date: 'text',
  explain: 'flag',
  fields: 'list',
  filters: 'record',
  infer: 'flag',
  latest_only: 'flag',
  limit: 'number',
  memory: 'text',
  memory_id: 'text',
  messages: 'messages',
  metadata: 'record',
  page: 'number',
  page_size: 'number',
  query: 'text',
  reference_date: 'moment',
  reveal_secrets: 'flag',
  run_id: 'text',
  show_expired: 'flag',
  start_date: 'moment',
  text: 'text',
  threshold: 'number',
  timestamp: 'moment',
  top_k: 'number',
  user_id: 'text',
} as const

type Name = keyof typeof KINDS

export interface FieldTable {
  readonly known: readonly (Name | 'memories')[]
  /** Options for which null has a meaning; for all others it counts as absent. */
  readonly clearable?: readonly string[]
  /** Unsupported options of mem0 with their alternatives; ignored while false. */
  readonly unsupported?: Readonly<Record<string, string>>
}

export const ENTITIES = ['user_id', 'agent_id', 'app_id', 'run_id'] as const
/** Names of the new text: mem0's current one, its older one, and the memory's field. */
export const TEXT_NAMES = ['text', 'data', 'memory'] as const
const PAST = ['show_expired', 'latest_only', 'fields', 'reveal_secrets'] as const
const WHICH = [...ENTITIES, 'filters', 'metadata', 'categories', 'top_k', 'limit', ...PAST] as const
const UPDATE = {
  known: ['user_id', ...TEXT_NAMES, 'metadata', 'timestamp', 'expiration_date'],
  clearable: ['expiration_date'],
} as const
const RULES = 'What is worth keeping is decided by Mneme; write facts that must be kept with infer: false.'

export const FIELDS = {
  none: { known: [] },
  one: { known: ['user_id'] },
  add: {
    known: ['messages', ...ENTITIES, 'filters', 'metadata', 'infer', 'timestamp', 'expiration_date', 'async_mode'],
    unsupported: {
      custom_categories: 'Categories are preference, fact and pattern; put your own into metadata.',
      custom_instructions: RULES,
      agent_custom_instructions: RULES,
      prompt: RULES,
      includes: RULES,
      excludes: RULES,
      structured_data_schema: 'Put structured data into metadata.',
      memory_type: 'Leave it out: whether it is an event or a lasting fact is found out.',
      immutable: 'Leave it out: what a fact says changes only by a newer fact or by update.',
    },
  },
  search: { known: ['query', ...WHICH, 'threshold', 'explain', 'reference_date'] },
  list: { known: [...WHICH, 'page', 'page_size', 'start_date', 'end_date'] },
  update: UPDATE,
  delete: { known: ['user_id', 'delete_linked'] },
  deleteAll: {
    known: ENTITIES,
    unsupported: { filters: 'Pass user_id, agent_id, app_id or run_id themselves.' },
  },
  batch: { known: ['memories'] },
  part: { ...UPDATE, known: ['memory_id', ...UPDATE.known] },
  users: { known: ['page', 'page_size'] },
} as const satisfies Record<string, FieldTable>

interface Values {
  readonly text: string
  readonly flag: boolean
  readonly number: number
  readonly list: readonly string[]
  readonly record: Readonly<Record<string, unknown>>
  readonly moment: Date | string | number
  readonly messages: string | Message | readonly Message[]
}

type Optional<T extends Name> = { readonly [One in T]?: Values[(typeof KINDS)[One]] | null | undefined }

/** The options of a call in both spellings; what is passed beside them is left out. */
export type OptionsOf<Call extends keyof typeof FIELDS> = InBothSpellings<
  Extract<Exclude<(typeof FIELDS)[Call]['known'][number], 'messages' | 'query'>, Name>
>

type InBothSpellings<T extends Name> = Optional<T> & CamelNames<Optional<T>>

export type Others = Readonly<Record<string, unknown>>

export interface Message {
  readonly role?: string
  readonly content?: string | null | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly [other: string]: unknown
}

/** Options by name in snake_case; none is undefined or null. */
export type Fields = Readonly<Record<string, unknown>>

/** Options that are ignored here: versions of mem0's answers, platform accounts, search methods. */
const WITHOUT_EFFECT: readonly string[] =
  'api_version async_mode enable_graph keyword_search org_id org_name output_format project_id project_name rerank source version'.split(
    ' ',
  )

export function readFields(given: unknown, { known, clearable = [], unsupported = {} }: FieldTable): Fields {
  const names: readonly string[] = known
  const fields: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(checkRecord('options', given ?? {}))) {
    const name = snakeName(written)
    if (value === undefined || (value === null && !clearable.includes(name))) continue
    const remedy = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined
    if (remedy !== undefined) {
      if (value !== false) throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
      continue
    }
    if (WITHOUT_EFFECT.includes(name) && !names.includes(name)) continue
    if (!names.includes(name)) throw invalid(written, 'is not known here', remedyFor(name, names))
    if (fields[name] !== undefined && fields[name] !== value)
      throw invalid(name, 'is given twice, differently', 'Give it once.')
    fields[name] = value
  }
  return fields
}

function remedyFor(name: string, known: readonly string[]): string {
  if (known.length > 0) return `Use one of: ${known.join(', ')}.`
  return name === 'user_id' ? 'Name the user by the header X-User-Id.' : 'Leave it out.'
}

/** What an option is; undefined when it is unknown. */
export function kindOf(name: string): keyof Values | undefined {
  return Object.hasOwn(KINDS, name) ? KINDS[name as Name] : undefined
}

export function flag(fields: Fields, name: string): boolean {
  return fields[name] === undefined ? false : checkBoolean(name, fields[name])
}

/** mem0's times: days for what expires, seconds since the epoch or ISO 8601 for moments. */
const DAY = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000

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

export function endOfDay(field: string, value: unknown): Date {
  if (typeof value !== 'string' || !DATE.test(value))
    throw invalid(field, 'must be a day', 'Pass it as YYYY-MM-DD, such as 2026-12-31.')
  return new Date(checkTime(field, value) + DAY)
}

export function createdBetween({ start_date: from, end_date: to }: Fields): Fields | undefined {
  const bounds = {
    ...(from === undefined ? {} : { gte: readMoment('start_date', from) }),
    ...(to === undefined
      ? {}
      : typeof to === 'string' && DATE.test(to)
        ? { lt: endOfDay('end_date', to) }
        : { lte: readMoment('end_date', to) }),
  }
  return Object.keys(bounds).length === 0 ? undefined : { createdAt: bounds }
}

export function pageOf(fields: Fields, usually: number): { readonly page: number; readonly pageSize: number } {
  const { page, page_size: size } = fields
  return {
    page: page === undefined ? 1 : checkInteger('page', page, 1, 1_000_000_000),
    pageSize: size === undefined ? mostOf(fields, usually) : checkInteger('page_size', size, 1, 10_000),
  }
}

/** `top_k`, which older calls name `limit`: 1 to 10,000. */
export function mostOf(fields: Fields, usually: number): number {
  const { top_k: most, limit } = fields
  if (most !== undefined && limit !== undefined && most !== limit)
    throw invalid('top_k', 'and limit are two numbers', 'Give one of them.')
  const value = most ?? limit
  return value === undefined ? usually : checkInteger(most === undefined ? 'limit' : 'top_k', value, 1, 10_000)
}
