/** One piece of evidence: what was shown, from when, why, and what can be done about it. */
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

/** Opens the turn in its conversation. */
export function sourceHash(conversation: string, turn: number | null): string {
  return hashOf('chat', conversation, turn === null ? {} : { turn: String(turn) })
}

/** A card. */
export function EvidenceCard({
  item,
  onSwitch,
}: {
  readonly item: Recalled
  /** Leaves a memory out of a look, where there is one. */
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

/** The memory itself, `said` in a turn that stands above it, which can be put right and forgotten where it is seen. */
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

/** Has no model shown this source again, and says how to take it back. */
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

/** Deletes memories, with time to take it back. */
export function forgetMemories(ids: readonly string[]): void {
  deletions.add({
    ids,
    label: t('{n} memory deleted|{n} memories deleted', { n: ids.length }),
    remove: (id, isLeaving) => call('DELETE', pathOf(['memory', 'long-term', id]), undefined, { keepalive: isLeaving }),
  })
}
