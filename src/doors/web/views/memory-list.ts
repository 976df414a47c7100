/** Requests of memories by the filters in the address: pages of the whole list, or search results. */
import { call, get } from '../api.ts'
import { DAY_MS } from '../parts/dates.ts'
import type { Counts, Explanation, FoundMemory, Memory, MemoryEvent, Page } from '../records.ts'
import { conversations, readAll } from './conversations.tsx'

const FILTER_NAMES = [
  'q',
  'type',
  'category',
  'project',
  'conversation',
  // The person concerned, by name; 'user' for the user.
  'who',
  // `user_stated`, `inferred` or `system`.
  'source',
  // First and last day of the statement or event, `2026-05-03`.
  'from',
  'to',
  // '' valid now, `doubt`, `ended`, `buried`, `unused` (never in a model's context), `all`.
  'state',
  // The end of this day instead of now.
  'at',
] as const

const DAYS: ReadonlySet<string> = new Set(['from', 'to', 'at'])

/** The filters in the address; '' is no condition. */
export type Filters = Readonly<Record<(typeof FILTER_NAMES)[number], string>>

/** Rows that are read at once, in a list or as the results of a search. */
export const MOST_ROWS = 200
/** Most results of the first search while typing, and of one that is exported. */
const FIRST_FOUND = 25
const MOST_EXPORTED = 10_000
export const DAY_END = '23:59:59.999'

/** A last word that may only have begun: "bicy*" finds it, and longer words. */
const BEGUN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]{3}$/u

/** The filters of an address; a day that is none is no condition. */
export function filtersOf(params: Readonly<Record<string, string>>): Filters {
  const isDay = (text: string): boolean => timeOf(text, DAY_END) !== null
  const of = (name: keyof Filters): string => params[name] ?? ''
  const read = FILTER_NAMES.map((name) => [name, DAYS.has(name) && !isDay(of(name)) ? '' : of(name)])
  return Object.fromEntries(read) as Filters
}

/** The filters in REST's form, for listing or searching. */
export function conditionsOf(
  { type, category, project, conversation, who, source, from, to, state, at }: Filters,
  now: Date,
): Record<string, unknown> {
  const of = { memory_type: type, category, conversation_id: conversation, who, source }
  const chosen = Object.fromEntries(Object.entries(of).filter(([, value]) => value !== ''))
  const days = [timeOf(from, '00:00:00'), timeOf(to, DAY_END)]
  const nested: object[] = [
    // A memory that holds in every project is of none.
    ...(project === '' ? [] : [{ project_root: project }]),
    ...(days[0] === null ? [] : [{ occurred_at: { gte: days[0] } }]),
    ...(days[1] === null ? [] : [{ occurred_at: { lte: days[1] } }]),
  ]
  const end = timeOf(at, DAY_END)
  if (end !== null) {
    const as_of = end < now.toISOString() ? end : now.toISOString()
    // Memories buried later were not buried then; those that were say so in their rows.
    const more = nested.length === 0 ? {} : { filters: { AND: nested } }
    return { ...chosen, as_of, include_buried: true, ...more }
  }
  if (state === 'ended')
    nested.push({ OR: [{ superseded_by: { ne: null } }, { valid_to: { lte: now.toISOString() } }] })
  if (state === 'doubt') nested.push({ suspect_since: { ne: null } })
  if (state === 'buried') nested.push({ buried_at: { ne: null } })
  if (state === 'unused') nested.push({ access_count: 0 })
  return {
    ...chosen,
    ...(state === 'ended' || state === 'buried' || state === 'all' ? { include_past: true } : {}),
    ...(state === 'buried' || state === 'all' ? { include_buried: true } : {}),
    ...(nested.length === 0 ? {} : { filters: { AND: nested } }),
  }
}

