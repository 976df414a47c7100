/** The start page of an empty memory: three ways to begin, and a removable sample. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { hashOf } from '../address.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { changes, draft } from '../session.ts'
import { tell, tellProblem } from '../told.ts'
import { language, t, type Words } from '../words.ts'
import { conversations, readConversations } from './conversations.ts'

/** Whether the loaded conversations include the sample. */
export const isSampleHere = signal(false)
conversations.subscribe((all) => {
  isSampleHere.value = all?.some(({ id }) => id.startsWith('mneme-sample-')) ?? false
})

// Loaded late, because most people never ask for it again.
const sample = () => import('../sample.ts')

/** The three ways to begin, and the sample. */
export function FirstRun({ isPart = false }: { readonly isPart?: boolean }) {
  const ways: readonly (readonly [IconName, Words, Words, string])[] = [
    ['chat', 'Start talking', 'Say something about yourself; what is worth keeping is kept.', hashOf('chat')],
    ['download', 'Import', 'Bring an export of Mneme, or chats that you have.', hashOf('settings', 'data')],
    ['plug', 'Connect an assistant', 'Claude, Cursor and others remember here.', hashOf('settings', 'connect')],
  ]
  return (
    <section class="first-run" aria-label={t('Ways to begin')}>
      {isPart ? <h2>{t('What should I remember?')}</h2> : <h1>{t('What should I remember?')}</h1>}
      <p class="lead">{t('Nothing is here yet. Everything stays on your machine.')}</p>
      <ul class="ways">
        {ways.map(([icon, title, words, href]) => (
          <li key={title}>
            <a
              class="card way"
              href={href}
              onClick={() => icon === 'chat' && document.getElementById('message')?.focus()}
            >
              <span class="empty-icon">
                <Icon name={icon} />
              </span>
              <strong>{t(title)}</strong>
              <span>{t(words)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="sample-offer">
        {t('Or look around first:')} <SampleButton />
      </p>
      {draft.value !== '' && <p class="hint">{t('What you typed is still there.')}</p>}
    </section>
  )
}

function SampleButton() {
  const [isBusy, setBusy] = useState(false)
  const add = async (): Promise<void> => {
    setBusy(true)
    try {
      await (await sample()).addSample(language.value)
      await readConversations()
      changes.value += 1
      tell(t('A sample memory is here. One click removes it.'))
    } catch (error) {
      tellProblem(error)
    }
    setBusy(false)
  }
  return (
    <button type="button" class="small" disabled={isBusy} onClick={() => void add()}>
      <Icon name="spark" /> {t('Take a sample memory')}
    </button>
  )
}

/** A note that the sample is present, with a button to remove it. */
export function SampleNote() {
  const [isBusy, setBusy] = useState(false)
  const remove = async (): Promise<void> => {
    setBusy(true)
    try {
      await (await sample()).removeSample()
      await readConversations()
      changes.value += 1
      tell(t('The sample is gone.'))
    } catch (error) {
      tellProblem(error)
    }
    setBusy(false)
  }
  return (
    <p class="note sample-note">
      {t('You are looking at a sample memory of somebody who does not exist.')}{' '}
      <button type="button" class="small" disabled={isBusy} onClick={() => void remove()}>
        {t('Remove the sample')}
      </button>
    </p>
  )
}
