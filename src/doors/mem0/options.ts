/** mem0's options: one table says what each takes and what is read from it, another which of them a call has. */
import { asGiven, check } from '../../domain/checks.ts'
import { DAY_MS } from '../../domain/clock.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { type CamelNames, snakeName } from '../operations/field-names.ts'
import type { FieldKind } from '../operations/read-input.ts'

export interface Message {
  readonly role?: string
  readonly content?: string | null | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly [other: string]: unknown
}

/** Checks what a caller gave, and makes of it what is worked with. */
type Option<Given, Read = Given> = (field: string, value: Given) => Read
type Given = Readonly<Record<string, unknown>>
type Moment = Date | string | number

const DATE = /^\d{4}-\d{2}-\d{2}$/
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000

const id: Option<string> = check.id
const content: Option<string> = check.content
const flag: Option<boolean> = check.boolean
const count: Option<number> = (field, value) => check.integer(field, value, 1, 10_000)
const page: Option<number> = (field, value) => check.integer(field, value, 1, 1_000_000_000)
const share: Option<number> = (field, value) => check.number(field, value, 0, 1)
/** Conditions and metadata are read by the calls. */
const record: Option<Given, unknown> = asGiven

const OPTIONS = {
  user_id: id,
  agent_id: id,
  app_id: id,
  run_id: id,
  memory_id: id,
  messages: asGiven as Option<string | Message | readonly Message[], unknown>,
  infer: flag,
  timestamp: readMoment as Option<Moment, Date>,
  expiration_date: ((field, value) => (value === null ? null : endOfDay(field, value))) as Option<
    string | null,
    Date | null
  >,
  text: content,
  metadata: record,
  filters: record,
  query: ((field, value) => check.query(value, field)) as Option<string>,
  top_k: count,
  threshold: share,
  explain: flag,
  show_expired: flag,
  page,
  page_size: count,
} as const

type Name = keyof typeof OPTIONS

/** Older names, and the memory's own name of its text. */
const ALIASES = { data: 'text', memory: 'text', limit: 'top_k' } as const satisfies Readonly<Record<string, Name>>

export const ENTITIES = ['user_id', 'agent_id', 'app_id', 'run_id'] as const
const WHICH = [...ENTITIES, 'filters', 'top_k', 'limit', 'show_expired'] as const

export const CALLS = {
  none: [],
  one: ['memory_id', 'user_id'],
  add: ['messages', ...ENTITIES, 'filters', 'metadata', 'infer', 'timestamp', 'expiration_date'],
  search: ['query', ...WHICH, 'threshold', 'explain'],
  list: [...WHICH, 'page', 'page_size'],
  update: ['memory_id', 'user_id', 'text', 'data', 'memory', 'metadata', 'expiration_date'],
  deleteAll: ENTITIES,
} as const satisfies Readonly<Record<string, readonly (Name | keyof typeof ALIASES)[]>>

type Optional<T extends string> = {
  readonly [One in T]?: One extends Name
    ? Parameters<(typeof OPTIONS)[One]>[1] | null | undefined
    : One extends keyof typeof ALIASES
      ? Parameters<(typeof OPTIONS)[(typeof ALIASES)[One]]>[1] | null | undefined
      : never
}
type InBothSpellings<T extends string> = Optional<T> & CamelNames<Optional<T>>

/** The options of a call in both spellings, without what is passed beside them. */
export type OptionsOf<Call extends keyof typeof CALLS> = InBothSpellings<
  Exclude<(typeof CALLS)[Call][number], 'messages' | 'query' | 'memory_id'>
>

export type Fields = { readonly [One in Name]?: ReturnType<(typeof OPTIONS)[One]> }

/** Options of mem0 without a counterpart here; ignored while false. */
const UNSUPPORTED: readonly string[] =
  'agent_custom_instructions custom_categories custom_instructions excludes immutable includes memory_type prompt structured_data_schema'.split(
    ' ',
  )
const WITHOUT_IT =
  'What is worth keeping is decided by Mneme; write facts that must be kept with infer: false, and marks of your own into metadata.'
/** Options that are ignored here: versions of mem0's answers, platform accounts, search methods. */
const WITHOUT_EFFECT: readonly string[] =
  'api_version async_mode enable_graph keyword_search org_id org_name output_format project_id project_name rerank source version'.split(
    ' ',
  )

/** The options of a call, checked. Null counts as absent, but takes an expiration away. */
export function readOptions(given: unknown, known: readonly string[]): Fields {
  const raw = new Map<string, unknown>()
  const fields: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(check.record('options', given ?? {}))) {
    const own = snakeName(written)
    if (value === undefined || (value === null && own !== 'expiration_date')) continue
    if (!known.includes(own)) {
      const isUnsupported = UNSUPPORTED.includes(own)
      if (isUnsupported && value !== false)
        throw new MnemeError('unsupported', `${own}: is not done here`, { field: own, remedy: WITHOUT_IT })
      if (isUnsupported || WITHOUT_EFFECT.includes(own)) continue
      throw invalid(written, 'is not known here', remedyFor(own, known))
    }
    const name = nameOf(own)
    if (raw.has(name) && raw.get(name) !== value) throw invalid(own, 'is given twice, differently', 'Give it once.')
    raw.set(name, value)
    fields[name] = (OPTIONS[name] as Option<unknown>)(own, value)
  }
  return fields
}

function nameOf(name: string): Name {
  return Object.hasOwn(ALIASES, name) ? ALIASES[name as keyof typeof ALIASES] : (name as Name)
}

function remedyFor(name: string, known: readonly string[]): string {
  if (known.length > 0) return `Use one of: ${known.join(', ')}.`
  return name === 'user_id' ? 'Name the user by the header X-User-Id.' : 'Leave it out.'
}

const KINDS = new Map<unknown, FieldKind>([
  [flag, 'boolean'],
  [count, 'number'],
  [page, 'number'],
  [share, 'number'],
  [record, 'json'],
])

/** How a query string holds an option. */
export function kindOf(written: string): FieldKind {
  const name = nameOf(snakeName(written))
  return (Object.hasOwn(OPTIONS, name) && KINDS.get(OPTIONS[name])) || 'text'
}

/** A moment of mem0's: seconds since the epoch, or ISO 8601. */
function readMoment(field: string, value: unknown): Date {
  const seconds = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number') return new Date(check.time(field, seconds))
  if (!(Math.abs(seconds) <= LAST_SECOND))
    throw invalid(
      field,
      `${seconds} is no time in seconds since the epoch`,
      'Numbers are seconds: divide milliseconds by 1000, or pass ISO 8601.',
    )
  return new Date(check.time(field, new Date(seconds * 1000)))
}

/** The first moment after a day, on which something expires. */
function endOfDay(field: string, value: unknown): Date {
  if (typeof value !== 'string' || !DATE.test(value))
    throw invalid(field, 'must be a day', 'Pass it as YYYY-MM-DD, such as 2026-12-31.')
  return new Date(check.time(field, value) + DAY_MS)
}
