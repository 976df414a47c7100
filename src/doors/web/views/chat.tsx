/** The chat, with the recalled evidence beside each message. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { deletions, removeLater } from '../notices.ts'
import { Act, Chip, Empty, Failed, focusSoon, Icon, onSend, Side } from '../parts/controls.tsx'
import { changedElsewhere, mute, UndoSource } from '../parts/correct.tsx'
import { moment } from '../parts/dates.ts'
import { Evidence } from '../parts/evidence.tsx'
import { useTextForm } from '../parts/load.tsx'
import { Markdown, ToolText } from '../parts/markdown.tsx'
import type { Turn } from '../records.ts'
import { attached, changes, drafts } from '../session.ts'
import { t } from '../translations.ts'
import {
  ask,
  asking,
  beyond,
  failure,
  isQuiet,
  LONG_CHARACTERS,
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
import { ConversationList, conversations, nameOf, ProjectName, projectOf, readTurn } from './conversations.tsx'
import { FirstRun, NoModel } from './first-run.tsx'

export function Chat() {
  const { id, params } = place.value
  const turn = Number(params.turn ?? 0)
  const [isListOpen, setListOpen] = useState(false)
  // Before the next key: what is typed belongs to the conversation that the address names.
  useLayoutEffect(() => {
    setListOpen(false)
    void openConversation(id, turn)
  }, [id, turn, changes.value])
  const shown = looking.value === null ? undefined : shownFor.value.get(looking.value)
  return (
    <div class={`chat${isListOpen ? ' list-open' : ''}${shown === undefined ? '' : ' with-side'}`}>
      <ConversationList onClose={() => setListOpen(false)} />
      <section class="thread column" aria-label={t('Conversation')}>
        <header class="thread-head line">
          <Act
            look="quiet small list-button"
            icon="chat"
            words={t('Conversations')}
            onClick={() => setListOpen(true)}
          />
          <h1 class="clip">{id === '' ? t('New conversation') : nameOf(id)}</h1>
          {projectOf(id) !== '' && (
            <span class="tag clip">
              <ProjectName root={projectOf(id)} />
            </span>
          )}
          {id !== '' && <ConversationActions id={id} />}
        </header>
        <Thread turn={turn} />
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
  const isMuted = conversations.value?.find((one) => one.id === id)?.is_muted ?? false
  return (
    <span class="line end">
      <a class="button quiet small" href={hashOf('memories', '', { conversation: id })}>
        <Icon name="memories" /> <span>{t('What was remembered')}</span>
      </a>
      <Act
        look="quiet small"
        icon="mute"
        aria-pressed={isMuted}
        words={isMuted ? t('Unmute') : t('Mute')}
        does={() => mute(id, !isMuted)}
      />
      <Act look="quiet small" icon="undo" words={t('Forget all')} onClick={() => setUndoing(true)} />
      {isUndoing && <UndoSource source={{ conversation_id: id }} onClose={() => setUndoing(false)} />}
    </span>
  )
}

function Thread({ turn }: { readonly turn: number }) {
  const scroller = useRef<HTMLElement>(null)
  const current = asking.value
  const all = turns.value?.filter(({ turn_id }) => !deletions.hidden.value.has(turnKey(openId.value, turn_id))) ?? null
  const last = all?.at(-1)
  const answered = shownFor.value.get(turnKey(openId.value, last?.turn_id ?? 0))
  // An answer that comes anew takes the place of what follows its message.
  const asked = current?.failure === '' ? current.turn : null
  const listed = asked === null ? all : all?.filter(({ turn_id }) => turn_id <= asked)
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const target = turn > 0 ? box.querySelector(`[data-turn="${turn}"]`) : null
    if (target !== null) target.scrollIntoView({ block: 'center' })
    else box.scrollTop = box.scrollHeight
  }, [all, turn, current?.message, current?.answer, current?.failure])
  return (
    <section class="turns scrolls" ref={scroller} aria-label={t('Messages')}>
      <div class="turns-inner column">
        <Failed error={failure.value} />
        {all?.length === 0 && current === null && failure.value === null && <Welcome />}
        <Beyond turn={beyond.value.earlier} words={t('Show earlier messages')} />
        {listed?.map((one, at) => (
          <TurnView
            key={one.turn_id}
            turn={one}
            isTarget={one.turn_id === turn}
            next={listed[at + 1]}
            // An answer that broke off at the end can be requested again.
            question={at === listed.length - 1 ? listed[at - 1] : undefined}
          />
        ))}
        <Beyond turn={beyond.value.later} words={t('Show later messages')} />
        {current?.failure === '' && (
          <>
            {listed?.at(-1)?.turn_id !== (asked ?? 0) && (
              <div class="turn column user">
                <p class="bubble">{current.message.slice(0, LONG_CHARACTERS)}</p>
              </div>
            )}
            <div class="turn column assistant" aria-live="polite" aria-busy="true">
              {current.answer === '' ? (
                <p class="hint thinking">{t('One moment…')}</p>
              ) : (
                <Markdown text={current.answer} />
              )}
            </div>
          </>
        )}
        {current !== null && current.failure !== '' && (
          <div class="failed" role="alert">
            <p>
              <strong>{t('There was no answer.')}</strong> {current.failure}
            </p>
            {/* A message that was not stored is in the field; a begun answer has its own button. */}
            {current.turn !== null && last?.role === 'user' && (
              <p class="actions">
                <Act icon="retry" words={t('Try again')} onClick={() => say(last.content)} />
              </p>
            )}
          </div>
        )}
        {isQuiet.value && beyond.value.later === 0 && last?.role === 'user' && answered?.messages == null && (
          <p class="hint">
            {t('There was no answer.')} <Act look="link" words={t('Try again')} onClick={() => say(last.content)} />
          </p>
        )}
      </div>
    </section>
  )
}

