/** One memory in full: text, state, sources and lineage. */
import { useState } from 'preact/hooks'
import { hashOf, place } from '../address.ts'
import { get } from '../api.ts'
import { Act, Choice } from '../parts/controls.tsx'
import { bury, correct, forget } from '../parts/correct.ts'
import { day, moment } from '../parts/dates.ts'
import { LineageMap, readLineage } from '../parts/lineage.tsx'
import { useLoad } from '../parts/load.ts'
import { Side } from '../parts/side.tsx'
import { Failed } from '../parts/states.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { type UndoneSource, UndoSource } from '../parts/undo-source.tsx'
import { Why } from '../parts/why.tsx'
import type { Explanation, Memory, MemoryEvent, Page } from '../records.ts'
import { attempt, deletions } from '../told.ts'
import { t, type Words } from '../words.ts'
import { nameOf } from './conversations.ts'
import { categories } from './memory-filters.tsx'
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
  const path = ['memory', 'long-term', id]
  const [memory, { items }] = await Promise.all([
    get<Memory>(path, signal),
    get<Page<MemoryEvent>>([...path, 'history'], signal),
  ])
  return { memory, events: items }
}

interface SideProps {
  readonly id: string
  readonly explanation: Explanation | undefined
  readonly onClose: () => void
}

/** The column of a memory. */
export function MemorySide({ id, explanation, onClose }: SideProps) {
  const { data, error } = useLoad((signal) => readWhole(id, signal), [id])
  const isGone = deletions.hidden.value.has(id)
  return (
    <Side title={t('Memory')} onClose={onClose}>
      {isGone ? <p class="nothing">{t('Deleted.')}</p> : <Failed error={error} />}
      {!isGone && error === null && data !== null && data.memory.id === id && (
        <WholeMemory {...data} explanation={explanation} onGone={onClose} />
      )}
    </Side>
  )
}

interface WholeProps extends Whole {
  readonly explanation: Explanation | undefined
  readonly onGone: () => void
}

function WholeMemory({ memory, events, explanation, onGone }: WholeProps) {
  const [isEditing, setEditing] = useState(false)
  const [undone, setUndone] = useState<UndoneSource | null>(null)
  const { id, text, suspect, conversation_id, source_turn_ids, buried_at } = memory
  const filters = filtersOf(place.value.params)
  const { data: lineage } = useLoad((signal) => readLineage(memory, signal), [id, memory.updated_at])
  const isBuried = buried_at !== null
  const change = async (patch: object): Promise<string> => {
    const words = await correct(memory, patch)
    setEditing(false)
    return words
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
      {isBuried && <p class="note">{t('Buried since {day}: kept, and shown to no model.', { day: day(buried_at) })}</p>}
      {!isEditing && (
        <p class="actions">
          <Act icon="pencil" words={t('Correct')} onClick={() => setEditing(true)} />
          <Act
            icon="bury"
            words={isBuried ? t('Take out again') : t('Bury')}
            onClick={() => attempt(() => bury([id], !isBuried))}
          />
          <Act
            look="small danger-text"
            icon="trash"
            words={t('Delete')}
            onClick={() => {
              forget([id])
              onGone()
            }}
          />
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
            <a href={hashOf('memories', '', { ...filters, conversation: conversation_id, q: '' })}>
              {t('All from {name}', { name: nameOf(conversation_id) })}
            </a>
            {source_turn_ids.length === 1 && (
              <Act
                look="link danger-text"
                words={t('Undo this message')}
                onClick={() => setUndone({ conversation_id, turn_id: source_turn_ids[0]! })}
              />
            )}
            <Act
              look="link danger-text"
              words={t('Undo the whole conversation')}
              onClick={() => setUndone({ conversation_id })}
            />
          </p>
        )}
      </section>
      <section>
        <h3>{t('History')}</h3>
        <ol class="history">
          {events.map(({ event, previous_text, new_text, created_at }, at) => (
            <li key={at}>
              <strong>{t(EVENTS[event])}</strong>{' '}
              <time class="tiny" dateTime={created_at}>
                {moment(created_at)}
              </time>
              <span class="texts">
                {previous_text !== null && previous_text !== new_text && <del dir="auto">{previous_text}</del>}
                {new_text !== null && <ins dir="auto">{new_text}</ins>}
              </span>
            </li>
          ))}
        </ol>
      </section>
      {undone !== null && <UndoSource source={undone} onClose={() => setUndone(null)} />}
    </>
  )
}

function Facts({
  memory,
  onChange,
}: {
  readonly memory: Memory
  readonly onChange: (patch: object) => Promise<string>
}) {
  const { category, memory_type, who, occurred_at, valid_from, valid_to } = memory
  const { source, confidence, access_count, project_root } = memory
  const until = valid_to === null ? '' : ` · ${t('until {day}', { day: day(valid_to) })}`
  const rows: readonly (readonly [Words, string | null])[] = [
    ['Type', t(memory_type === 'episodic' ? 'episode' : 'lasting fact')],
    ['Whose', who === null || who === 'user' ? t('yours') : who],
    ['Happened', moment(occurred_at)],
    ['Holds', t('since {day}', { day: day(valid_from) }) + until],
    ['Told by', `${t(SOURCES[source])} · ${t('{n} % certain', { n: Math.round(confidence * 100) })}`],
    ['Shown to a model', t('{n} time|{n} times', { n: access_count })],
    ['Project', project_root],
  ]
  return (
    <dl class="facts">
      <dt>{t('Category')}</dt>
      <dd>
        <Choice
          label={t('Category')}
          value={category}
          options={categories()}
          onPick={(one) => attempt(() => onChange({ category: one }))}
        />
      </dd>
      {rows.flatMap(([name, value]) =>
        value === null
          ? []
          : [
              <dt key={name}>{t(name)}</dt>,
              <dd key={`${name} value`} dir="auto">
                {value}
              </dd>,
            ],
      )}
    </dl>
  )
}
