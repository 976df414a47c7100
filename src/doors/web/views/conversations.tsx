/** The conversations with their titles: search, rename, delete, create. */
import { effect, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, get, pathOf } from '../api.ts'
import { deletions, removeLater, tellProblem } from '../notices.ts'
import { Act, Choice, Failed, Icon, named, SearchField } from '../parts/controls.tsx'
import { ago } from '../parts/dates.ts'
import { sourceHash } from '../parts/evidence.tsx'
import { pause, useLoad, useTextForm } from '../parts/load.tsx'
import type { Conversation, LogAnswer, Memory, Page, SessionSummary, Turn } from '../records.ts'
import { changes, user } from '../session.ts'
import { t } from '../translations.ts'

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
  const page = <T,>(path: string) => readAll((offset) => get<Page<T>>([path], signal, { limit: A_PAGE, offset }))
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
/** The project whose conversations are listed; '': of all. */
const listed = signal('')
// Another user has other projects.
effect(() => {
  user.value
  seenProjects.value = new Set()
  listed.value = ''
})

export function noteProjects(memories: readonly Pick<Memory, 'project_root'>[]): void {
  const { value: seen } = seenProjects
  const fresh = memories.flatMap(({ project_root: name }) => (name === null || seen.has(name) ? [] : [name]))
  if (fresh.length > 0) seenProjects.value = new Set([...seen, ...fresh])
}

export function projects(alsoTold: Iterable<string> = seenProjects.value): readonly string[] {
  const all = (conversations.value ?? []).map(({ project_root }) => project_root)
  return [...new Set([...all.filter((name) => name !== ''), ...alsoTold])].sort()
}

export function projectOf(id: string): string {
  return conversations.value?.find((one) => one.id === id)?.project_root ?? ''
}

/** The last part of a project's path; the whole path is its tip. */
export function ProjectName({ root }: { readonly root: string | null }) {
  return root ? <bdi title={root}>{root.split(/[/\\]/).findLast((part) => part !== '') ?? root}</bdi> : null
}

/** One turn, with the evidence that it names; undefined where it is gone. */
export async function readTurn(id: string, turn: number, signal?: AbortSignal): Promise<Turn | undefined> {
  const which = { from_turn: turn, to_turn: turn, show_recalled: true }
  return (await get<Page<Turn>>(['conversations', id, 'turns'], signal, which)).items[0]
}

interface Found {
  readonly line: string
  /** The turn that was found; null where the title was. */
  readonly turn: number | null
}

async function searchConversations(
  query: string,
  project: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Found>> {
  const within = project === '' ? {} : { project_root: project }
  const asked = { query, limit: 50, ranking: 'hybrid', ...within }
  const { results } = await call<LogAnswer>('POST', '/recall', asked, { signal })
  const best = new Map<string, Found>()
  for (const { conversation_id: id, turn_id, span, content, summary } of results)
    if (!best.has(id)) best.set(id, { line: content ?? summary ?? '', turn: turn_id ?? span?.from ?? null })
  const wanted = query.toLowerCase()
  for (const { id, title, snippet } of conversations.value ?? [])
    if (!best.has(id) && title.toLowerCase().includes(wanted)) best.set(id, { line: snippet, turn: null })
  return best
}

const WAIT_MS = 120
const LISTED = 300

export function ConversationList({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [isWhole, setWhole] = useState(false)
  const known = projects([])
  const project = known.includes(listed.value) ? listed.value : ''
  useEffect(() => {
    readConversations().catch(tellProblem)
  }, [user.value, changes.value])
  const { data: found, error } = useLoad(
    async (signal) => {
      if (query.trim() === '') return null
      await pause(WAIT_MS, signal)
      return searchConversations(query, project, signal)
    },
    [query, project],
  )
  const isListed = ({ id, project_root }: Listed): boolean =>
    !deletions.hidden.value.has(id) && (project === '' || project_root === project)
  const all = (conversations.value ?? []).filter(isListed)
  const byId = new Map(all.map((one) => [one.id, one]))
  const shown =
    found === null
      ? // A line that begins with its title tells nothing more.
        all.map((one) => {
          const line = one.title !== '' && one.snippet.startsWith(one.title) ? '' : one.snippet
          return { one, line, turn: null }
        })
      : [...found].flatMap(([id, how]) => {
          const one = byId.get(id)
          return one === undefined ? [] : [{ one, ...how }]
        })
  return (
    <nav class="conversations column" aria-label={t('Conversations')}>
      <div class="line">
        <a class="button" href={hashOf('chat')} onClick={onClose}>
          <Icon name="plus" /> {t('New')}
        </a>
        <Act look="quiet icon-button close-list" icon="close" aria-label={t('Close')} onClick={onClose} />
      </div>
      <SearchField label={t('Search conversations')} value={query} onType={setQuery} />
      {known.length > 0 && (
        <Choice
          label={t('Project')}
          value={project}
          options={{ '': t('Any project'), ...named(known) }}
          onPick={(one) => {
            listed.value = one
          }}
        />
      )}
      <Failed error={error} />
      <ul class="scrolls">
        {shown.slice(0, isWhole ? undefined : LISTED).map(({ one, ...how }) => (
          <Item key={one.id} one={one} {...how} onOpen={onClose} />
        ))}
        {!isWhole && shown.length > LISTED && (
          <li class="item">
            <Act look="link" words={t('Show all {n}', { n: shown.length })} onClick={() => setWhole(true)} />
          </li>
        )}
      </ul>
      {conversations.value !== null && shown.length === 0 && (
        <p class="nothing">{found === null ? t('No conversations yet.') : t('Nothing found.')}</p>
      )}
    </nav>
  )
}

interface ItemProps extends Found {
  readonly one: Listed
  readonly onOpen: () => void
}

function Item({ one, line, turn, onOpen }: ItemProps) {
  const { id, title, project_root, last_active, turn_count, is_muted } = one
  const name = title === '' ? line || id : title
  const path = pathOf(['conversations', id])
  const [form, rename] = useTextForm(t('Name of the conversation'), title, async (text) => {
    await call('PATCH', path, { title: text })
    await readConversations()
  })
  if (form !== null) return <li>{form}</li>
  const remove = (): void => {
    removeLater(t('Conversation deleted, with what was remembered from it'), id, path)
    if (place.value.id === id) go(hashOf('chat'))
  }
  const current = place.value.id === id ? 'page' : undefined
  return (
    <li class="conversation">
      <a class="conversation-link" href={sourceHash(id, turn)} aria-current={current} onClick={onOpen}>
        <span class="conversation-name clip block">{name}</span>
        <span class="conversation-meta tiny block">
          {ago(last_active)} · {t('{n} turn|{n} turns', { n: turn_count })}
          {is_muted && ` · ${t('muted')}`}
          {project_root !== '' && ' · '}
          <ProjectName root={project_root} />
        </span>
        {title !== '' && line !== '' && <span class="tiny clip block">{line}</span>}
      </a>
      <span class="conversation-actions">
        <Act look="quiet small icon-button" icon="pencil" aria-label={`${t('Rename')}: ${name}`} onClick={rename} />
        <Act look="quiet small icon-button" icon="trash" aria-label={`${t('Delete')}: ${name}`} onClick={remove} />
      </span>
    </li>
  )
}
