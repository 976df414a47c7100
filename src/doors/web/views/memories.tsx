/** All memories: browse, search, correct, delete. */
import { useEffect, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call } from '../api.ts'
import { deletions } from '../notices.ts'
import { Act, Empty, Failed, Icon, SearchField } from '../parts/controls.tsx'
import { BuryButton, forget, useCorrection } from '../parts/correct.tsx'
import { ago, day, freshness } from '../parts/dates.ts'
import { pause, useLoad, useTextForm } from '../parts/load.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import type { Memory } from '../records.ts'
import { changes } from '../session.ts'
import { t } from '../translations.ts'
import { conversations, noteProjects, ProjectName, readConversations } from './conversations.tsx'
import { DaySlider, FilterBar } from './memory-filters.tsx'
import {
  DAY_END,
  type Filters,
  type Found,
  filtersOf,
  listMemories,
  MOST_ROWS,
  searchMemories,
  standingOf,
  timeOf,
} from './memory-list.ts'
import { MemorySide } from './memory-side.tsx'

const ROW_PIXELS = 76
/** Rows that are loaded before the first one in sight, when others come in sight. */
const ROWS_BEFORE = 80
/** Milliseconds without a keystroke before the full search, and without a slider move before loading a day. */
const WAIT_MS = 600
const SLIDE_MS = 60

/** A stretch of the list around what is in sight, or all that a search found. */
interface Rows {
  readonly query: string
  readonly total: number
  readonly first: number
  readonly items: readonly Found[]
}

async function readRows(
  filters: Filters,
  first: number,
  signal: AbortSignal,
  show: (rows: Rows) => void,
): Promise<Rows> {
  const { q: query } = filters
  const rows = (items: readonly Found[], total = items.length): Rows => {
    noteProjects(items)
    return { query, total, first, items }
  }
  if (filters.at !== '') await pause(SLIDE_MS, signal)
  if (query.trim() === '') {
    const { items, total } = await listMemories(filters, first, signal)
    return rows(items, total)
  }
  show(rows(await searchMemories(filters, signal, 'few')))
  // The full results with explanations, once typing has paused.
  await pause(WAIT_MS, signal)
  return rows(await searchMemories(filters, signal))
}

export function Memories() {
  const { id, params } = place.value
  const filters = filtersOf(params)
  const name = JSON.stringify(filters)
  const [sight, setSight] = useState({ of: name, first: 0 })
  const first = sight.of === name ? sight.first : 0
  const { data: rows, error } = useLoad<Rows>((signal, show) => readRows(filters, first, signal, show), [name, first])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [adding, add] = useTextForm(t('What should I remember?'), '', async (text) => {
    const { project } = filters
    await call('POST', '/memory/long-term', { text, ...(project === '' ? {} : { project_root: project }) })
    changes.value += 1
    return project === '' ? t('Remembered.') : t('Added to {name}.', { name: project.split('/').at(-1)! })
  })
  useEffect(() => {
    if (conversations.value === null) readConversations().catch(() => {})
  }, [])

  // Deleted rows leave no gap.
  const items = (rows?.items ?? []).filter((memory) => !deletions.hidden.value.has(memory.id))
  const count = rows === null ? 0 : rows.total - rows.items.length + items.length
  const memoryAt = (index: number) => items[index - (rows?.first ?? 0)]
  const setFilter = (part: Partial<Filters>, isTyped = false): void =>
    go(hashOf('memories', '', { ...filters, ...part }), isTyped && 'typed')
  const chooseNone = (): void => setChosen(new Set())
  const isFiltered = Object.values(filters).some((one) => one !== '')
  // A search that is full names the best of what it found.
  const isFull = rows !== null && rows.query.trim() !== '' && count >= MOST_ROWS
  return (
    <div class={`memories${id === '' ? '' : ' with-side'}`}>
      <section class="main-column column" aria-label={t('Memories')} data-shown-for={rows?.query}>
        <header class="page-head line">
          <h1>{t('Memories')}</h1>
          <span class="count" aria-live="polite">
            {rows !== null && t(isFull ? 'The best {n} memories' : '{n} memory|{n} memories', { n: count })}
          </span>
          <a class="button quiet end" href={hashOf('changes')}>
            <Icon name="clock" /> <span>{t('What changed')}</span>
          </a>
          <Act id="new" look="" icon="plus" words={t('Add')} onClick={add} />
        </header>
        {adding !== null && <div class="card">{adding}</div>}
        <SearchField label={t('Search what is remembered')} value={filters.q} onType={(q) => setFilter({ q }, true)} />
        <FilterBar filters={filters} onChange={setFilter} />
        {filters.at !== '' && <DaySlider filters={filters} onChange={setFilter} />}
        {chosen.size > 0 && (
          <div class="note line wrap chosen" role="status">
            <span>{t('{n} selected', { n: chosen.size })}</span>
            <Act
              look="danger small end"
              icon="trash"
              words={t('Delete')}
              onClick={() => {
                forget([...chosen])
                chooseNone()
              }}
            />
            <BuryButton ids={[...chosen]} isBuried={filters.state === 'buried'} onClick={chooseNone} />
            <Act
              look="quiet small"
              words={t('Select all loaded')}
              onClick={() => setChosen(new Set([...chosen, ...items.map((memory) => memory.id)]))}
            />
            <Act look="quiet small" words={t('Select none')} onClick={chooseNone} />
          </div>
        )}
        <Failed error={error} />
        {rows !== null && count === 0 ? (
          <NothingThere isFiltered={isFiltered} />
        ) : (
          <VirtualRows
            resetBy={name}
            count={count}
            rowHeight={ROW_PIXELS}
            label={t('Memories')}
            onSight={(from, to) => {
              // A search has all its rows.
              if (filters.q.trim() === '' && (from < first || to > first + MOST_ROWS))
                setSight({ of: name, first: Math.max(0, from - ROWS_BEFORE) })
            }}
            keyOf={(index) => memoryAt(index)?.id ?? String(index)}
            render={(index) => {
              const memory = memoryAt(index)
              return memory === undefined ? (
                <div class="row-waiting" aria-hidden="true" />
              ) : (
                <MemoryRow
                  memory={memory}
                  filters={filters}
                  isOpen={memory.id === id}
                  isChosen={chosen.has(memory.id)}
                  onChoose={() => setChosen(chosen.symmetricDifference(new Set([memory.id])))}
                />
              )
            }}
          />
        )}
      </section>
      {id !== '' && (
        <MemorySide
          id={id}
          explanation={items.find((memory) => memory.id === id)?.explanation}
          onClose={() => go(hashOf('memories', '', { ...filters }))}
        />
      )}
    </div>
  )
}

