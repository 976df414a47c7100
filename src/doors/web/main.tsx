/** The page: its frame, its global keys, and the view in the address. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { followAddress, go, hashOf, place, VIEWS, type View } from './address.ts'
import { call } from './api.ts'
import { deletions, dismiss, notices, reasonOf } from './notices.ts'
import { Act, Badge, Dialog, Facts, Field, focusSoon, Icon, onSend } from './parts/controls.tsx'
import { asksFor, changes, isReachable, key, theme, user } from './session.ts'
import { language, t, type Words } from './translations.ts'
import { Changes } from './views/changes.tsx'
import { Chat } from './views/chat.tsx'
import { keepUnsent, openId } from './views/chat-state.ts'
import { Context } from './views/context.tsx'
import { Memories } from './views/memories.tsx'
import { Overview } from './views/overview.tsx'
import { ProfileView } from './views/profile.tsx'
import { SettingsView } from './views/settings.tsx'

const SHOWN: Readonly<Record<View, readonly [Words, () => preact.JSX.Element]>> = {
  chat: ['Chat', Chat],
  memories: ['Memories', Memories],
  changes: ['What changed', Changes],
  context: ['Context', Context],
  profile: ['Profile', ProfileView],
  overview: ['Overview', Overview],
  settings: ['Settings', SettingsView],
}

/** The view `changes` has no place in the rail, since it is part of memories. */
const IN_RAIL = VIEWS.filter((name) => name !== 'changes')

/** Elements in which letters are typed, or choose: no key of the page works there. */
const TYPED_IN = 'textarea, select, input:not([type=checkbox], [type=range], [type=radio], [type=file])'
const FIELD = 'main :is(textarea, input)'

function App() {
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches(TYPED_IN)
      const isOver = document.querySelector('dialog[open]') !== null
      if (isTyping || isOver || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === '?') setHelpOpen(true)
      else if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLElement>('#search') ?? document.querySelector<HTMLElement>(FIELD)
        field?.focus()
      } else if (event.key === 'n') {
        event.preventDefault()
        const button = document.querySelector<HTMLElement>('#new')
        if (button === null) go(hashOf('chat'))
        else button.click()
      } else if (event.key === 'u') {
        const last = deletions.waiting.value.at(-1)
        if (last !== undefined) deletions.undo(last)
      }
    }
    addEventListener('keydown', onKey)
    // A first request shows whether the server requires a key.
    void call('GET', '/settings').catch(() => {})
    return () => removeEventListener('keydown', onKey)
  }, [])
  const { view } = place.value
  const Shown = SHOWN[view][1]
  const shownAs = view === 'changes' ? 'memories' : view
  return (
    <>
      {asksFor.value !== null && <Unlock />}
      <nav class="rail" hidden={asksFor.value !== null} aria-label={t('Parts of this page')}>
        <a class="mark" href={hashOf('chat')} aria-label="Mneme">
          m
        </a>
        {IN_RAIL.map((name) => (
          <a
            key={name}
            class="rail-link"
            // From another view it leads back to the conversation that was open.
            href={hashOf(name, name === 'chat' ? openId.value : '')}
            aria-current={name === shownAs ? 'page' : undefined}
          >
            <Icon name={name} />
            <span>{t(SHOWN[name][0])}</span>
          </a>
        ))}
        <button type="button" class="rail-link rail-help" onClick={() => setHelpOpen(true)}>
          <Icon name="help" />
          <span>{t('Keys')}</span>
        </button>
      </nav>
      <main class="view column" hidden={asksFor.value !== null}>
        {!isReachable.value && (
          <p class="banner" role="status">
            {t('The server does not answer. What you typed is kept; the page goes on when it is back.')}
          </p>
        )}
        <Shown />
      </main>
      <Edge />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  )
}

function Edge() {
  const box = useRef<HTMLDivElement>(null)
  const { value: waiting } = deletions.waiting
  // Before what goes is gone.
  const isFocused = box.current?.contains(document.activeElement) === true
  useLayoutEffect(() => {
    if (isFocused || waiting.length > 0) focusSoon()
  }, [waiting, notices.value])
  return (
    <div ref={box} class="edge stack" role="status" aria-live="polite">
      {waiting.map((deletion, at, { length }) => (
        <p key={deletion} class="card line notice">
          <span class="countdown" aria-hidden="true" />
          <span>{deletion.label}</span>
          <Act look="link end" words={t('Undo')} onClick={() => deletions.undo(deletion)} />
          {at === length - 1 && <kbd>u</kbd>}
        </p>
      ))}
      {notices.value.map((notice) => (
        <p key={notice} class={`card line notice${notice.isError ? ' is-error' : ''}`}>
          <span>{notice.text}</span>
          <Act look="quiet icon-button end" icon="close" aria-label={t('Close')} onClick={() => dismiss(notice)} />
        </p>
      ))}
    </div>
  )
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const keys: readonly (readonly [string, Words])[] = [
    ['/', 'Search, or the field of the view'],
    ['n', 'New: a conversation, or a memory'],
    ['u', 'Undo the last deletion'],
    ['?', 'This list'],
    ['Enter', 'Send; with Shift a new line'],
    ['Ctrl Enter', 'Save what is being edited'],
    ['Esc', 'Close, or leave it as it was'],
  ]
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <Facts rows={keys.map(([name, meaning]) => [<kbd key={name}>{name}</kbd>, t(meaning)])} />
      <form method="dialog" class="actions">
        <button type="submit">{t('Close')}</button>
      </form>
    </Dialog>
  )
}

followAddress()
// A file that is let go beside the place for it does not take the page's place.
for (const name of ['dragover', 'drop'] as const)
  addEventListener(name, (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault()
  })
addEventListener('pagehide', () => {
  deletions.leave()
  keepUnsent()
})
effect(() => {
  document.documentElement.lang = language.value
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
})
effect(() => {
  document.title = `${t(SHOWN[place.value.view][0])} · Mneme`
})
render(<App />, document.getElementById('app')!)

export function Unlock() {
  const [typedKey, setKey] = useState(key.value)
  const [typedUser, setUser] = useState(user.value)
  const isRefused = asksFor.value === 'key' && key.value !== ''
  const [failure, setFailure] = useState(isRefused ? t('This key is not known here.') : '')
  const open = async (): Promise<void> => {
    key.value = typedKey.trim()
    user.value = typedUser.trim()
    try {
      await call('GET', '/settings')
      asksFor.value = null
      changes.value += 1
    } catch (error) {
      const isGood = asksFor.value === 'user'
      setFailure(isGood ? t('This key is good for several users: say which one you are.') : reasonOf(error))
    }
  }
  return (
    <main class="unlock">
      <form class="card stack" onSubmit={onSend(open)}>
        <Badge icon="profile" />
        <h1>{t('Who is there?')}</h1>
        <p class="hint">{t('This memory asks for a key. It is kept in this tab only.')}</p>
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
