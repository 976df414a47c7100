/** One piece of evidence: its text, date, explanation and actions. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { hashOf } from '../address.ts'
import { get } from '../api.ts'
import { deletions } from '../notices.ts'
import type { Memory, Piece, Reasons } from '../records.ts'
import { user } from '../session.ts'
import { t, type Words } from '../translations.ts'
import { Act, Bars, Icon } from './controls.tsx'
import { BuryButton, forget, mute, useCorrection } from './correct.tsx'
import { day } from './dates.ts'
import { useLoad } from './load.tsx'

export function sourceHash(conversation: string, turn: number | null): string {
  return hashOf('chat', conversation, turn === null ? {} : { turn: String(turn) })
}

interface EvidenceProps {
  readonly items: readonly Piece[]
  /** Excludes a memory from a preview, where there is one. */
  readonly onSwitch?: (id: string) => void
  /** The memory's user; another user's is only looked at. */
  readonly of?: string
}

export function Evidence({ items, ...how }: EvidenceProps) {
  return (
    <div class="cards">
      {items.map((item) => (
        <Card key={`${item.kind} ${item.id} ${item.conversation_id} ${item.turn_id}`} item={item} {...how} />
      ))}
    </div>
  )
}

function Card({ item, ...how }: Omit<EvidenceProps, 'items'> & { readonly item: Piece }) {
  const { kind, id, text, tells = [], conversation_id, turn_id, created_at, tokens, explanation } = item
  const [isOpen, setOpen] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const said = kind === 'memory' && deletions.hidden.value.has(id ?? '') ? t('Deleted.') : text
  const source = how.of === undefined || how.of === user.value ? conversation_id : null
  const ids = kind === 'memory' && id ? [id] : tells
  const muting = isMuted ? t('Show this source again') : t('Not from this source again')
  const own = [
    source !== null && (
      <Act
        key="mute"
        look={`quiet small${ids.length === 0 ? '' : ' icon-button'}`}
        icon="mute"
        // Beside what else can be done there is room for the drawing alone.
        {...(ids.length === 0 ? { words: muting } : { 'aria-label': muting })}
        aria-pressed={isMuted}
        does={async () => {
          const words = await mute(source, !isMuted)
          setMuted(!isMuted)
          return words
        }}
      />
    ),
    explanation !== undefined && (
      <Act
        key="why"
        look="link small end"
        aria-expanded={isOpen}
        words={isOpen ? t('Hide why') : t('Why this?')}
        onClick={() => setOpen(!isOpen)}
      />
    ),
  ]
  return (
    <article class="card evidence">
      <p class="line tiny">
        <time dateTime={created_at}>{day(created_at)}</time>
        <span>{kind === 'memory' ? t('memory') : t('said')}</span>
        <span>{t('{n} token|{n} tokens', { n: tokens })}</span>
        {source !== null && (
          <a class="quiet-link end" href={sourceHash(source, turn_id)}>
            {t('Source')} <Icon name="arrow" />
          </a>
        )}
      </p>
      <p class="quote">{said}</p>
      {ids.map((one, at) => (
        <Remembered key={one} id={one} said={said} {...how}>
          {at === ids.length - 1 && own}
        </Remembered>
      ))}
      {ids.length === 0 && <p class="actions tight">{own}</p>}
      {isOpen && explanation !== undefined && <Why explanation={explanation} />}
    </article>
  )
}

interface RememberedProps extends Omit<EvidenceProps, 'items'> {
  readonly id: string
  /** The text above, of its turn or of then. */
  readonly said: string
  /** More actions, at the end of the row. */
  readonly children: ComponentChildren
}

function Remembered({ id, said, onSwitch, of = user.value, children }: RememberedProps) {
  const { data } = useLoad((signal) => get<Memory>(['memory', 'long-term', id], signal, {}, of), [id, of])
  const [form, edit] = useCorrection(data)
  if (form !== null) return form
  if (data === null || deletions.hidden.value.has(id)) return <p class="actions tight">{children}</p>
  return (
    <div class={said === data.text ? 'remembered' : 'remembered within'}>
      {said !== data.text && (
        <p>
          <span class="tag">{t('remembered as')}</span> {data.text}
        </p>
      )}
      <p class="actions tight">
        {of === user.value && (
          <>
            <Act look="quiet small" icon="pencil" words={t('This is wrong')} onClick={edit} />
            <Act
              look="quiet small icon-button"
              icon="trash"
              aria-label={t('Forget this')}
              onClick={() => forget([id])}
            />
            <BuryButton ids={[id]} isBuried={data.buried_at !== null} isTight />
          </>
        )}
        {onSwitch !== undefined && (
          <Act
            look="quiet small icon-button"
            icon="context"
            aria-label={t('Look without it')}
            onClick={() => onSwitch(id)}
          />
        )}
        {children}
      </p>
    </div>
  )
}

const SHOWN = 6

/** Plain names of features; an unlisted feature keeps its own name. */
const NAMES: Readonly<Record<string, Words>> = {
  words: 'same words',
  coverage: 'all words',
  context: 'what was said around it',
  passage: 'words close together',
  answer: 'an answer',
  next: 'what follows',
  before: 'what came before',
  person: 'whose it is',
  length: 'short enough',
  statement: 'a statement',
  recency: 'recent',
  meaning: 'same meaning',
  keyword: 'same words',
  similarity: 'same meaning',
  frequency: 'often used',
  confidence: 'certain',
  category: 'category',
  importance: 'important',
  symbol: 'same names',
  date: 'the time asked for',
  day: 'the day asked for',
  conversation: 'the same conversation',
  brief: 'short enough',
  speaker: 'who said it',
  states: 'says what is asked',
  newest: 'the newest',
}

export function Why({ explanation: { features, matched } }: { readonly explanation: Reasons }) {
  const rows = features
    .filter(({ contribution }) => contribution > 0)
    .sort((a, b) => b.contribution - a.contribution)
    .slice(0, SHOWN)
    .map(({ feature, contribution }) => {
      const words = NAMES[feature]
      return { name: words === undefined ? feature : t(words), value: Math.round(contribution * 100) }
    })
  return (
    <div class="why">
      <Bars rows={rows} />
      {matched.length > 0 && (
        <p class="line wrap tiny">
          {t('Found by')}
          {matched.slice(0, 8).map((word) => (
            <mark key={word}>{word}</mark>
          ))}
        </p>
      )}
    </div>
  )
}
