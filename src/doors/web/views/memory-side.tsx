/** One memory in full: text, state, sources and lineage. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { hashOf, place } from '../address.ts'
import { get } from '../api.ts'
import { attempt, deletions } from '../notices.ts'
import { Act, Change, Choice, Facts, Failed, Side } from '../parts/controls.tsx'
import { BuryButton, correct, forget, type UndoneSource, UndoSource, useCorrection } from '../parts/correct.tsx'
import { day, moment } from '../parts/dates.ts'
import { sourceHash, Why } from '../parts/evidence.tsx'
import { useLoad } from '../parts/load.tsx'
import type { Explanation, Memory, MemoryEvent, Page } from '../records.ts'
import { t, told, type Words } from '../translations.ts'
import { nameOf, readTurn } from './conversations.tsx'
import { categories, sources } from './memory-filters.tsx'
import { filtersOf, standingOf } from './memory-list.ts'

const EVENTS = { ADD: 'Remembered', UPDATE: 'Changed', SUPERSEDE: 'Replaced', DELETE: 'Deleted' } as const

async function readWhole(id: string, signal: AbortSignal) {
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

export function MemorySide({ id, explanation, onClose }: SideProps) {
  const { data, error } = useLoad((signal) => readWhole(id, signal), [id])
  const isGone = deletions.hidden.value.has(id)
  return (
    <Side title={t('Memory')} onClose={onClose}>
      {isGone ? <p class="nothing">{t('Deleted.')}</p> : <Failed error={error} />}
      {/* Typed text stays when reloading the memory fails. */}
      {!isGone && data !== null && data.memory.id === id && (
        <WholeMemory {...data} explanation={explanation} onGone={onClose} />
      )}
    </Side>
  )
}

interface WholeProps extends Awaited<ReturnType<typeof readWhole>> {
  readonly explanation: Explanation | undefined
  readonly onGone: () => void
}

function WholeMemory({ memory, events, explanation, onGone }: WholeProps) {
  const [form, edit] = useCorrection(memory)
  const [undone, setUndone] = useState<UndoneSource | null>(null)
  const { id, text, suspect, conversation_id, source_turn_ids, buried_at } = memory
  const filters = filtersOf(place.value.params)
  const { data: lineage } = useLoad((signal) => readLineage(memory, signal), [id, memory.updated_at])
  return (
    <>
      {form ?? <p class={`memory-whole is-${standingOf(memory)}`}>{text}</p>}
      {suspect !== null && (
        <p class="note doubt">
          {t('In doubt since {day}', { day: day(suspect.since) })}: {told(suspect.reason)}
          {lineage?.doubter != null && (
            <a class="block" href={hashOf('memories', lineage.doubter.id, place.value.params)}>
              {lineage.doubter.text}
            </a>
          )}
        </p>
      )}
      {buried_at !== null && (
        <p class="note">{t('Buried since {day}: kept, and shown to no model.', { day: day(buried_at) })}</p>
      )}
      {form === null && (
        <p class="actions">
          {suspect !== null && <Act words={t('It still holds')} does={() => correct(memory, { text })} />}
          <Act icon="pencil" words={t('Correct')} onClick={edit} />
          <BuryButton ids={[id]} isBuried={buried_at !== null} />
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
      <About memory={memory} />
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
                words={t('Forget all from this message')}
                onClick={() => setUndone({ conversation_id, turn_id: source_turn_ids[0]! })}
              />
            )}
            <Act
              look="link danger-text"
              words={t('Forget all from this conversation')}
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
              <Change before={previous_text} after={new_text} />
            </li>
          ))}
        </ol>
      </section>
      {undone !== null && (
        <UndoSource source={undone} onClose={() => setUndone(null)} onDone={(gone) => gone.includes(id) && onGone()} />
      )}
    </>
  )
}

function About({ memory }: { readonly memory: Memory }) {
  const { category, memory_type, who, occurred_at, valid_from, valid_to } = memory
  const { source, confidence, access_count, project_root } = memory
  const until = valid_to === null ? '' : ` · ${t('until {day}', { day: day(valid_to) })}`
  const choice = (
    <Choice
      label={t('Category')}
      value={category}
      options={categories()}
      onPick={(one) => attempt(() => correct(memory, { category: one }))}
    />
  )
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [t('Category'), choice],
    [t('Type'), t(memory_type === 'episodic' ? 'episode' : 'lasting fact')],
    [t('About'), who === null || who === 'user' ? t('you') : who],
    [t('Happened'), moment(occurred_at)],
    [t('Valid'), t('since {day}', { day: day(valid_from) }) + until],
    [t('Told by'), `${sources()[source]} · ${t('{n} % certain', { n: Math.round(confidence * 100) })}`],
    [t('Shown to a model'), t('{n} time|{n} times', { n: access_count })],
    [t('Project'), project_root],
  ]
  return <Facts rows={rows} />
}

