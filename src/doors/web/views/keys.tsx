/** Keys of programs: created, shown once, and revoked. */
import { useState } from 'preact/hooks'
import { call, pathOf } from '../api.ts'
import { day } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Failed } from '../parts/states.tsx'
import { key as ownKey, user } from '../session.ts'
import { tell, tellProblem } from '../told.ts'
import { t, type Words } from '../words.ts'

interface Key {
  readonly id: string
  readonly name: string
  readonly scope: 'read' | 'write' | 'admin'
  readonly user_id: string | null
  readonly created_at: string
}

const SCOPES: Readonly<Record<Key['scope'], Words>> = { read: 'read', write: 'read and write', admin: 'everything' }

/** The part of the view. */
export function Keys() {
  const { data, error, set } = useLoad(
    async (signal) => (await call<{ items: readonly Key[] }>('GET', '/keys', undefined, { signal })).items,
    [],
  )
  const [made, setMade] = useState<(Key & { readonly key: string }) | null>(null)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Key['scope']>('write')
  const isFirst = data?.length === 0 && ownKey.value === ''
  const make = async (): Promise<void> => {
    try {
      // After the first key the server requires one, so this page gets its own.
      const own = isFirst
        ? await call<Key & { key: string }>('POST', '/keys', { name: 'this page', scope: 'admin' })
        : null
      if (own !== null) {
        ownKey.value = own.key
        // With a key, requests must name their user.
        if (user.value === '') user.value = 'local'
      }
      const user_id = scope === 'admin' ? null : user.value || 'local'
      setMade(await call<Key & { key: string }>('POST', '/keys', { name: name.trim(), scope, user_id }))
      setName('')
      set((await call<{ items: readonly Key[] }>('GET', '/keys')).items)
    } catch (problem) {
      tellProblem(problem)
    }
  }
  const revoke = async ({ id }: Key): Promise<void> => {
    try {
      await call('DELETE', pathOf(['keys', id]))
      set((data ?? []).filter((one) => one.id !== id))
      tell(t('The key is taken back.'))
    } catch (problem) {
      tellProblem(problem)
    }
  }
  return (
    <section>
      <p class="lead">
        {t(
          'On this machine nobody needs a key until there is one; from then on every program needs one, this page too.',
        )}
      </p>
      {error !== null && <Failed error={error} />}
      <form
        class="card key-form"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <label>
          {t('For which program')}
          <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label>
          {t('What it may do')}
          <select value={scope} onChange={({ currentTarget }) => setScope(currentTarget.value as Key['scope'])}>
            {(Object.keys(SCOPES) as Key['scope'][]).map((one) => (
              <option key={one} value={one}>
                {t(SCOPES[one])}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={name.trim() === '' || data === null}>
          {t('Make a key')}
        </button>
      </form>
      {made !== null && (
        <div class="note key-made" role="status">
          <p>{t('The key of {name}. It is shown only now:', { name: made.name })}</p>
          <code>{made.key}</code>
          <button
            type="button"
            class="small"
            onClick={() => void navigator.clipboard?.writeText(made.key).then(() => tell(t('Copied.')), tellProblem)}
          >
            {t('Copy')}
          </button>
        </div>
      )}
      <ul class="jobs">
        {(data ?? []).map((one) => (
          <li key={one.id} class="card key">
            <Icon name="key" /> <strong>{one.name}</strong>
            <span class="hint">
              {t(SCOPES[one.scope])} · <bdi>{one.user_id ?? t('every user')}</bdi> · {day(one.created_at)}
            </span>
            <button
              type="button"
              class="small danger-text"
              aria-label={`${t('Take back')}: ${one.name}`}
              onClick={() => void revoke(one)}
            >
              {t('Take back')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
