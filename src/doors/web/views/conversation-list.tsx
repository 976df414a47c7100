/** The list of conversations: search, rename, delete, create. */
import { useEffect, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { Act, Failed, Icon, SearchField } from '../parts/controls.tsx'
import { ago } from '../parts/dates.ts'
import { useLoad, useTextForm } from '../parts/load.tsx'
import { changes, user } from '../session.ts'
import { deletions, removeLater, tellProblem } from '../told.ts'
import { t } from '../words.ts'
import { conversations, type Listed, readConversations, searchConversations } from './conversations.ts'

const WAIT_MS = 120
/** Conversations that are listed at first. */
const LISTED = 300

export function ConversationList({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    readConversations().catch(tellProblem)
  }, [user.value, changes.value])
  const { data: found, error } = useLoad(
    async (signal) => {
      if (query.trim() === '') return null
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      return searchConversations(query, signal)
    },
    [query],
  )
  const all = (conversations.value ?? []).filter(({ id }) => !deletions.hidden.value.has(id))
  const byId = new Map(all.map((one) => [one.id, one]))
  const shown =
    found === null
      ? // A line that begins with its title tells nothing more.
        all.map((one) => ({ one, line: one.title !== '' && one.snippet.startsWith(one.title) ? '' : one.snippet }))
      : found.flatMap(({ id, found: line }) => {
          const one = byId.get(id)
          return one === undefined ? [] : [{ one, line }]
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
      <Failed error={error} />
      <ul class="scrolls">
        {shown.slice(0, isWhole ? undefined : LISTED).map(({ one, line }) => (
          <Item key={one.id} one={one} line={line} onOpen={onClose} />
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

function Item({ one, line, onOpen }: { readonly one: Listed; readonly line: string; readonly onOpen: () => void }) {
  const { id, title, last_active, turn_count, is_muted } = one
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
      <a class="conversation-link" href={hashOf('chat', id)} aria-current={current} onClick={onOpen}>
        <span class="conversation-name clip block" dir="auto">
          {name}
        </span>
        <span class="conversation-meta tiny block">
          {ago(last_active)} · {t('{n} turn|{n} turns', { n: turn_count })}
          {is_muted && ` · ${t('muted')}`}
        </span>
        {title !== '' && line !== '' && (
          <span class="tiny clip block" dir="auto">
            {line}
          </span>
        )}
      </a>
      <span class="conversation-actions">
        <Act look="quiet small icon-button" icon="pencil" aria-label={`${t('Rename')}: ${name}`} onClick={rename} />
        <Act look="quiet small icon-button" icon="trash" aria-label={`${t('Delete')}: ${name}`} onClick={remove} />
      </span>
    </li>
  )
}
