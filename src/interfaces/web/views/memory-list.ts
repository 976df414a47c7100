/** Which memories does the address name, and how are they asked for? Pages of a list that is as long as it is, or what a search found. */
import { call, pathOf } from '../api.ts'
import type { FoundMemory, Memory, Page } from '../records.ts'
import { conversations } from './conversations.ts'

/** What is filtered by, as it stands in the address; '' is no condition. */
export interface Filters {
  readonly q: string
  readonly type: string
  readonly category: string
  readonly project: string
  readonly conversation: string
  /** '' holds now, `doubt`, `ended`, `all`. */
  readonly state: string
  /** As things stood at the end of this day, `2026-05-03`; how they stand now does not count then. */
  readonly at: string
}

/** The names of the filters, in the order in which they stand in the address. */
export const FILTER_NAMES = ['q', 'type', 'category', 'project', 'conversation', 'state', 'at'] as const

/** Rows of one request. */
export const PAGE_ROWS = 100
const DAY_MS = 86_400_000
/** Results of one search. */
const MOST_FOUND = 200

/** The filters of an address. */
export function filtersOf(params: Readonly<Record<string, string>>): Filters {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, params[name] ?? ''])) as unknown as Filters
}

/** The same as REST takes them, whether listing or searching. */
export function conditionsOf(
  { type, category, project, conversation, state, at }: Filters,
  now: Date,
): Record<string, unknown> {
  const chosen = {
    ...(type === '' ? {} : { memory_type: type }),
    ...(category === '' ? {} : { category }),
    ...(project === '' ? {} : { project_root: project }),
    ...(conversation === '' ? {} : { conversation_id: conversation }),
  }
  const end = new Date(`${at}T23:59:59.999`)
  if (!Number.isNaN(end.getTime())) return { ...chosen, as_of: (end < now ? end : now).toISOString() }
  const ended = { OR: [{ superseded_by: { ne: null } }, { valid_to: { lte: now.toISOString() } }] }
  return {
    ...chosen,
    ...(state === 'ended' || state === 'all' ? { include_past: true } : {}),
    ...(state === 'ended' ? { filters: ended } : {}),
    ...(state === 'doubt' ? { filters: { suspect_since: { ne: null } } } : {}),
  }
}

/** One page of the list. */
export function listMemories(filters: Filters, offset: number, signal: AbortSignal): Promise<Page<Memory>> {
  const { filters: nested, ...plain } = conditionsOf(filters, new Date())
  const params = {
    ...(plain as Record<string, string | boolean>),
    ...(nested === undefined ? {} : { filters: JSON.stringify(nested) }),
    limit: PAGE_ROWS,
    offset,
  }
  return call('GET', pathOf(['memory', 'long-term'], params), undefined, { signal })
}

/** Days from the first thing that is known to today. */
export async function daysKnown(signal: AbortSignal): Promise<number> {
  const all = { include_past: true, limit: 1 }
  const list = (offset: number): Promise<Page<Memory>> =>
    call('GET', pathOf(['memory', 'long-term'], { ...all, offset }), undefined, { signal })
  const { total, items } = await list(0)
  const oldest = total > 1 ? (await list(total - 1)).items : items
  const begun = (conversations.value ?? []).map(({ begun }) => begun)
  const first = Math.min(
    Date.now(),
    ...[...oldest.map(({ valid_from }) => valid_from), ...begun].map((one) => Date.parse(one)),
  )
  return Math.max(1, Math.ceil((Date.now() - first) / DAY_MS))
}

/** The day so many days ago, where the reader is. */
export function dayBefore(days: number, now = new Date()): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

/** What answers the words, best first, each with why. */
export async function searchMemories(filters: Filters, signal: AbortSignal): Promise<readonly FoundMemory[]> {
  const asked = { ...conditionsOf(filters, new Date()), query: filters.q, limit: MOST_FOUND, explain: true }
  return (await call<{ results: FoundMemory[] }>('POST', '/memory/search', asked, { signal })).results
}

/** How a memory stands: it holds, is in doubt, was replaced, or is over. */
export function standingOf(
  { superseded_by, valid_to, suspect }: Pick<Memory, 'superseded_by' | 'valid_to' | 'suspect'>,
  now = Date.now(),
): 'holds' | 'doubt' | 'replaced' | 'over' {
  if (superseded_by !== null) return 'replaced'
  if (valid_to !== null && Date.parse(valid_to) <= now) return 'over'
  return suspect === null ? 'holds' : 'doubt'
}
