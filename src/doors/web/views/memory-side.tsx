/** One memory in full: text, state, sources and lineage. */
import { useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { bury, correct } from '../parts/correct.ts'
import { day, moment } from '../parts/dates.ts'
import { forgetMemories } from '../parts/evidence.tsx'
import { Icon } from '../parts/icon.tsx'
import { LineageMap, readLineage } from '../parts/lineage.tsx'
import { useLoad } from '../parts/load.ts'
import { Side } from '../parts/side.tsx'
import { Failed } from '../parts/states.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { type UndoneSource, UndoSource } from '../parts/undo-source.tsx'
import { Why } from '../parts/why.tsx'
import type { Explanation, Memory, MemoryEvent, Page } from '../records.ts'
import { changes } from '../session.ts'
import { deletions, tell, tellProblem } from '../told.ts'
import { t } from '../words.ts'
import { nameOf } from './conversations.ts'
import { filtersOf, standingOf } from './memory-list.ts'

const SOURCES = {
  user_stated: 'you, in so many words',
  inferred: 'what you said, inferred',
  system: 'a program',
} as const
const EVENTS = { ADD: 'Remembered', UPDATE: 'Changed', SUPERSEDE: 'Replaced', DELETE: 'Deleted' } as const

interface Whole {
  readonly memory: Memory
  readonly events: readonly MemoryEvent[]
}

async function readWhole(id: string, signal: AbortSignal): Promise<Whole> {
  const path = pathOf(['memory', 'long-term', id])
  const [memory, { items }] = await Promise.all([
    call<Memory>('GET', path, undefined, { signal }),
    call<Page<MemoryEvent>>('GET', `${path}/history`, undefined, { signal }),
  ])
  return { memory, events: items }
}

/** The column of a memory. */
export function MemorySide({
  id,
  explanation,
  onClose,
}: {
  readonly id: string
  readonly explanation: Explanation | undefined
  readonly onClose: () => void
}) {
  const { data, error } = useLoad((signal) => readWhole(id, signal), [id, changes.value])
  const isGone = deletions.hidden.value.has(id)
  return (
    <Side title={t('Memory')} onClose={onClose}>
      {isGone ? <p class="nothing">{t('Deleted.')}</p> : error !== null ? <Failed error={error} /> : null}
      {!isGone && error === null && data !== null && data.memory.id === id && (
        <WholeMemory whole={data} explanation={explanation} onGone={onClose} />
      )}
    </Side>
  )
}

function WholeMemory({
  whole: { memory, events },
  explanation,
  onGone,
}: {
  readonly whole: Whole
  readonly explanation: Explanation | undefined
  readonly onGone: () => void
}) {
  const [isEditing, setEditing] = useState(false)
  const [undone, setUndone] = useState<UndoneSource | null>(null)
  const { id, text, suspect, conversation_id, source_turn_ids, buried_at } = memory
  const { data: lineage } = useLoad((signal) => readLineage(memory, signal), [id, memory.updated_at, changes.value])
  const buryIt = async (): Promise<void> => {
    try {
      await bury(id, buried_at === null)
      tell(buried_at === null ? t('Buried. No model sees it any more.') : t('Taken out again.'))
    } catch (error) {
      tellProblem(error)
    }
  }
  const filters = { ...filtersOf(place.value.params) }
  const change = async (patch: object): Promise<void> => {
    try {
      await correct(memory, patch)
      setEditing(false)
      tell(t('Corrected.'))
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <>
      {isEditing ? (
        <TextForm
          label={t('What is right?')}
          text={text}
          onSave={(value) => change({ text: value })}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p class={`memory-whole is-${standingOf(memory)}`} dir="auto">
          {text}
        </p>
      )}
      {suspect !== null && (
        <p class="note doubt">
          {t('In doubt since {day}', { day: day(suspect.since) })}: {suspect.reason}
        </p>
      )}
      {buried_at !== null && (
        <p class="note">{t('Buried since {day}: kept, and shown to no model.', { day: day(buried_at) })}</p>
      )}
      {!isEditing && (
        <p class="actions">
          <button type="button" class="small" onClick={() => setEditing(true)}>
            <Icon name="pencil" /> {t('Correct')}
          </button>
          <button type="button" class="small" onClick={() => void buryIt()}>
            <Icon name="bury" /> {buried_at === null ? t('Bury') : t('Take out again')}
          </button>
          <button
            type="button"
            class="small danger-text"
            onClick={() => {
              forgetMemories([id])
              onGone()
            }}
          >
            <Icon name="trash" /> {t('Delete')}
          </button>
        </p>
      )}
      <Facts memory={memory} onChange={change} />
      {explanation !== undefined && (
        <section>
          <h3>{t('Why it was found')}</h3>
          <Why explanation={explanation} />
        </section>
      )}
      <section>
        <h3>{t('Where it comes from')}</h3>
        {lineage !== null && <LineageMap memory={memory} lineage={lineage} />}
        {conversation_id !== null && (
          <p class="links">
            <button
              type="button"
              class="link"
              onClick={() => go(hashOf('memories', '', { ...filters, conversation: conversation_id, q: '' }))}
            >
              {t('All from {name}', { name: nameOf(conversation_id) })}
            </button>
            {source_turn_ids.length === 1 && (
              <button
                type="button"
                class="link danger-text"
                onClick={() => setUndone({ conversation_id, turn_id: source_turn_ids[0]! })}
              >
                {t('Undo this message')}
              </button>
            )}
            <button type="button" class="link danger-text" onClick={() => setUndone({ conversation_id })}>
              {t('Undo the whole conversation')}
            </button>
          </p>
        )}
      </section>
      <section>
        <h3>{t('History')}</h3>
        <ol class="history">
          {events.map(({ event, previous_text, new_text, created_at }, at) => (
            <li key={at}>
              <span class="history-head">
                <strong>{t(EVENTS[event])}</strong> <time dateTime={created_at}>{moment(created_at)}</time>
              </span>
              {previous_text !== null && previous_text !== new_text && <del dir="auto">{previous_text}</del>}
              {new_text !== null && <ins dir="auto">{new_text}</ins>}
            </li>
          ))}
        </ol>
      </section>
      {undone !== null && <UndoSource source={undone} onClose={() => setUndone(null)} />}
    </>
  )
}

function Facts({ memory, onChange }: { readonly memory: Memory; readonly onChange: (patch: object) => Promise<void> }) {
  const {
    category,
    memory_type,
    who,
    occurred_at,
    valid_from,
    valid_to,
    source,
    confidence,
    access_count,
    project_root,
  } = memory
  return (
    <dl class="facts">
      <dt>{t('Category')}</dt>
      <dd>
        <select
          aria-label={t('Category')}
          value={category}
          onChange={({ currentTarget }) => void onChange({ category: currentTarget.value })}
        >
          <option value="preference">{t('preference')}</option>
          <option value="fact">{t('fact')}</option>
          <option value="pattern">{t('pattern')}</option>
        </select>
      </dd>
      <dt>{t('Type')}</dt>
      <dd>{t(memory_type === 'episodic' ? 'episode' : 'lasting fact')}</dd>
      <dt>{t('Whose')}</dt>
      <dd>
        <bdi>{who === null || who === 'user' ? t('yours') : who}</bdi>
      </dd>
      <dt>{t('Happened')}</dt>
      <dd>{moment(occurred_at)}</dd>
      <dt>{t('Holds')}</dt>
      <dd>
        {t('since {day}', { day: day(valid_from) })}
        {valid_to === null ? '' : ` · ${t('until {day}', { day: day(valid_to) })}`}
      </dd>
      <dt>{t('Told by')}</dt>
      <dd>
        {t(SOURCES[source])} · {t('{n} % certain', { n: Math.round(confidence * 100) })}
      </dd>
      <dt>{t('Shown to a model')}</dt>
      <dd>{t('{n} time|{n} times', { n: access_count })}</dd>
      {project_root !== null && (
        <>
          <dt>{t('Project')}</dt>
          <dd>
            <bdi>{project_root}</bdi>
          </dd>
        </>
      )}
    </dl>
  )
}
