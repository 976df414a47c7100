/** The document about the user, and short summaries of the conversations. */
import { useEffect, useState } from 'preact/hooks'
import { hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { day, moment } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Empty, Failed } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TextForm } from '../parts/text-form.tsx'
import type { Page, SessionSummary } from '../records.ts'
import { changes, user } from '../session.ts'
import { deletions, tell, tellProblem } from '../told.ts'
import { t } from '../words.ts'
import { MemoryFileView } from './memory-file.tsx'

interface Profile {
  readonly text: string
  readonly updated_at: string | null
}

const PARTS = { '': 'About you', conversations: 'Conversations in short', file: 'MEMORY.md' } as const

/** The view. */
export function ProfileView() {
  return (
    <div class="page narrow">
      <header class="page-head">
        <h1>{t('Profile')}</h1>
      </header>
      <Tabs view="profile" parts={PARTS} />
      {place.value.id === 'conversations' ? (
        <Summaries />
      ) : place.value.id === 'file' ? (
        <MemoryFileView />
      ) : (
        <>
          <p class="lead">
            {t('What every conversation begins with. What you write here is never changed by the machine.')}
          </p>
          <Document />
        </>
      )}
    </div>
  )
}

function Document() {
  const { data, error, set } = useLoad(
    (signal) => call<Profile>('GET', '/profile', undefined, { signal }),
    [user.value],
  )
  const [text, setText] = useState('')
  const [isSaving, setSaving] = useState(false)
  useEffect(() => setText(data?.text ?? ''), [data])
  if (error !== null) return <Failed error={error} />
  if (data === null) return null
  const isChanged = text !== data.text
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      set(await call<Profile>('PUT', '/profile', { text }))
      tell(t('Saved. It holds from the next message on.'))
    } catch (problem) {
      tellProblem(problem)
    }
    setSaving(false)
  }
  return (
    <form
      class="card document"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        class="grows"
        rows={10}
        dir="auto"
        aria-label={t('Profile')}
        placeholder={t('## Background\n- I live in Ghent.\n\n## How to answer\n- Briefly, without praise.')}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="document-foot">
        <span class="hint">
          {data.updated_at === null ? '' : t('Last changed {when}', { when: moment(data.updated_at) })}
        </span>
        {isChanged && (
          <button type="button" class="quiet small" onClick={() => setText(data.text)}>
            {t('Undo')}
          </button>
        )}
        <button type="submit" class="primary small" disabled={!isChanged || isSaving}>
          {t('Save')}
        </button>
      </p>
    </form>
  )
}

function Summaries() {
  const { data, error } = useLoad(
    (signal) => call<Page<SessionSummary>>('GET', pathOf(['session-summaries'], { limit: 200 }), undefined, { signal }),
    [user.value, changes.value],
  )
  const items = (data?.items ?? []).filter(
    ({ conversation_id }) => !deletions.hidden.value.has(`summary ${conversation_id}`),
  )
  return (
    <section>
      <h2 class="section-head">
        {t('Conversations in short')} <span class="count">{data === null ? '' : items.length}</span>
      </h2>
      {error !== null && <Failed error={error} />}
      {data !== null && items.length === 0 && (
        <Empty icon="chat" title={t('No titles yet.')}>
          <p>{t('A conversation gets a title and a line once there is something to say about it.')}</p>
        </Empty>
      )}
      <ul class="summaries">
        {items.map((one) => (
          <Summary key={one.conversation_id} one={one} />
        ))}
      </ul>
    </section>
  )
}

function Summary({ one }: { readonly one: SessionSummary }) {
  const { conversation_id: id, title, snippet, updated_at, edited } = one
  const [field, setField] = useState<'title' | 'snippet' | null>(null)
  const path = pathOf(['session-summaries', id])
  const save = async (value: string): Promise<void> => {
    try {
      await call('PATCH', path, { [field ?? 'title']: value })
      changes.value += 1
      setField(null)
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <li class="card summary">
      {field === null ? (
        <>
          <p class="summary-title">
            <a href={hashOf('chat', id)} dir="auto">
              {title || id}
            </a>
            <span class="hint">
              {day(updated_at)}
              {edited ? ` · ${t('yours')}` : ''}
            </span>
          </p>
          {snippet !== '' && <p dir="auto">{snippet}</p>}
          <p class="actions">
            <button
              type="button"
              class="quiet small"
              aria-label={`${t('Edit title')}: ${title}`}
              onClick={() => setField('title')}
            >
              <Icon name="pencil" /> {t('Title')}
            </button>
            <button
              type="button"
              class="quiet small"
              aria-label={`${t('Edit line')}: ${title}`}
              onClick={() => setField('snippet')}
            >
              <Icon name="pencil" /> {t('Line')}
            </button>
            <button
              type="button"
              class="quiet small"
              aria-label={`${t('Delete')}: ${title}`}
              onClick={() =>
                deletions.add({
                  ids: [`summary ${id}`],
                  label: t('Title and line deleted; the conversation stays'),
                  remove: (_, isLeaving) => call('DELETE', path, undefined, { keepalive: isLeaving }),
                })
              }
            >
              <Icon name="trash" /> {t('Delete')}
            </button>
          </p>
        </>
      ) : (
        <TextForm
          label={field === 'title' ? t('Title') : t('Line')}
          text={field === 'title' ? title : snippet}
          onSave={save}
          onCancel={() => setField(null)}
        />
      )}
    </li>
  )
}