function NothingThere({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="search" title={t('No matches.')}>
        <p>{t('Try fewer words or filters.')}</p>
        <p class="links">
          <a href={hashOf('memories')}>{t('Show everything')}</a>
        </p>
      </Empty>
    )
  return (
    <Empty icon="memories" title={t('Nothing is remembered yet.')}>
      <p>
        {t(
          'Whatever you say in a chat, or through a connected assistant, is thought about; what is worth keeping comes here.',
        )}
      </p>
      <p class="links">
        <a href={hashOf('chat')}>{t('Begin a conversation')}</a>
        <a href={hashOf('settings', 'connect')}>{t('Where connected assistants remember')}</a>
      </p>
    </Empty>
  )
}

interface RowProps {
  readonly memory: Memory
  readonly filters: Filters
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function MemoryRow({ memory, filters, isOpen, isChosen, onChoose }: RowProps) {
  const { id, text, memory_type, category, occurred_at, updated_at, project_root, who } = memory
  const [form, edit] = useCorrection(memory)
  // At the end of the day of the view, at the latest now.
  const standing = standingOf(memory, Math.min(Date.now(), Date.parse(timeOf(filters.at, DAY_END) ?? '9999')))
  if (form !== null) return <div class="memory-row card is-editing">{form}</div>
  return (
    <div class={`memory-row line${isOpen ? ' is-open' : ''}${isChosen ? ' is-chosen' : ''} is-${standing}`}>
      <label class="choose">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`${t('Select')}: ${text.slice(0, 80)}`}
          onChange={onChoose}
        />
      </label>
      <a
        class="memory-link column"
        href={hashOf('memories', id, { ...filters })}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span class="memory-text">{text}</span>
        <span class="line tiny clip">
          <span class={`fresh ${freshness(updated_at)}`} title={ago(updated_at)} />
          <span>{day(occurred_at)}</span>
          <span>{t(category)}</span>
          {memory_type === 'episodic' && <span>{t('episode')}</span>}
          {who !== null && who !== 'user' && <bdi>{who}</bdi>}
          <ProjectName root={project_root} />
        </span>
      </a>
      <Act
        look="quiet icon-button row-edit"
        icon="pencil"
        aria-label={`${t('Correct')}: ${text.slice(0, 80)}`}
        onClick={edit}
      />
      {chipOf(memory, filters, standing)}
    </div>
  )
}

function chipOf(
  { superseded_by, valid_from, valid_to }: Memory,
  filters: Filters,
  standing: ReturnType<typeof standingOf>,
) {
  const until = (): string => t('until {day}', { day: day(valid_to ?? '') })
  if (standing === 'buried') return <span class="chip over">{t('buried')}</span>
  if (standing === 'doubt') return <span class="chip doubt">{t('in doubt')}</span>
  if (superseded_by !== null) {
    const shown = filters.at === '' ? { ...filters } : { ...filters, at: '', state: 'all' }
    return (
      <a class={`chip ${standing}`} href={hashOf('memories', superseded_by, shown)}>
        {standing === 'replaced' ? t('replaced by') : until()} →
      </a>
    )
  }
  if (standing === 'over') return <span class="chip over">{until()}</span>
  return <span class="chip holds">{valid_to === null ? t('since {day}', { day: day(valid_from) }) : until()}</span>
}
