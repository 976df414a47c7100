/** Settings that can change while Mneme runs, background work, and the look of this page. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { call, get, pathOf } from '../api.ts'
import { attempt, reasonOf, tell } from '../notices.ts'
import { Act, Choice, Empty, Failed, Field, Icon, onSend, Parts, Section } from '../parts/controls.tsx'
import { day, moment } from '../parts/dates.ts'
import { useLoad } from '../parts/load.tsx'
import type { Job, Key, Page, SettingName, Settings } from '../records.ts'
import { asksFor, changes, key, language, key as ownKey, theme, user } from '../session.ts'
import { t, told, type Words } from '../translations.ts'
import { Transfer } from './transfer.tsx'

const NAMES: Readonly<Record<SettingName, readonly [Words, Words]>> = {
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
  '': ['Settings', Remembering],
  jobs: ['Background work', Jobs],
  data: ['Import and export', Transfer],
  connect: ['Connect', Connect],
  keys: ['Access', Keys],
} as const

export function SettingsView() {
  return <Parts view="settings" title={t('Settings')} parts={PARTS} />
}

function Remembering() {
  const { data, error, set } = useLoad((signal) => get<Settings>('/settings', signal), [])
  const [failed, setFailed] = useState<Readonly<Record<string, string>>>({})
  const change = async (name: SettingName, value: number | boolean | null): Promise<void> => {
    try {
      set(await call<Settings>('PATCH', '/settings', { [name]: value }))
      setFailed({})
      tell(t('Saved. It holds from the next message on.'))
    } catch (problem) {
      // The field has its name already.
      setFailed({ [name]: reasonOf(problem).replace(`${name}: `, '').replace(`${name}：`, '') })
    }
  }
  // Below them nothing moves when they come.
  if (data === null) return error === null ? null : [<Failed key="failed" error={error} />, <ThisPage key="page" />]
  const sourceOf = (name: SettingName, source: string): ComponentChildren => {
    if (source === 'default') return t('default')
    if (source !== 'database') return t('from {source}', { source: told(source) })
    return <Act look="link" words={t('back to default')} onClick={() => change(name, null)} />
  }
  return (
    <>
      <Section title={t('How it remembers')}>
        <div class="listing">
          {(Object.keys(NAMES) as SettingName[]).map((name) => {
            const { value, source } = data[name]
            const [title, meaning] = NAMES[name]
            const id = `setting-${name}`
            // A value that overrides the database is changed where it stands.
            const isFixed = source !== 'default' && source !== 'database'
            return (
              <Setting key={name} id={id} title={t(title)} meaning={t(meaning)} failure={failed[name]}>
                <span class="setting-value stack">
                  <input
                    id={id}
                    disabled={isFixed}
                    {...(typeof value === 'boolean'
                      ? { type: 'checkbox', class: 'switch', role: 'switch', 'aria-checked': value, checked: value }
                      : { type: 'number', min: '0', value })}
                    // An empty field asks for the default.
                    onChange={({ currentTarget: { type, checked, value: typed } }) =>
                      change(name, type === 'checkbox' ? checked : typed === '' ? null : Number(typed))
                    }
                  />
                  <span class="tiny">{sourceOf(name, source)}</span>
                </span>
              </Setting>
            )
          })}
        </div>
      </Section>
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
  const { data, error } = useLoad((signal) => get<Page<Job>>(['jobs'], signal, { limit: 100 }), [])
  const lookAgain = (): void => {
    changes.value += 1
  }
  const dead = (data?.items ?? []).filter(({ state }) => state === 'dead')
  const retry = async (which: { readonly id?: string }): Promise<string> => {
    const { retried } = await call<{ retried: number }>('POST', '/jobs/retry', which)
    lookAgain()
    return t('{n} job is tried again|{n} jobs are tried again', { n: retried })
  }
  return (
    <Section
      title={t('Background work')}
      count={data?.total ?? ''}
      end={[
        <Act key="look" look="quiet small end" icon="retry" words={t('Look again')} onClick={lookAgain} />,
        dead.length > 1 && <Act key="all" words={t('Try all again')} does={() => retry({})} />,
      ]}
    >
      <Failed error={error} />
      {data !== null && data.items.length === 0 && (
        <Empty icon="clock" title={t('Nothing waits, and nothing failed.')} />
      )}
      <ul class="stack">
        {data?.items.map(({ id, kind, subject, state, attempts, last_error, due_at }) => (
          <li key={id} class="card job">
            <p>
              <span class={`chip ${state === 'dead' ? 'doubt' : 'holds'}`}>
                {t(state === 'dead' ? 'failed' : state)}
              </span>{' '}
              <strong>{told(kind)}</strong> <bdi class="hint">{subject}</bdi>
            </p>
            <p class="hint">
              {t('{n} attempt|{n} attempts', { n: attempts })}
              {state === 'waiting' ? ` · ${t('due {when}', { when: moment(due_at) })}` : ''}
            </p>
            {last_error !== null && <pre>{told(last_error)}</pre>}
            {state !== 'running' && (
              <Act icon="retry" words={t(state === 'dead' ? 'Try again' : 'Try now')} does={() => retry({ id })} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ThisPage() {
  return (
    <Section title={t('This page')}>
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
    </Section>
  )
}

type MadeKey = Key & { readonly key: string }

async function readKeys(signal?: AbortSignal): Promise<readonly Key[]> {
  return (await get<{ items: readonly Key[] }>('/keys', signal)).items
}

function Keys() {
  const { data, error, set } = useLoad(readKeys, [])
  const [made, setMade] = useState<MadeKey | null>(null)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Key['scope']>('write')
  const scopes = { read: t('read'), write: t('read and write'), admin: t('everything') }
  const make = async (): Promise<void> => {
    if (data?.length === 0 && ownKey.value === '') {
      // After the first key the server requires one, so this page gets its own.
      const own = await call<MadeKey>('POST', '/keys', { name: 'this page', scope: 'admin' })
      ownKey.value = own.key
      // With a key, requests must name their user.
      if (user.value === '') user.value = 'local'
    }
    // A key for everything belongs to nobody.
    const owner = scope === 'admin' ? {} : { user_id: user.value || 'local' }
    setMade(await call<MadeKey>('POST', '/keys', { name: name.trim(), scope, ...owner }))
    setName('')
    set(await readKeys())
  }
  const revoke = async (id: string): Promise<string> => {
    await call('DELETE', pathOf(['keys', id]))
    set((data ?? []).filter((one) => one.id !== id))
    return t('The key is revoked.')
  }
  return (
    <section>
      <p class="lead">
        {t(
          'On this machine nobody needs a key until there is one; from then on every program needs one, this page too.',
        )}
      </p>
      <Failed error={error} />
      <form class="card line wrap key-form" onSubmit={onSend(() => attempt(make))}>
        <Field name={t('For which program')}>
          <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </Field>
        <Field name={t('What it may do')}>
          <Choice value={scope} options={scopes} onPick={(one) => setScope(one as Key['scope'])} />
        </Field>
        <Act type="submit" look="primary" disabled={name.trim() === '' || data === null} words={t('Make a key')} />
      </form>
      {made !== null && (
        <div class="note key-made" role="status">
          <p>{t('The key of {name}. It is shown only now:', { name: made.name })}</p>
          <code>{made.key}</code>
          <Copy text={made.key} name={made.name} />
        </div>
      )}
      <ul class="stack">
        {(data ?? []).map((one) => (
          <li key={one.id} class="card line wrap">
            <Icon name="key" /> <strong>{one.name}</strong>
            <span class="hint">
              {scopes[one.scope]} · <bdi>{one.user_id ?? t('every user')}</bdi> · {day(one.created_at)}
            </span>
            <Act
              look="small danger-text end"
              aria-label={`${t('Revoke')}: ${one.name}`}
              words={t('Revoke')}
              does={() => revoke(one.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Copy({ text, name }: { readonly text: string; readonly name: string }) {
  const copy = async (): Promise<string> => {
    await navigator.clipboard.writeText(text)
    return t('Copied.')
  }
  return <Act words={t('Copy')} aria-label={`${t('Copy')}: ${name}`} does={copy} />
}

function Connect() {
  const here = location.origin
  const ways: readonly (readonly [Words, Words, string])[] = [
    [
      'Coding assistants (MCP)',
      'Claude Code, Cursor, VS Code and others read this; others are pointed at the address in it:',
      JSON.stringify({ mcpServers: { mneme: { type: 'http', url: `${here}/mcp` } } }, null, 2),
    ],
    [
      'Coding assistants (mneme connect)',
      'They remember by themselves, in one memory for all your projects; the second line shows it on a page of its own:',
      'mneme connect\nmneme serve --open --port 7078 --db ~/.mneme/memory.db',
    ],
    [
      'Chats that speak OpenAI’s interface',
      'Memory is added to whatever model is configured here:',
      `OPENAI_BASE_URL=${here}/v1`,
    ],
    ['Programs written for mem0', 'Their own client works against:', `${here}/mem0`],
  ]
  return (
    <section class="stack">
      <p class="lead">{t('What is pointed at this address remembers in this same memory, and you see it here.')}</p>
      {ways.map(([title, words, text]) => (
        <div key={title} class="card connect">
          <h2>{t(title)}</h2>
          <p class="hint">{t(words)}</p>
          <pre class="sunk">{text}</pre>
          <Copy text={text} name={t(title)} />
        </div>
      ))}
    </section>
  )
}
