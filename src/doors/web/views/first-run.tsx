/** The start page of an empty memory: three ways to begin, and a removable sample; and a chat without a model. */
import { signal } from '@preact/signals'
import { hashOf } from '../address.ts'
import { Act, Badge, type IconName } from '../parts/controls.tsx'
import { changes, drafts } from '../session.ts'
import { language, t, type Words } from '../translations.ts'
import type { Shown } from './chat-state.ts'
import { conversations, readConversations } from './conversations.tsx'

export const isSampleHere = signal(false)
conversations.subscribe((all) => {
  isSampleHere.value = all?.some(({ id }) => id.startsWith('mneme-sample-')) ?? false
})

/** Adds the sample, or removes it. It is loaded late, because most people never ask for it again. */
async function putSample(isHere: boolean): Promise<string> {
  const { addSample, removeSample } = await import('../sample.ts')
  await (isHere ? addSample(language.value) : removeSample((conversations.value ?? []).map(({ id }) => id)))
  await readConversations()
  changes.value += 1
  return isHere ? t('A sample memory is here. One click removes it.') : t('The sample is gone.')
}

export function FirstRun({ isPart = false }: { readonly isPart?: boolean }) {
  const Heading = isPart ? 'h2' : 'h1'
  const ways: readonly (readonly [IconName, Words, Words, string])[] = [
    ['chat', 'Start talking', 'Say something about yourself; what is worth keeping is kept.', hashOf('chat')],
    ['download', 'Import', 'Bring an export of Mneme, or chats that you have.', hashOf('settings', 'data')],
    [
      'plug',
      'Connect an assistant',
      'Claude, Cursor and others: how, and where you see what they remember.',
      hashOf('settings', 'connect'),
    ],
  ]
  return (
    <section class="first-run" aria-label={t('Ways to begin')}>
      <Heading>{t('What should I remember?')}</Heading>
      <p class="lead">{t('Nothing is here yet. Everything stays on your machine.')}</p>
      <ul class="ways">
        {ways.map(([icon, title, words, href]) => (
          <li key={title}>
            <a
              class="card way"
              href={href}
              onClick={() => icon === 'chat' && document.getElementById('message')?.focus()}
            >
              <Badge icon={icon} />
              <strong>{t(title)}</strong>
              <span>{t(words)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">
        {t('Or look around first:')} <Act icon="spark" words={t('Take a sample memory')} does={() => putSample(true)} />
      </p>
      {drafts.of('') !== '' && <p class="hint">{t('What you typed is still there.')}</p>}
    </section>
  )
}

export function SampleNote() {
  return (
    <p class="note line wrap spread">
      {t('You are looking at a sample memory of somebody who does not exist.')}
      <Act words={t('Remove the sample')} does={() => putSample(false)} />
    </p>
  )
}

const BEGINNING = 90

export function NoModel({ shown }: { readonly shown: Shown }) {
  return (
    <div class="card no-model">
      <p>
        <strong>{t('No model is connected, so nobody answers.')}</strong>{' '}
        {t('The message is stored and thought about. This is what a model would have been given:')}
      </p>
      {(shown.messages ?? []).map(({ role, content }, at) => (
        <details key={at}>
          <summary class="clip">
            <span class="tag">{role}</span> {content.slice(0, BEGINNING)}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled with the keyboard, too */}
          <pre class="sunk" tabIndex={0}>
            {content}
          </pre>
        </details>
      ))}
      <details>
        <summary>{t('How to connect one')}</summary>
        <p>
          {t(
            'Start Mneme with three variables; any server that speaks OpenAI’s interface will do, one on this machine too:',
          )}
        </p>
        <pre class="sunk">
          MNEME_LLM_BASE_URL=http://127.0.0.1:11434/v1{'\n'}MNEME_LLM_MODEL=qwen3{'\n'}MNEME_LLM_API_KEY=…{'\n'}npm
          start
        </pre>
      </details>
    </div>
  )
}
