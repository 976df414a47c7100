/** The chat, with the recalled evidence beside each message. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call } from '../api.ts'
import { mute } from '../parts/correct.ts'
import { moment } from '../parts/dates.ts'
import { EvidenceCard } from '../parts/evidence.tsx'
import { Icon } from '../parts/icon.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Side } from '../parts/side.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { UndoSource } from '../parts/undo-source.tsx'
import type { Turn } from '../records.ts'
import { attached, changes, draft } from '../session.ts'
import { tell, tellProblem } from '../told.ts'
import { t } from '../words.ts'
import {
  ask,
  asking,
  failure,
  looking,
  lookUp,
  openConversation,
  openId,
  type Shown,
  shownFor,
  stop,
  turnKey,
  turns,
} from './chat-state.ts'
import { ConversationList } from './conversation-list.tsx'
import { conversations, nameOf, readConversations } from './conversations.ts'
import { FirstRun } from './first-run.tsx'

/** The view. */
export function Chat() {
  const { id, params } = place.value
  const [isListOpen, setListOpen] = useState(false)
  useEffect(() => {
    setListOpen(false)
    void openConversation(id)
  }, [id])
  const shown = looking.value === null ? undefined : shownFor.value.get(looking.value)
  return (
    <div class={`chat${isListOpen ? ' list-open' : ''}${shown === undefined ? '' : ' with-side'}`}>
      <ConversationList onClose={() => setListOpen(false)} />
      <section class="thread" aria-label={t('Conversation')}>
        <header class="thread-head">
          <button type="button" class="quiet list-button" onClick={() => setListOpen(true)}>
            <Icon name="memories" /> {t('Conversations')}
          </button>
          <h1 class="thread-title">{id === '' ? t('New conversation') : nameOf(id)}</h1>
          {id !== '' && <ConversationActions id={id} />}
        </header>
        <Thread turn={Number(params.turn ?? 0)} />
        <Composer />
      </section>
      {shown !== undefined && (
        <Side title={t('What was recalled')} onClose={() => (looking.value = null)}>
          <ShownFor shown={shown} />
        </Side>
      )}
    </div>
  )
}

function ConversationActions({ id }: { readonly id: string }) {
  const [isUndoing, setUndoing] = useState(false)
  const isMuted = conversations.value?.find((one) => one.id === id)?.isMuted ?? false
  const toggle = (): void => {
    mute(id, !isMuted).then(() => readConversations(), tellProblem)
  }
  return (
    <span class="thread-actions">
      <a class="quiet-link" href={hashOf('memories', '', { conversation: id })}>
        {t('What was remembered')}
      </a>
      <button type="button" class="quiet small" aria-pressed={isMuted} onClick={toggle}>
        <Icon name="mute" /> {isMuted ? t('Unmute') : t('Mute')}
      </button>
      <button type="button" class="quiet small" onClick={() => setUndoing(true)}>
        <Icon name="undo" /> {t('Take back')}
      </button>
      {isUndoing && <UndoSource source={{ conversation_id: id }} onClose={() => setUndoing(false)} />}
    </span>
  )
}

