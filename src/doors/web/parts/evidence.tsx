/** One piece of evidence: its text, date, explanation and actions. */
import { useState } from 'preact/hooks'
import { hashOf } from '../address.ts'
import { get } from '../api.ts'
import type { Memory, Recalled } from '../records.ts'
import { attempt, deletions } from '../told.ts'
import { t } from '../words.ts'
import { Act } from './controls.tsx'
import { bury, correct, forget, mute } from './correct.ts'
import { day } from './dates.ts'
import { Icon } from './icon.tsx'
import { useLoad } from './load.ts'
import { TextForm } from './text-form.tsx'
import { Why } from './why.tsx'

/** The address of a turn in its conversation. */
export function sourceHash(conversation: string, turn: number | null): string {
  return hashOf('chat', conversation, turn === null ? {} : { turn: String(turn) })
}

interface EvidenceProps {
  readonly items: readonly Recalled[]
  /** Excludes a memory from a preview, where there is one. */
  readonly onSwitch?: (id: string) => void
}

/** A card for each item. */
export function Evidence({ items, onSwitch }: EvidenceProps) {
  return (
    <div class="cards">
      {items.map((item) => (
        <Card key={`${item.kind} ${item.id} ${item.conversation_id} ${item.turn_id}`} item={item} onSwitch={onSwitch} />
      ))}
    </div>
  )
}

function Card({ item, onSwitch }: { readonly item: Recalled; readonly onSwitch: EvidenceProps['onSwitch'] }) {
  const { kind, id, text, tells = [], conversation_id, turn_id, created_at, tokens, explanation } = item
  const [isOpen, setOpen] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const toggle = async (conversation: string): Promise<string> => {
    const words = await mute(conversation, !isMuted)
    setMuted(!isMuted)
    return words
  }
  return (
    <article class="card evidence">
      <p class="line tiny">
        <time dateTime={created_at}>{day(created_at)}</time>
        <span>{kind === 'memory' ? t('memory') : t('said')}</span>
        <span>{t('{n} token|{n} tokens', { n: tokens })}</span>
        {conversation_id !== null && (
          <a class="quiet-link end" href={sourceHash(conversation_id, turn_id)}>
            {t('Source')} <Icon name="arrow" />
          </a>
        )}
      </p>
      {kind === 'turn' && (
        <p class="quote" dir="auto">
          {text}
        </p>
      )}
      {(kind === 'memory' && id ? [id] : tells).map((one) => (
        <Remembered key={one} id={one} said={kind === 'turn' ? text : null} onSwitch={onSwitch} />
      ))}
      <p class="actions spread">
        {explanation !== undefined && (
          <Act
            look="link why-button"
            aria-expanded={isOpen}
            words={isOpen ? t('Hide why') : t('Why this?')}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        {conversation_id !== null && (
          <Act
            look="quiet small"
            icon="mute"
            aria-pressed={isMuted}
            words={isMuted ? t('Show this source again') : t('Not from this source again')}
            onClick={() => attempt(() => toggle(conversation_id))}
          />
        )}
      </p>
      {isOpen && explanation !== undefined && <Why explanation={explanation} />}
    </article>
  )
}

interface RememberedProps {
  readonly id: string
  /** The turn above, where the memory's text stands in one. */
  readonly said: string | null
  readonly onSwitch: EvidenceProps['onSwitch']
}

/** A memory on a card, which can be corrected and deleted there. */
function Remembered({ id, said, onSwitch }: RememberedProps) {
  const { data } = useLoad((signal) => get<Memory>(['memory', 'long-term', id], signal), [id])
  const [isEditing, setEditing] = useState(false)
  if (data === null || deletions.hidden.value.has(id)) return null
  const save = async (text: string): Promise<string> => {
    const words = await correct(data, { text })
    setEditing(false)
    return words
  }
  if (isEditing)
    return <TextForm label={t('What is right?')} text={data.text} onSave={save} onCancel={() => setEditing(false)} />
  const isBuried = data.buried_at !== null
  return (
    <div class={said === null || said === data.text ? 'remembered' : 'remembered within'}>
      {said !== data.text && (
        <p dir="auto">
          {said !== null && <span class="tag">{t('remembered as')}</span>} {data.text}
        </p>
      )}
      <p class="actions tight">
        <Act look="quiet small" icon="pencil" words={t('This is wrong')} onClick={() => setEditing(true)} />
        <Act look="quiet small" icon="trash" words={t('Forget this')} onClick={() => forget([id])} />
        <Act
          look="quiet small"
          icon="bury"
          words={isBuried ? t('Take out again') : t('Bury')}
          onClick={() => attempt(() => bury([id], !isBuried))}
        />
        {onSwitch !== undefined && (
          <Act look="quiet small" icon="mute" words={t('Look without it')} onClick={() => onSwitch(id)} />
        )}
      </p>
    </div>
  )
}
