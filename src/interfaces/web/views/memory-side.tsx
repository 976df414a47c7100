/** One memory whole: what it says, how it stands, where it came from, what became of it. */
import { useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { day, moment } from '../parts/dates.ts'
import { forgetMemories, sourceHash } from '../parts/evidence.tsx'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Side } from '../parts/side.tsx'
import { Failed } from '../parts/states.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { Why } from '../parts/why.tsx'
import type { Explanation, Memory, MemoryEvent, Page, Turn } from '../records.ts'
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
/** Turns of a source that are shown. */
const MOST_SOURCES = 3

interface Whole {
  readonly memory: Memory
  readonly events: readonly MemoryEvent[]
  readonly sources: readonly Turn[]
  readonly successor: Memory | null
  readonly predecessors: readonly Memory[]
}

async function readWhole(id: string, signal: AbortSignal): Promise<Whole> {
  const get = <T,>(path: string): Promise<T> => call<T>('GET', path, undefined, { signal })
  const one = (which: string): string => pathOf(['memory', 'long-term', which])
  const memory = await get<Memory>(one(id))
  const { conversation_id, source_turn_ids, superseded_by } = memory
  const before = { filters: JSON.stringify({ superseded_by: id }), include_past: true, limit: 10 }
  const sourceOf = async (turn: number): Promise<readonly Turn[]> => {
    const range = { from_turn: turn, to_turn: turn }
    // A turn that was deleted is no reason not to show the rest.
    return get<Page<Turn>>(pathOf(['conversations', conversation_id ?? '', 'turns'], range)).then(
      ({ items }) => items,
      () => [],
    )
  }
  const [events, sources, successor, predecessors] = await Promise.all([
    get<Page<MemoryEvent>>(`${one(id)}/history`),
    conversation_id === null ? [] : Promise.all(source_turn_ids.slice(0, MOST_SOURCES).map(sourceOf)),
    superseded_by === null ? null : get<Memory>(one(superseded_by)).catch(() => null),
    get<Page<Memory>>(pathOf(['memory', 'long-term'], before)),
  ])
  return { memory, events: events.items, sources: sources.flat(), successor, predecessors: predecessors.items }
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
  whole: { memory, events, sources, successor, predecessors },
  explanation,
  onGone,
}: {
  readonly whole: Whole
  readonly explanation: Explanation | undefined
  readonly onGone: () => void
}) {
  const [isEditing, setEditing] = useState(false)
  const { id, text, suspect, conversation_id } = memory
  const filters = { ...filtersOf(place.value.params) }
  const change = async (patch: object): Promise<void> => {
    try {
      await call('PATCH', pathOf(['memory', 'long-term', id]), patch)
      setEditing(false)
      changes.value += 1
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
      {!isEditing && (
        <p class="actions">
          <button type="button" class="small" onClick={() => setEditing(true)}>
            <Icon name="pencil" /> {t('Correct')}
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
      {successor !== null && <Neighbour label={t('replaced by')} memory={successor} />}
      {predecessors.map((one) => (
        <Neighbour key={one.id} label={t('took the place of')} memory={one} />
      ))}
      <Facts memory={memory} onChange={change} />
      {explanation !== undefined && (
        <section>
          <h3>{t('Why it was found')}</h3>
          <Why explanation={explanation} />
        </section>
      )}
      {conversation_id !== null && (
        <section>
          <h3>{t('Where it comes from')}</h3>
          {sources.map((turn) => (
            <a key={turn.turn_id} class="source" href={sourceHash(turn.conversation_id, turn.turn_id)}>
              <span class="source-meta">
                {turn.speaker ?? t(turn.role === 'user' ? 'you' : 'assistant')} · {moment(turn.created_at)}
              </span>
              <span class="quote" dir="auto">
                {turn.content}
              </span>
            </a>
          ))}
          <p class="links">
            <button
              type="button"
              class="link"
              onClick={() => go(hashOf('memories', '', { ...filters, conversation: conversation_id, q: '' }))}
            >
              {t('All from {name}', { name: nameOf(conversation_id) })}
            </button>
          </p>
        </section>
      )}
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
    </>
  )
}

function Neighbour({ label, memory }: { readonly label: string; readonly memory: Memory }) {
  return (
    <a class="neighbour" href={hashOf('memories', memory.id, { ...filtersOf(place.value.params) })}>
      <span class="tag">{label}</span> <span dir="auto">{memory.text}</span> <Icon name="arrow" />
    </a>
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