function Beyond({ turn, words }: { readonly turn: number; readonly words: string }) {
  if (turn === 0) return null
  return (
    <a class="quiet-link" href={hashOf('chat', openId.value, { turn: String(turn) })}>
      {words}
    </a>
  )
}

interface TurnProps {
  readonly turn: Turn
  readonly isTarget: boolean
  readonly next: Turn | undefined
  readonly question: Turn | undefined
}

function TurnView({ turn, isTarget, next, question }: TurnProps) {
  const { role, content, turn_id, created_at, metadata } = turn
  const key = turnKey(openId.value, turn_id)
  const shown = shownFor.value.get(key)
  const isUser = role === 'user'
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && content.length > LONG_CHARACTERS
  const shownContent = isCut ? `${content.slice(0, LONG_CHARACTERS)}…` : content
  const isLooking = looking.value === key
  const look = async (): Promise<void> => {
    if (isLooking) looking.value = null
    else await lookUp(openId.value, turn)
  }
  const path = pathOf(['conversations', openId.value, 'turns', String(turn_id)])
  const show = (saved: Turn): void => {
    turns.value = turns.value?.map((one) => (one.turn_id === turn_id ? saved : one)) ?? null
    changes.value += 1
  }
  const save = async (text: string): Promise<void> => {
    const now = await readTurn(openId.value, turn_id)
    if (now !== undefined && now.content !== content) {
      show(now)
      throw changedElsewhere(now.content)
    }
    show(await call<Turn>('PATCH', path, { content: text }))
  }
  const [form, edit] = useTextForm(t('Message'), content, save)
  const remove = (): void => removeLater(t('Message deleted, and what was remembered from it'), key, path)
  return (
    <div class={`turn column ${isUser ? 'user' : 'assistant'}${isTarget ? ' target' : ''}`} data-turn={turn_id}>
      {form ??
        (isUser ? (
          <p class="bubble">{shownContent}</p>
        ) : role === 'tool' ? (
          <ToolText text={shownContent} isOpen={isTarget} />
        ) : (
          <Markdown text={shownContent} />
        ))}
      {isCut && (
        <Act look="link" words={t('Show all {n} characters', { n: content.length })} onClick={() => setWhole(true)} />
      )}
      {metadata?.cut === true && (
        <p class="hint">
          {t('The answer was cut here.')}{' '}
          {question?.role === 'user' && (
            <Act look="link" words={t('Try again')} onClick={() => say(question.content)} />
          )}
        </p>
      )}
      <p class="turn-foot tiny line wrap">
        <time dateTime={created_at}>{moment(created_at)}</time>
        {isUser && (
          <Act
            look={`quiet small${isLooking ? ' is-on' : ''}`}
            icon="spark"
            aria-pressed={isLooking}
            words={
              shown === undefined || shown.tokens === null
                ? t('What was recalled?')
                : t('{n} recalled', { n: shown.recalled.length })
            }
            does={look}
          />
        )}
        <Act look="quiet small" icon="keep" words={t('Remember this')} does={() => rememberText(turn)} />
        {form === null && <Act look="quiet small" icon="pencil" words={t('Edit')} onClick={edit} />}
        <Act look="quiet small" icon="trash" words={t('Delete')} onClick={remove} />
      </p>
      {isUser && shown?.messages != null && next?.role !== 'assistant' && <NoModel shown={shown} />}
    </div>
  )
}