function Thread({ turn }: { readonly turn: number }) {
  const scroller = useRef<HTMLElement>(null)
  const current = asking.value
  const all = turns.value
  // While its answer is pending, the stored message is already in the list.
  const pending =
    current !== null && current.failure !== '' && all?.at(-1)?.content === current.message ? null : current
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const target = turn > 0 ? box.querySelector(`[data-turn="${turn}"]`) : null
    if (target !== null) target.scrollIntoView({ block: 'center' })
    else box.scrollTop = box.scrollHeight
  }, [all, turn, current?.message, current?.answer])
  return (
    <section class="turns" ref={scroller} aria-label={t('Messages')}>
      <div class="turns-inner">
        {failure.value !== null && <Failed error={failure.value} />}
        {all !== null && all.length === 0 && current === null && <Welcome />}
        {all?.map((one, at) => (
          <TurnView
            key={one.turn_id}
            turn={one}
            isTarget={one.turn_id === turn}
            next={all[at + 1]}
            // An answer that broke off at the end can be requested again.
            question={at === all.length - 1 ? all[at - 1] : undefined}
          />
        ))}
        {pending !== null && (
          <>
            <div class="turn user">
              <p class="bubble" dir="auto">
                {pending.message.slice(0, LONG_CHARACTERS)}
              </p>
            </div>
            {pending.failure === '' && (
              <div class="turn assistant" aria-live="polite" aria-busy="true">
                {pending.answer === '' ? (
                  <p class="thinking">{t('One moment…')}</p>
                ) : (
                  <Markdown text={pending.answer} />
                )}
              </div>
            )}
          </>
        )}
        {current !== null && current.failure !== '' && (
          <div class="failed" role="alert">
            <p>
              <strong>{t('There was no answer.')}</strong> {current.failure}
            </p>
            <button type="button" class="small" onClick={() => void say(current.message)}>
              <Icon name="retry" /> {t('Try again')}
            </button>
          </div>
        )}
      </div>
    </section>
  )
}

function TurnView({
  turn,
  isTarget,
  next,
  question,
}: {
  readonly turn: Turn
  readonly isTarget: boolean
  readonly next: Turn | undefined
  readonly question: Turn | undefined
}) {
  const { role, content, turn_id, created_at, metadata } = turn
  const key = turnKey(openId.value, turn_id)
  const shown = shownFor.value.get(key)
  const isUser = role === 'user'
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && content.length > LONG_CHARACTERS
  const shownContent = isCut ? `${content.slice(0, LONG_CHARACTERS)}…` : content
  return (
    <div class={`turn ${isUser ? 'user' : 'assistant'}${isTarget ? ' target' : ''}`} data-turn={turn_id}>
      {isUser ? (
        <p class="bubble" dir="auto">
          {shownContent}
        </p>
      ) : (
        <Markdown text={shownContent} />
      )}
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {t('Show all {n} characters', { n: content.length })}
        </button>
      )}
      {metadata?.cut === true && (
        <p class="cut">
          {t('The answer was cut here.')}{' '}
          {question?.role === 'user' && (
            <button type="button" class="link" onClick={() => void say(question.content)}>
              {t('Try again')}
            </button>
          )}
        </p>
      )}
      <p class="turn-foot">
        <time dateTime={created_at} title={moment(created_at)}>
          {moment(created_at)}
        </time>
        {isUser && (
          <button
            type="button"
            class={`quiet small${looking.value === key ? ' is-on' : ''}`}
            aria-pressed={looking.value === key}
            onClick={() => {
              if (looking.value === key) looking.value = null
              else void lookUp(openId.value, turn).catch(tellProblem)
            }}
          >
            <Icon name="spark" />{' '}
            {shown === undefined || shown.isLater
              ? t('What was recalled?')
              : t('{n} recalled', { n: shown.recalled.length })}
          </button>
        )}
        <button type="button" class="quiet small" onClick={() => void rememberText(turn)}>
          {t('Remember this')}
        </button>
      </p>
      {isUser && shown?.messages != null && next?.role !== 'assistant' && <NoModel shown={shown} />}
    </div>
  )
}

/** Longer texts are shown in part, and their fields do not grow: laying out a megabyte would take seconds. */
const LONG_CHARACTERS = 20_000

async function rememberText({ content, conversation_id, turn_id }: Turn): Promise<void> {
  try {
    await call('POST', '/memory/long-term', { text: content, conversation_id, source_turn_ids: [turn_id] })
    changes.value += 1
    tell(t('Remembered.'))
  } catch (error) {
    tellProblem(error)
  }
}

/** Characters of a message's abbreviated form. */
const BEGINNING = 90