const MOST_SOURCES = 5
const MOST_RELATED = 20

type Lineage = Awaited<ReturnType<typeof readLineage>>

async function readLineage(memory: Memory, signal: AbortSignal) {
  const { id, conversation_id, source_turn_ids, superseded_by, suspect, metadata } = memory
  const one = (which: string): Promise<readonly Memory[]> =>
    get<Memory>(['memory', 'long-term', which], signal).then(
      (found) => [found],
      () => [],
    )
  // One query for all, because the server scans every memory for it.
  const pointing = async (): Promise<readonly Memory[]> => {
    const fields = ['superseded_by', 'metadata.source_ids', 'metadata.merged_from_ids', 'metadata.doubted_by']
    const filters = JSON.stringify({ OR: fields.map((field) => ({ [field]: id })) })
    const asked = { filters, include_past: true, include_buried: true, limit: MOST_RELATED }
    return (await get<Page<Memory>>(['memory', 'long-term'], signal, asked)).items.filter((other) => other.id !== id)
  }
  const names = (other: Memory, field: string): boolean => {
    const ids = other.metadata?.[field]
    return Array.isArray(ids) && ids.includes(id)
  }
  const turn = (number: number) => readTurn(conversation_id ?? '', number, signal).catch(() => undefined)
  const made = metadata?.source_ids
  const origins = Array.isArray(made) ? made.filter((name): name is string => typeof name === 'string') : []
  const [sources, successors, doubters, others, before, isInFile] = await Promise.all([
    conversation_id === null ? [] : Promise.all(source_turn_ids.slice(0, MOST_SOURCES).map(turn)),
    superseded_by === null ? [] : one(superseded_by),
    suspect === null || typeof metadata?.doubted_by !== 'string' ? [] : one(metadata.doubted_by),
    pointing(),
    Promise.all(origins.slice(0, MOST_RELATED).map(one)),
    get<{ entries: readonly { memory_id: string | null }[] }>('/memory-file', signal).then(
      ({ entries }) => entries.some((entry) => entry.memory_id === id),
      () => false,
    ),
  ])
  return {
    sources: sources.flatMap((source) => source ?? []),
    predecessors: others.filter((other) => other.superseded_by === id),
    successor: successors[0] ?? null,
    /** Facts derived from it, and memories that it puts in doubt. */
    rests: others.filter((other) => names(other, 'source_ids') || names(other, 'merged_from_ids')),
    doubts: others.filter((other) => other.metadata?.doubted_by === id),
    /** The memory that puts it in doubt. */
    doubter: doubters[0] ?? null,
    /** The memories that it was made from, if any. */
    origins: before.flat(),
    isInFile,
  }
}

function LineageMap({ memory, lineage }: { readonly memory: Memory; readonly lineage: Lineage }) {
  const { sources, predecessors, successor, rests, doubts, origins, isInFile } = lineage
  const node = (label: Words, one: Memory) => (
    <li key={`${label} ${one.id}`} class="map-node">
      <a class="card map-card" href={hashOf('memories', one.id, place.value.params)}>
        <span class="tiny block">{t(label)}</span>
        <span>{one.text}</span>
      </a>
    </li>
  )
  return (
    <ol class="map stack">
      {sources.map((turn) => (
        <li key={turn.turn_id} class="map-node is-source">
          <a class="card map-card source" href={sourceHash(turn.conversation_id, turn.turn_id)}>
            <span class="tiny block">
              {turn.speaker ?? t(turn.role === 'user' ? 'you' : 'assistant')} · {moment(turn.created_at)}
            </span>
            <span class="quote">{turn.content}</span>
          </a>
        </li>
      ))}
      {origins.map((one) => node('made from', one))}
      <li class="map-node is-here" aria-current="true">
        <p class="card map-card">{memory.text}</p>
      </li>
      {predecessors.map((one) => node('replaced', one))}
      {successor !== null && node('replaced by', successor)}
      {rests.map((one) => node('based on this', one))}
      {doubts.map((one) => node('in doubt because of this', one))}
      {isInFile && (
        <li class="map-node">
          <a class="card map-card" href={hashOf('profile', 'file')}>
            <span class="tiny block">{t('written in')}</span> MEMORY.md
          </a>
        </li>
      )}
    </ol>
  )
}
