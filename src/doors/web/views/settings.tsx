/** Settings that can change while Mneme runs, background work, and the look of this page. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { place } from '../address.ts'
import { call, get } from '../api.ts'
import { Act, Choice } from '../parts/controls.tsx'
import { moment } from '../parts/dates.ts'
import { useLoad } from '../parts/load.ts'
import { Failed } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { Job, Page, Settings } from '../records.ts'
import { asksFor, changes, key, language, theme, user } from '../session.ts'
import { attempt, reasonOf, tell } from '../told.ts'
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
      <h1>{t('Settings')}</h1>
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
        <Remembering />
      )}
    </div>
  )
}

function Remembering() {
  const { data, error, set } = useLoad((signal) => get<Settings>('/settings', signal), [])
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
  // Below them nothing moves when they come.
  if (data === null) return error === null ? null : [<Failed key="failed" error={error} />, <ThisPage key="page" />]
  const sourceOf = (name: string, source: string): ComponentChildren => {
    if (source === 'default') return t('default')
    if (source !== 'database') return t('from {source}', { source })
    return <Act look="link" words={t('back to default')} onClick={() => change(name, null)} />
  }
  return (
    <>
      <section>
        <h2 class="section-head">{t('How it remembers')}</h2>
        <div class="listing">
          {Object.entries(data).map(([name, { value, source }]) => {
            const [title, meaning] = NAMES[name] ?? [null, null]
            const id = `setting-${name}`
            return (
              <Setting
                key={name}
                id={id}
                title={title === null ? name : t(title)}
                meaning={meaning === null ? '' : t(meaning)}
                failure={failed[name]}
              >
                <span class="setting-value stack">
                  {typeof value === 'boolean' ? (
                    <input
                      id={id}
                      type="checkbox"
                      class="switch"
                      role="switch"
                      aria-checked={value}
                      checked={value}
                      onChange={({ currentTarget }) => void change(name, currentTarget.checked)}
                    />
                  ) : (
                    <input
                      id={id}
                      type="number"
                      min="0"
                      value={value}
                      onChange={({ currentTarget }) => void change(name, Number(currentTarget.value))}
                    />
                  )}
                  <span class="tiny">{sourceOf(name, source)}</span>
                </span>
              </Setting>
            )
          })}
        </div>
      </section>
      <ThisPage />
    </>
  )
}

interface SettingProps {
  readonly id: string
  readonly title: string
  readonly meaning?: string
  readonly failure?: string | undefined
  readonly children: ComponentChildren
}

/** A setting: its name and meaning, and the field that changes it. */
function Setting({ id, title, meaning = '', failure, children }: SettingProps) {
  return (
    <div class="setting item line spread">
      <label for={id} class="texts">
        <strong>{title}</strong>
        {meaning !== '' && <span class="hint">{meaning}</span>}
        {failure !== undefined && (
          <span class="setting-failed" role="alert">
            {failure}
          </span>
        )}
      </label>
      {children}
    </div>
  )
}

function Jobs() {
  const [asked, setAsked] = useState(0)
  const { data, error } = useLoad((signal) => get<Page<Job>>(['jobs'], signal, { limit: 100 }), [asked, user.value])
  const dead = (data?.items ?? []).filter(({ state }) => state === 'dead')
  const retry = async (which: { readonly id?: string }): Promise<string> => {
    const { retried } = await call<{ retried: number }>('POST', '/jobs/retry', which)
    setAsked(asked + 1)
    return t('{n} is tried again|{n} are tried again', { n: retried })
  }
  return (
    <section>
      <h2 class="section-head">
        {t('Background work')} <span class="count">{data?.total ?? ''}</span>
        <Act look="quiet small end" icon="retry" words={t('Look again')} onClick={() => setAsked(asked + 1)} />
        {dead.length > 1 && <Act words={t('Try all again')} onClick={() => attempt(() => retry({}))} />}
      </h2>
      <Failed error={error} />
      {data !== null && data.items.length === 0 && <p class="nothing">{t('Nothing waits, and nothing failed.')}</p>}
      <ul class="stack">
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
              <Act icon="retry" words={t('Try again')} onClick={() => attempt(() => retry({ id }))} />
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
      <div class="listing">
        <Setting id="language" title={t('Language')}>
          <Choice
            id="language"
            value={language.value}
            options={{ '': t('As the browser'), en: 'English', zh: '中文' }}
            onPick={(one) => (language.value = one)}
          />
        </Setting>
        <Setting id="theme" title={t('Appearance')}>
          <Choice
            id="theme"
            value={theme.value}
            options={{ system: t('As the system'), light: t('Light'), dark: t('Dark') }}
            onPick={(one) => (theme.value = one)}
          />
        </Setting>
        <Setting id="user" title={t('User')} meaning={t('Whose memory this page shows, in this tab.')}>
          <input
            id="user"
            value={user.value}
            placeholder={t('the server’s own')}
            onChange={({ currentTarget }) => {
              user.value = currentTarget.value.trim()
              changes.value += 1
            }}
          />
        </Setting>
        {key.value !== '' && (
          <Setting id="forget-key" title={t('Key')}>
            <Act
              id="forget-key"
              words={t('Forget the key')}
              onClick={() => {
                key.value = ''
                asksFor.value = 'key'
              }}
            />
          </Setting>
        )}
      </div>
    </section>
  )
}
