/** Settings that can change while Mneme runs, background work, and the look of this page. */
import { useState } from 'preact/hooks'
import { place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { moment } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Failed } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { Job, Page, Settings } from '../records.ts'
import { asksFor, changes, key, language, theme, user } from '../session.ts'
import { reasonOf, tell, tellProblem } from '../told.ts'
import { t, type Words } from '../words.ts'
import { Connect } from './connect.tsx'
import { Keys } from './keys.tsx'
import { Transfer } from './transfer.tsx'

const NAMES: Readonly<Record<string, readonly [Words, Words]>> = {
  'memory.rag_top_n': ['Memories for a message', 'At most this many memories are put before a model.'],
  'memory.evidence_tokens': ['Tokens of evidence', 'What is recalled takes at most this many tokens.'],
  'memory.enable_agentic_search': ['Models may search', 'A connected assistant may search memories by itself.'],
  'memory.enable_user_profile': ['Show the profile', 'The profile stands at the beginning of every context.'],
  'memory.atomic_content_max_length': ['Longest memory', 'Characters of a memory that is made of what was said.'],
  'memory.session_summary_limit': [
    'Other conversations',
    'Titles of this many other conversations are shown to a model.',
  ],
  context_limit: ['Last turns', 'Messages of the conversation that a model sees word for word.'],
}

const PARTS = {
  '': 'Settings',
  jobs: 'Background work',
  data: 'Import and export',
  connect: 'Connect',
  keys: 'Access',
} as const

/** The view. */
export function SettingsView() {
  return (
    <div class="page narrow">
      <header class="page-head">
        <h1>{t('Settings')}</h1>
      </header>
      <Tabs view="settings" parts={PARTS} />
      {place.value.id === 'jobs' ? (
        <Jobs />
      ) : place.value.id === 'data' ? (
        <Transfer />
      ) : place.value.id === 'keys' ? (
        <Keys />
      ) : place.value.id === 'connect' ? (
        <Connect />
      ) : (
        <>
          <Remembering />
          <ThisPage />
        </>
      )}
    </div>
  )
}

function Remembering() {
  const { data, error, set } = useLoad((signal) => call<Settings>('GET', '/settings', undefined, { signal }), [])
  const [failed, setFailed] = useState<Readonly<Record<string, string>>>({})
  const change = async (name: string, value: number | boolean | null): Promise<void> => {
    try {
      set(await call<Settings>('PATCH', '/settings', { [name]: value }))
      setFailed({})
      tell(t('Saved. It holds from the next message on.'))
    } catch (problem) {
      setFailed({ [name]: reasonOf(problem) })
    }
  }
  return (
    <section>
      <h2 class="section-head">{t('How it remembers')}</h2>
      {error !== null && <Failed error={error} />}
      <div class="card settings">
        {Object.entries(data ?? {}).map(([name, { value, source }]) => {
          const [title, meaning] = NAMES[name] ?? [null, null]
          const field = `setting-${name}`
          return (
            <div key={name} class="setting">
              <label for={field}>
                <span class="setting-title">{title === null ? name : t(title)}</span>
                {meaning !== null && <span class="hint">{t(meaning)}</span>}
                {failed[name] !== undefined && (
                  <span class="setting-failed" role="alert">
                    {failed[name]}
                  </span>
                )}
              </label>
              <span class="setting-value">
                {typeof value === 'boolean' ? (
                  <input
                    id={field}
                    type="checkbox"
                    class="switch"
                    role="switch"
                    aria-checked={value}
                    checked={value}
                    onChange={({ currentTarget }) => void change(name, currentTarget.checked)}
                  />
                ) : (
                  <input
                    id={field}
                    type="number"
                    min="0"
                    value={value}
                    onChange={({ currentTarget }) => void change(name, Number(currentTarget.value))}
                  />
                )}
                <span class="setting-source">
                  {source === 'default' ? (
                    t('default')
                  ) : source === 'database' ? (
                    <button type="button" class="link" onClick={() => void change(name, null)}>
                      {t('back to default')}
                    </button>
                  ) : (
                    t('from {source}', { source })
                  )}
                </span>
              </span>
            </div>
          )
        })}
      </div>
    </section>
  )
}