/** A local time of a day, in UTC; null for an invalid one. */
export function timeOf(day: string, time: string): string | null {
  const date = new Date(`${day}T${time}`)
  return day === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

export function listMemories(
  filters: Filters,
  offset: number,
  signal?: AbortSignal,
  limit = MOST_ROWS,
): Promise<Page<Memory>> {
  const { filters: nested, ...plain } = conditionsOf(filters, new Date())
  const asked = { ...(plain as Record<string, string | boolean>), limit, offset }
  return get(['memory', 'long-term'], signal, { ...asked, filters: nested === undefined ? '' : JSON.stringify(nested) })
}

/** Number of days from the first known day to today. */
export async function daysKnown(signal: AbortSignal): Promise<number> {
  const { growth } = await get<Counts>('/overview', signal)
  const begun = (conversations.value ?? []).map(({ created_at }) => created_at)
  const first = Math.min(Date.now(), ...[...growth.map(({ day }) => day), ...begun].map((one) => Date.parse(one)))
  return Math.max(1, Math.ceil((Date.now() - first) / DAY_MS))
}

/** The day so many days ago, in local time. */
export function dayBefore(days: number, now = new Date()): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

export type Found = Memory & { readonly explanation?: Explanation | undefined }

/** Search results, best first, with explanations, then buried ones with all the words; a search of `few` has no explanations. */
export async function searchMemories(
  filters: Filters,
  signal?: AbortSignal,
  most: number | 'few' = MOST_ROWS,
): Promise<readonly Found[]> {
  const { include_buried, ...conditions } = conditionsOf(filters, new Date())
  const how = most === 'few' ? { limit: FIRST_FOUND } : { limit: most, explain: most === MOST_ROWS }
  const asked = { ...conditions, query: BEGUN.test(filters.q) ? `${filters.q}*` : filters.q, ...how }
  const words = filters.q.toLowerCase().split(/\s+/)
  const [found, buried] = await Promise.all([
    filters.state === 'buried'
      ? { results: [] }
      : call<{ results: readonly FoundMemory[] }>('POST', '/memory/search', asked, signal && { signal }),
    // The product's search shows them to nobody, since a model would see them.
    include_buried === true
      ? listMemories({ ...filters, state: filters.at === '' ? 'buried' : '' }, 0, signal, MOST_EXPORTED)
      : { items: [] },
  ])
  const isFound = ({ text, buried_at }: Memory): boolean =>
    buried_at !== null && words.every((word) => text.toLowerCase().includes(word))
  return [...found.results, ...buried.items.filter(isFound)]
}

/** The times at which a memory got other words, oldest first, with the words before. */
export async function readEdits({ id }: Memory, signal?: AbortSignal): Promise<readonly MemoryEvent[]> {
  const { items } = await get<Page<MemoryEvent>>(['memory', 'long-term', id, 'history'], signal)
  return items.filter(({ memory_id, previous_text }) => memory_id === id && previous_text !== null)
}

export function wordsAt({ text }: Memory, edits: readonly MemoryEvent[], moment: string): string {
  return edits.find(({ created_at }) => created_at > moment)?.previous_text ?? text
}

/** State of a memory at a moment: valid, in doubt, replaced, over, or buried. */
export function standingOf(
  { superseded_by, valid_to, suspect, buried_at }: Pick<Memory, 'superseded_by' | 'valid_to' | 'suspect' | 'buried_at'>,
  now = Date.now(),
): 'holds' | 'doubt' | 'replaced' | 'over' | 'buried' {
  const isBy = (time: string | null): boolean => time !== null && Date.parse(time) <= now
  if (isBy(buried_at)) return 'buried'
  if (superseded_by !== null && (valid_to === null || isBy(valid_to))) return 'replaced'
  if (isBy(valid_to)) return 'over'
  return suspect !== null && isBy(suspect.since) ? 'doubt' : 'holds'
}

export async function exportFiltered(filters: Filters): Promise<Blob> {
  const isSearch = filters.q.trim() !== ''
  const all = await (isSearch
    ? searchMemories(filters, undefined, MOST_EXPORTED)
    : readAll((offset) => listMemories(filters, offset)))
  return new Blob(
    all.map((memory) => `${JSON.stringify(memory)}\n`),
    { type: 'application/x-ndjson' },
  )
}