/** Remembers a message as it is, once; only the user's own words are the user's. */
async function rememberText({ role, content, conversation_id, turn_id }: Turn): Promise<string> {
  const source = role === 'user' ? 'user_stated' : 'system'
  const external_id = `turn ${turn_id}, ${content.length}`
  const where = { conversation_id, source_turn_ids: [turn_id], external_id }
  await call('POST', '/memory/long-term', { text: content, source, ...where })
  changes.value += 1
  return t('Remembered.')
}

function ShownFor({ shown: { message, recalled, tokens, gone } }: { readonly shown: Shown }) {
  return (
    <>
      <p class="hint">
        {tokens === null
          ? t('As it would be recalled from what was known then.')
          : t('{n} token in all that the model gets to see|{n} tokens in all that the model gets to see', {
              n: tokens,
            })}{' '}
        {/* The profile may say what is asked: then nothing is recalled for it. */}
        <a href={hashOf('context', '', { message: message.slice(0, LONG_CHARACTERS) })}>
          {t('Try what a model gets to see')}
        </a>
      </p>
      {recalled.length + gone === 0 ? (
        <p class="nothing">{t('Nothing that is remembered answers this message.')}</p>
      ) : (
        <Evidence items={recalled} />
      )}
      {gone > 0 && (
        <p class="nothing">{t('{n} of it was deleted since|{n} of them were deleted since', { n: gone })}</p>
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
  const from = place.value.id
  await ask(message, (id) => {
    const { view, id: here, params } = place.value
    if (view === 'chat' && here === from && (here !== id || 'turn' in params)) go(hashOf('chat', id), here !== '')
  })
}

function Composer() {
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = asking.value?.failure === ''
  const { value: id } = openId
  const draft = drafts.of(id)
  const pasted = attached.of(id)
  const submit = (): void => {
    const message = [draft.trim(), pasted].filter((part) => part !== '').join('\n\n')
    if (message === '' || isBusy) return
    drafts.set(id, '')
    attached.set(id, '')
    void say(message)
  }
  const isWide = matchMedia('(min-width: 800px)').matches
  useEffect(() => void (isWide && field.current?.focus()), [place.value.id])
  useEffect(() => void (isWide && focusSoon()), [isBusy])
  return (
    <form class="composer" onSubmit={onSend(submit)}>
      {pasted !== '' && (
        <p class="attached">
          <Chip words={t('Pasted text, {n} characters', { n: pasted.length })} onRemove={() => attached.set(id, '')} />
        </p>
      )}
      <div class="composer-box card writing line">
        <textarea
          ref={field}
          id="message"
          class={draft.length > LONG_CHARACTERS ? '' : 'grows'}
          rows={draft.length > LONG_CHARACTERS ? 12 : 1}
          aria-label={t('Message')}
          placeholder={t('Write a message…')}
          value={draft}
          onInput={({ currentTarget }) => drafts.set(id, currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? ''
            if (text.length <= LONG_CHARACTERS) return
            event.preventDefault()
            attached.set(id, [pasted, text].filter((part) => part !== '').join('\n\n'))
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        {isBusy ? (
          // Not the button that sends: a click on one must not end on the other.
          <Act key="stop" look="primary round" icon="stop" aria-label={t('Stop')} does={stop} />
        ) : (
          <Act
            key="send"
            type="submit"
            look="primary round"
            icon="send"
            aria-label={t('Send')}
            disabled={draft.trim() === '' && pasted === ''}
          />
        )}
      </div>
    </form>
  )
}
