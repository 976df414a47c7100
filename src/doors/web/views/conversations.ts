/** The conversations with their titles, and a search over them. */
import { effect, signal } from '@preact/signals'
import { call, get } from '../api.ts'
import type { Conversation, Memory, Page, SessionSummary, Turn } from '../records.ts'
import { user } from '../session.ts'

export interface Listed extends Conversation {
  readonly id: string
  readonly title: string
  readonly snippet: string
}

const A_PAGE = 1000
/** Most untitled conversations that get their beginning as a name. */
const MOST_UNTITLED = 30
const NAME_CHARACTERS = 80

/** Known conversations, newest activity first; null until loaded. */
export const conversations = signal<readonly Listed[] | null>(null)

/** All of a list that is read page by page. */
export async function readAll<T>(read: (offset: number) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = []
  for (let hasMore = true; hasMore; ) {
    const { items, has_more } = await read(all.length)
    all.push(...items)
    hasMore = has_more && items.length > 0
  }
  return all
}

export async function readConversations(signal?: AbortSignal): Promise<void> {
  const page = <T>(path: string) => readAll((offset) => get<Page<T>>([path], signal, { limit: A_PAGE, offset }))
  const [list, titles] = await Promise.all([
    page<Conversation>('conversations'),
    page<SessionSummary>('session-summaries'),
  ])
  const named = new Map(titles.map((one) => [one.conversation_id, one]))
  const untitled = list.filter(({ conversation_id: id }) => !named.get(id)?.title).slice(0, MOST_UNTITLED)
  const beginnings = new Map(
    await Promise.all(
      untitled.map(async ({ conversation_id: id }) => {
        const { items } = await get<Page<Turn>>(['conversations', id, 'turns'], signal, { limit: 1 })
        return [id, items[0]?.content.slice(0, NAME_CHARACTERS) ?? ''] as const
      }),
    ),
  )
  conversations.value = list.map((one) => {
    const { conversation_id: id } = one
    const { title, snippet = '' } = named.get(id) ?? {}
    return { ...one, id, title: title || (beginnings.get(id) ?? ''), snippet }
  })
}

export function nameOf(id: string): string {
  return conversations.value === null ? '' : conversations.value.find((one) => one.id === id)?.title || id
}

/** Projects of memories that were read: an assistant may tell something of one in no conversation. */
const seenProjects = signal<ReadonlySet<string>>(new Set())
// Another user has other projects.
effect(() => {
  user.value
  seenProjects.value = new Set()
})

export function noteProjects(memories: readonly Pick<Memory, 'project_root'>[]): void {
  const { value: seen } = seenProjects
  const fresh = memories.flatMap(({ project_root: name }) => (name === null || seen.has(name) ? [] : [name]))
  if (fresh.length > 0) seenProjects.value = new Set([...seen, ...fresh])
}

export function projects(): readonly string[] {
  const all = (conversations.value ?? []).map(({ project_root }) => project_root)
  return [...new Set([...all.filter((name) => name !== ''), ...seenProjects.value])].sort()
}

/** One turn, with the evidence that it names; undefined where it is gone. */
export async function readTurn(id: string, turn: number, signal?: AbortSignal): Promise<Turn | undefined> {
  const which = { from_turn: turn, to_turn: turn, show_recalled: true }
  return (await get<Page<Turn>>(['conversations', id, 'turns'], signal, which)).items[0]
}

interface LogAnswer {
  readonly results: readonly {
    readonly conversation_id: string
    readonly content?: string
    readonly summary?: string
  }[]
}

export async function searchConversations(
  query: string,
  signal: AbortSignal,
): Promise<readonly { readonly id: string; readonly found: string }[]> {
  const { results } = await call<LogAnswer>('POST', '/recall', { query, limit: 50, ranking: 'hybrid' }, { signal })
  const best = new Map<string, string>()
  for (const { conversation_id: id, content, summary } of results)
    if (!best.has(id)) best.set(id, content ?? summary ?? '')
  const wanted = query.toLowerCase()
  for (const { id, title, snippet } of conversations.value ?? [])
    if (!best.has(id) && title.toLowerCase().includes(wanted)) best.set(id, snippet)
  return [...best].map(([id, found]) => ({ id, found }))
}