/** Without a model: the context that it would have been given, and how to connect one. */
function NoModel({ shown }: { readonly shown: Shown }) {
  return (
    <div class="card no-model">
      <p>
        <strong>{t('No model is connected, so nobody answers.')}</strong>{' '}
        {t('The message is stored and thought about. This is what a model would have been given:')}
      </p>
      <ol class="given">
        {(shown.messages ?? []).map(({ role, content }, at) => (
          <li key={at}>
            <details>
              <summary>
                <span class="tag">{role}</span> {content.slice(0, BEGINNING)}
              </summary>
              <pre dir="auto">{content}</pre>
            </details>
          </li>
        ))}
      </ol>
      <details>
        <summary>{t('How to connect one')}</summary>
        <p>
          {t(
            'Start Mneme with three variables; any server that speaks OpenAI’s interface will do, one on this machine too:',
          )}
        </p>
        <pre class="command">
          MNEME_LLM_BASE_URL=http://127.0.0.1:11434/v1{'\n'}MNEME_LLM_MODEL=qwen3{'\n'}MNEME_LLM_API_KEY=…{'\n'}npm
          start
        </pre>
      </details>
    </div>
  )
}

function ShownFor({ shown: { recalled, tokens, isLater } }: { readonly shown: Shown }) {
  return (
    <>
      <p class="hint">
        {isLater
          ? t('As it would be recalled today.')
          : t('{n} token in all that the model gets to see|{n} tokens in all that the model gets to see', {
              n: tokens ?? 0,
            })}
      </p>
      {recalled.length === 0 ? (
        <p class="nothing">{t('Nothing that is remembered answers this message.')}</p>
      ) : (
        recalled.map((item) => (
          <EvidenceCard key={`${item.kind} ${item.id ?? item.turn_id} ${item.conversation_id}`} item={item} />
        ))
      )}
    </>
  )
}

function Welcome() {
  if (conversations.value?.length === 0) return <FirstRun isPart />
  return (
    <Empty icon="chat" title={t('What should I remember?')}>
      <p>{t('Say something about yourself, or ask about what was said before. Everything stays on your machine.')}</p>
      <p class="links">
        <a href={hashOf('memories')}>{t('See what is remembered')}</a>
        <a href={hashOf('context')}>{t('Try what a model gets to see')}</a>
      </p>
    </Empty>
  )
}

async function say(message: string): Promise<void> {
  await ask(message, (id) => {
    if (place.value.view === 'chat' && place.value.id !== id) go(hashOf('chat', id), place.value.id !== '')
  })
}

function Composer() {
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = asking.value !== null && asking.value.failure === ''
  const submit = (): void => {
    const message = [draft.value.trim(), attached.value].filter((part) => part !== '').join('\n\n')
    if (message === '' || isBusy) return
    draft.value = ''
    attached.value = ''
    void say(message)
  }
  useEffect(() => {
    if (matchMedia('(min-width: 800px)').matches) field.current?.focus()
  }, [place.value.id])
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {attached.value !== '' && (
        <p class="attached">
          <button type="button" class="chip removable" onClick={() => (attached.value = '')}>
            {t('Pasted text, {n} characters', { n: attached.value.length })} <Icon name="close" />
          </button>
        </p>
      )}
      <div class="composer-box">
        <textarea
          ref={field}
          id="message"
          class={draft.value.length > LONG_CHARACTERS ? '' : 'grows'}
          rows={draft.value.length > LONG_CHARACTERS ? 12 : 1}
          dir="auto"
          aria-label={t('Message')}
          placeholder={t('Write a message…')}
          value={draft.value}
          onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? ''
            if (text.length <= LONG_CHARACTERS) return
            event.preventDefault()
            attached.value = [attached.value, text].filter((part) => part !== '').join('\n\n')
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        {isBusy ? (
          <button type="button" class="primary round" aria-label={t('Stop')} onClick={stop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            class="primary round"
            aria-label={t('Send')}
            disabled={draft.value.trim() === '' && attached.value === ''}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  )
}