function Jobs() {
  const [asked, setAsked] = useState(0)
  const { data, error } = useLoad(
    (signal) => call<Page<Job>>('GET', pathOf(['jobs'], { limit: 100 }), undefined, { signal }),
    [asked, changes.value, user.value],
  )
  const dead = (data?.items ?? []).filter(({ state }) => state === 'dead')
  const retry = async (id?: string): Promise<void> => {
    try {
      const { retried } = await call<{ retried: number }>('POST', '/jobs/retry', id === undefined ? {} : { id })
      tell(t('{n} is tried again|{n} are tried again', { n: retried }))
      setAsked(asked + 1)
    } catch (problem) {
      tellProblem(problem)
    }
  }
  return (
    <section>
      <h2 class="section-head">
        {t('Background work')} <span class="count">{data?.total ?? ''}</span>
        <button type="button" class="quiet small" onClick={() => setAsked(asked + 1)}>
          <Icon name="retry" /> {t('Look again')}
        </button>
        {dead.length > 1 && (
          <button type="button" class="small" onClick={() => void retry()}>
            {t('Try all again')}
          </button>
        )}
      </h2>
      {error !== null && <Failed error={error} />}
      {data !== null && data.items.length === 0 && <p class="nothing">{t('Nothing waits, and nothing failed.')}</p>}
      <ul class="jobs">
        {data?.items.map(({ id, kind, subject, state, attempts, last_error, due_at }) => (
          <li key={id} class="card job">
            <p>
              <span class={`chip ${state === 'dead' ? 'doubt' : 'holds'}`}>{t(state)}</span> <strong>{kind}</strong>{' '}
              <bdi class="hint">{subject}</bdi>
            </p>
            <p class="hint">
              {t('{n} attempt|{n} attempts', { n: attempts })}
              {state === 'waiting' ? ` · ${t('due {when}', { when: moment(due_at) })}` : ''}
            </p>
            {last_error !== null && <pre dir="auto">{last_error}</pre>}
            {state === 'dead' && (
              <button type="button" class="small" onClick={() => void retry(id)}>
                <Icon name="retry" /> {t('Try again')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ThisPage() {
  return (
    <section>
      <h2 class="section-head">{t('This page')}</h2>
      <div class="card settings">
        <div class="setting">
          <label for="language" class="setting-title">
            {t('Language')}
          </label>
          <select
            id="language"
            value={language.value}
            onChange={({ currentTarget }) => (language.value = currentTarget.value)}
          >
            <option value="">{t('As the browser')}</option>
            <option value="en">English</option>
            <option value="zh">中文</option>
          </select>
        </div>
        <div class="setting">
          <label for="theme" class="setting-title">
            {t('Appearance')}
          </label>
          <select id="theme" value={theme.value} onChange={({ currentTarget }) => (theme.value = currentTarget.value)}>
            <option value="system">{t('As the system')}</option>
            <option value="light">{t('Light')}</option>
            <option value="dark">{t('Dark')}</option>
          </select>
        </div>
        <div class="setting">
          <label for="user">
            <span class="setting-title">{t('User')}</span>
            <span class="hint">{t('Whose memory this page shows, in this tab.')}</span>
          </label>
          <input
            id="user"
            value={user.value}
            placeholder={t('the server’s own')}
            onChange={({ currentTarget }) => {
              user.value = currentTarget.value.trim()
              changes.value += 1
            }}
          />
        </div>
        {key.value !== '' && (
          <div class="setting">
            <span class="setting-title">{t('Key')}</span>
            <button
              type="button"
              class="small"
              onClick={() => {
                key.value = ''
                asksFor.value = 'key'
              }}
            >
              {t('Forget the key')}
            </button>
          </div>
        )}
      </div>
    </section>
  )
}
