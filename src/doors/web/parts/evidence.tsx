/** One piece of evidence: its text, date, explanation and actions. */
import { useState } from 'preact/hooks'
import { hashOf } from '../address.ts'
import { call, pathOf } from '../api.ts'
import type { Memory, Recalled } from '../records.ts'
import { changes } from '../session.ts'
import { deletions, tell, tellProblem } from '../told.ts'
import { t } from '../words.ts'
import { bury, correct, mute } from './correct.ts'
import { day } from './dates.ts'
import { Icon } from './icon.tsx'
import { useLoad } from './load.ts'
import { TextForm } from './text-form.tsx'
import { Why } from './why.tsx'

/** The address of a turn in its conversation. */
export function sourceHash(conversation: string, turn: number | null): string {
  return hashOf('chat', conversation, turn === null ? {} : { turn: String(turn) })
}

/** A card. */
export function EvidenceCard({
  item,
  onSwitch,
}: {
  readonly item: Recalled
  /** Excludes a memory from a preview, where there is one. */
  readonly onSwitch?: (id: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const memories = item.kind === 'memory' && item.id ? [item.id] : (item.tells ?? [])
  return (
    <article class="card evidence">
      <p class="evidence-meta">
        <time dateTime={item.created_at}>{day(item.created_at)}</time>
        <span>{item.kind === 'memory' ? t('memory') : t('said')}</span>
        <span>{t('{n} token|{n} tokens', { n: item.tokens })}</span>
        {item.conversation_id !== null && (
          <a class="evidence-source" href={sourceHash(item.conversation_id, item.turn_id)}>
            {t('Source')} <Icon name="arrow" />
          </a>
        )}
      </p>
      {item.kind === 'turn' && (
        <p class="quote" dir="auto">
          {item.text}
        </p>
      )}
      {memories.map((id) => (
        <Remembered key={id} id={id} said={item.kind === 'turn' ? item.text : null} onSwitch={onSwitch} />
      ))}
      <p class="actions evidence-foot">
        {item.explanation !== undefined && (
          <button type="button" class="link why-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('Hide why') : t('Why this?')}
          </button>
        )}
        {item.conversation_id !== null && <Mute conversation={item.conversation_id} />}
      </p>
      {isOpen && item.explanation !== undefined && <Why explanation={item.explanation} />}
    </article>
  )
}

/** A memory on a card, which can be corrected and deleted there; `said` when its text is in a turn above. */
function Remembered({
  id,
  said,
  onSwitch,
}: {
  readonly id: string
  readonly said: string | null
  readonly onSwitch: ((id: string) => void) | undefined
}) {
  const { data, set } = useLoad(
    (signal) => call<Memory>('GET', pathOf(['memory', 'long-term', id]), undefined, { signal }),
    [id, changes.value],
  )
  const [isEditing, setEditing] = useState(false)
  if (data === null || deletions.hidden.value.has(id)) return null
  const save = async (text: string): Promise<void> => {
    try {
      set(await correct(data, { text }))
      setEditing(false)
      tell(t('Corrected.'))
    } catch (error) {
      tellProblem(error)
    }
  }
  if (isEditing)
    return <TextForm label={t('What is right?')} text={data.text} onSave={save} onCancel={() => setEditing(false)} />
  return (
    <div class={said === null || said === data.text ? 'remembered' : 'remembered within'}>
      {said !== data.text && (
        <p dir="auto">
          {said !== null && <span class="tag">{t('remembered as')}</span>}
          {data.text}
        </p>
      )}
      <p class="actions">
        <button type="button" class="quiet small" onClick={() => setEditing(true)}>
          <Icon name="pencil" /> {t('This is wrong')}
        </button>
        <button type="button" class="quiet small" onClick={() => forgetMemories([id])}>
          <Icon name="trash" /> {t('Forget this')}
        </button>
        <button
          type="button"
          class="quiet small"
          onClick={() =>
            bury(id, data.buried_at === null).then(
              (memory) =>
                tell(memory.buried_at === null ? t('Taken out again.') : t('Buried. No model sees it any more.')),
              tellProblem,
            )
          }
        >
          <Icon name="bury" /> {data.buried_at === null ? t('Bury') : t('Take out again')}
        </button>
        {onSwitch !== undefined && (
          <button type="button" class="quiet small" onClick={() => onSwitch(id)}>
            <Icon name="mute" /> {t('Look without it')}
          </button>
        )}
      </p>
    </div>
  )
}

/** Mutes this source's conversation, and says how to undo it. */
function Mute({ conversation }: { readonly conversation: string }) {
  const [isMuted, setMuted] = useState(false)
  const toggle = async (): Promise<void> => {
    try {
      await mute(conversation, !isMuted)
      setMuted(!isMuted)
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <button type="button" class="quiet small" aria-pressed={isMuted} onClick={() => void toggle()}>
      <Icon name="mute" /> {isMuted ? t('Show this source again') : t('Not from this source again')}
    </button>
  )
}

/** Deletes memories, with time to undo it. */
export function forgetMemories(ids: readonly string[]): void {
  deletions.add({
    ids,
    label: t('{n} memory deleted|{n} memories deleted', { n: ids.length }),
    remove: (id, isLeaving) => call('DELETE', pathOf(['memory', 'long-term', id]), undefined, { keepalive: isLeaving }),
  })
}
