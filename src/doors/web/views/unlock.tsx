/** The form for the key or user that the server requires. */
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { Act, Field, onSend } from '../parts/controls.tsx'
import { Icon } from '../parts/icon.tsx'
import { asksFor, changes, key, user } from '../session.ts'
import { reasonOf } from '../told.ts'
import { t } from '../words.ts'

/** The form; its values stay in this tab. */
export function Unlock() {
  const [typedKey, setKey] = useState(key.value)
  const [typedUser, setUser] = useState(user.value)
  const [failure, setFailure] = useState('')
  const open = async (): Promise<void> => {
    key.value = typedKey.trim()
    user.value = typedUser.trim()
    try {
      await call('GET', '/settings')
      asksFor.value = null
      changes.value += 1
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }
  return (
    <main class="unlock">
      <form class="card stack" onSubmit={onSend(open)}>
        <span class="empty-icon">
          <Icon name="profile" />
        </span>
        <h1>{t('Who is there?')}</h1>
        <p class="hint">
          {t('This memory is shared over the network, so it asks for a key. It is kept in this tab only.')}
        </p>
        <Field name={t('Key')}>
          <input
            type="password"
            autocomplete="off"
            value={typedKey}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </Field>
        <Field name={`${t('User')} · ${t('where the key is good for several')}`}>
          <input autocomplete="off" value={typedUser} onInput={({ currentTarget }) => setUser(currentTarget.value)} />
        </Field>
        {failure !== '' && (
          <p class="failed" role="alert">
            {failure}
          </p>
        )}
        <Act
          type="submit"
          look="primary"
          disabled={typedKey.trim() === '' && typedUser.trim() === ''}
          words={t('Open')}
        />
      </form>
    </main>
  )
}
