/** Keys of programs: created, shown once, and revoked. */
import { useState } from 'preact/hooks'
import { call, get, pathOf } from '../api.ts'
import { Act, Choice, Field, onSend } from '../parts/controls.tsx'
import { day } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Failed } from '../parts/states.tsx'
import { key as ownKey, user } from '../session.ts'
import { attempt } from '../told.ts'
import { t } from '../words.ts'
import { Copy } from './connect.tsx'

interface Key {
  readonly id: string
  readonly name: string
  readonly scope: 'read' | 'write' | 'admin'
  readonly user_id: string | null
  readonly created_at: string
}

type MadeKey = Key & { readonly key: string }

async function readKeys(signal?: AbortSignal): Promise<readonly Key[]> {
  return (await get<{ items: readonly Key[] }>('/keys', signal)).items
}

/** The part of the view. */
export function Keys() {
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
    return t('The key is taken back.')
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
              aria-label={`${t('Take back')}: ${one.name}`}
              words={t('Take back')}
              onClick={() => attempt(() => revoke(one.id))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
