/** Everything that is remembered: look through it, find, put right, delete. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call } from '../api.ts'
import { bury, correct } from '../parts/correct.ts'
import { ago, day, freshness } from '../parts/dates.ts'
import { forgetMemories } from '../parts/evidence.tsx'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { saveFile } from '../parts/save-file.ts'
import { Empty, Failed } from '../parts/states.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import type { Explanation, Memory } from '../records.ts'
import { changes, user } from '../session.ts'
import { deletions, tell, tellProblem } from '../told.ts'
import { t, type Words } from '../words.ts'
import { conversations, nameOf, projects, readConversations } from './conversations.ts'
import {
  dayBefore,
  daysKnown,
  exportFiltered,
  FILTER_NAMES,
  type Filters,
  filtersOf,
  listMemories,
  PAGE_ROWS,
  searchMemories,
  standingOf,
} from './memory-list.ts'
import { MemorySide } from './memory-side.tsx'

const DAY_MS = 86_400_000
const ROW_PIXELS = 76
/** Milliseconds without another keystroke before everything is asked for, and without a move before a day is. */
const WAIT_MS = 250
const SLIDE_MS = 60

/** Rows by their place in the list; what was not read yet is missing. */
interface Rows {
  /** The words that they answer. */
  readonly query: string
  readonly total: number
  readonly at: ReadonlyMap<number, Memory & { readonly explanation?: Explanation | undefined }>
  readonly isRead: boolean
}

const NONE: Rows = { query: '', total: 0, at: new Map(), isRead: false }

/** The view. */
export function Memories() {
  const { id, params } = place.value
  const filters = filtersOf(params)
  const name = JSON.stringify(filters)
  const [rows, setRows] = useState(NONE)
  const [error, setError] = useState<unknown>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const asked = useRef<{ name: string; pages: Set<number>; gone: AbortController } | null>(null)

  const read = async (page: number): Promise<void> => {
    const question = asked.current
    if (question === null || question.pages.has(page)) return
    question.pages.add(page)
    const { signal } = question.gone
    try {
      const isSearch = filters.q.trim() !== ''
      const offset = isSearch ? 0 : page * PAGE_ROWS
      const show = ({ items, total }: { readonly items: readonly Memory[]; readonly total: number }): void => {
        if (signal.aborted) return
        setRows((before) => ({
          query: filters.q,
          total,
          at: new Map([
            ...(page === 0 ? [] : before.at),
            ...items.map((item, index) => [offset + index, item] as const),
          ]),
          isRead: true,
        }))
      }
      const found = (items: readonly Memory[]) => ({ items, total: items.length })
      if (isSearch) {
        show(found(await searchMemories(filters, signal, true)))
        // The rest, and why, once nobody types.
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
        if (!signal.aborted) show(found(await searchMemories(filters, signal)))
      } else show(await listMemories(filters, offset, signal))
      setError(null)
    } catch (reason) {
      question.pages.delete(page)
      if (!signal.aborted) setError(reason)
    }
  }
  // Before the browser paints: what was typed is asked for at once.
  useLayoutEffect(() => {
    const gone = new AbortController()
    asked.current = { name, pages: new Set(), gone }
    const timer = filters.at === '' ? undefined : setTimeout(() => void read(0), SLIDE_MS)
    if (timer === undefined) void read(0)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [name, changes.value, user.value])
  useEffect(() => {
    if (conversations.value === null) readConversations().catch(() => {})
  }, [])

  const hidden = deletions.hidden.value
  // Those that were deleted leave no gap: what is left moves up.
  const gone = [...rows.at].flatMap(([at, memory]) => (hidden.has(memory.id) ? [at] : [])).sort((a, b) => a - b)
  const count = rows.total - gone.length
  const memoryAt = (index: number) => rows.at.get(gone.reduce((at, one) => (one <= at ? at + 1 : at), index))
  const setFilter = (part: Partial<Filters>, replace = false): void =>
    go(hashOf('memories', '', { ...filters, ...part }), replace)
  const toggle = (memoryId: string): void =>
    setChosen((before) =>
      before.has(memoryId) ? new Set([...before].filter((one) => one !== memoryId)) : new Set([...before, memoryId]),
    )
  const isFiltered = FILTER_NAMES.some((one) => filters[one] !== '')
  return (
    <div class={`memories${id === '' ? '' : ' with-side'}`}>
      <section class="main-column" aria-label={t('Memories')}>
        <header class="page-head">
          <h1>{t('Memories')}</h1>
          <span class="count" aria-live="polite">
            {rows.isRead ? t('{n} memory|{n} memories', { n: count }) : ''}
          </span>
          <a class="button quiet head-link" href={hashOf('changes')}>
            <Icon name="clock" /> {t('What changed')}
          </a>
          <button type="button" class="button" id="new" onClick={() => setAdding(true)}>
            <Icon name="plus" /> {t('Add')}
          </button>
        </header>
        {isAdding && <Adding onDone={() => setAdding(false)} />}
        <label class="search large">
          <Icon name="search" />
          <input
            id="search"
            type="search"
            placeholder={t('Search what is remembered')}
            aria-label={t('Search what is remembered')}
            value={filters.q}
            onInput={({ currentTarget }) => setFilter({ q: currentTarget.value }, true)}
          />
        </label>
        <FilterBar filters={filters} onChange={setFilter} />
        {filters.at !== '' && <Slider at={filters.at} onChange={setFilter} />}
        {chosen.size > 0 && (
          <div class="chosen" role="status">
            <span>{t('{n} selected', { n: chosen.size })}</span>
            <button
              type="button"
              class="danger small"
              onClick={() => {
                forgetMemories([...chosen])
                setChosen(new Set())
              }}
            >
              <Icon name="trash" /> {t('Delete')}
            </button>
            <button
              type="button"
              class="small"
              onClick={() => {
                void buryAll([...chosen], filters.state !== 'buried')
                setChosen(new Set())
              }}
            >
              <Icon name="bury" /> {filters.state === 'buried' ? t('Take out again') : t('Bury')}
            </button>
            <button
              type="button"
              class="quiet small"
              onClick={() =>
                setChosen(new Set([...rows.at.values()].map((memory) => memory.id).filter((one) => !hidden.has(one))))
              }
            >
              {t('Select all that were read')}
            </button>
            <button type="button" class="quiet small" onClick={() => setChosen(new Set())}>
              {t('Select none')}
            </button>
          </div>
        )}
        {error !== null && <Failed error={error} />}
        {rows.isRead && count === 0 ? (
          <NothingThere isFiltered={isFiltered} />
        ) : (
          <VirtualRows
            count={count}
            rowHeight={ROW_PIXELS}
            label={t('Memories')}
            shownFor={rows.query}
            resetBy={name}
            onSight={(from, to) => {
              if (filters.q.trim() !== '' || rows.total === 0) return
              for (let page = Math.floor(from / PAGE_ROWS); page <= Math.floor((to - 1) / PAGE_ROWS); page += 1)
                void read(page)
            }}
            keyOf={(index) => memoryAt(index)?.id ?? String(index)}
            render={(index) => {
              const memory = memoryAt(index)
              return memory === undefined ? (
                <div class="row-waiting" aria-hidden="true" />
              ) : (
                <Row
                  memory={memory}
                  filters={filters}
                  isOpen={memory.id === id}
                  isChosen={chosen.has(memory.id)}
                  onChoose={() => toggle(memory.id)}
                />
              )
            }}
          />
        )}
      </section>
      {id !== '' && (
        <MemorySide
          id={id}
          explanation={[...rows.at.values()].find((memory) => memory.id === id)?.explanation}
          onClose={() => go(hashOf('memories', '', { ...filters }))}
        />
      )}
    </div>
  )
}

async function buryAll(ids: readonly string[], isBuried: boolean): Promise<void> {
  try {
    for (const id of ids) await bury(id, isBuried)
    tell(
      isBuried
        ? t('{n} memory buried: no model sees it|{n} memories buried: no model sees them', { n: ids.length })
        : t('{n} memory taken out again|{n} memories taken out again', { n: ids.length }),
    )
  } catch (error) {
    tellProblem(error)
  }
}

function Row({
  memory,
  filters,
  isOpen,
  isChosen,
  onChoose,
}: {
  readonly memory: Memory
  readonly filters: Filters
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { id, text, memory_type, category, occurred_at, updated_at, project_root, who } = memory
  const [isEditing, setEditing] = useState(false)
  // On a day of the past what held then holds.
  const standing = filters.at === '' ? standingOf(memory) : 'holds'
  const save = async (value: string): Promise<void> => {
    try {
      await correct(memory, { text: value })
      setEditing(false)
      tell(t('Corrected.'))
    } catch (error) {
      tellProblem(error)
    }
  }
  if (isEditing)
    return (
      <div class="memory-row is-editing">
        <TextForm label={t('What is right?')} text={text} onSave={save} onCancel={() => setEditing(false)} />
      </div>
    )
  return (
    <div class={`memory-row${isOpen ? ' is-open' : ''}${isChosen ? ' is-chosen' : ''} is-${standing}`}>
      <label class="choose">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`${t('Select')}: ${text.slice(0, 80)}`}
          onChange={onChoose}
        />
      </label>
      <a class="memory-link" href={hashOf('memories', id, { ...filters })} aria-current={isOpen ? 'true' : undefined}>
        <span class="memory-text" dir="auto">
          {text}
        </span>
        <span class="memory-meta">
          <span class={`fresh ${freshness(updated_at)}`} title={ago(updated_at)} />
          <span>{day(occurred_at)}</span>
          <span>{t(category)}</span>
          {memory_type === 'episodic' && <span>{t('episode')}</span>}
          {who !== null && who !== 'user' && <bdi>{who}</bdi>}
          {project_root !== null && <bdi>{project_root.split('/').at(-1)}</bdi>}
        </span>
      </a>
      <button
        type="button"
        class="quiet icon-button row-edit"
        aria-label={`${t('Correct')}: ${text.slice(0, 80)}`}
        onClick={() => setEditing(true)}
      >
        <Icon name="pencil" />
      </button>
      <Standing memory={memory} filters={filters} />
    </div>
  )
}

/** The chip that says how long it holds, or what took its place. */
export function Standing({ memory, filters }: { readonly memory: Memory; readonly filters: Filters }) {
  const { superseded_by, valid_from, valid_to } = memory
  const standing = standingOf(memory)
  if (filters.at !== '' && superseded_by !== null)
    return (
      <a class="chip holds" href={hashOf('memories', superseded_by, { ...filters, at: '', state: 'all' })}>
        {t('until {day}', { day: day(valid_to ?? '') })} →
      </a>
    )
  if (standing === 'buried') return <span class="chip over">{t('buried')}</span>
  if (standing === 'replaced')
    return (
      <a class="chip replaced" href={hashOf('memories', superseded_by ?? '', { ...filters })}>
        {t('replaced by')} →
      </a>
    )
  if (standing === 'doubt') return <span class="chip doubt">{t('in doubt')}</span>
  if (standing === 'over') return <span class="chip over">{t('until {day}', { day: day(valid_to ?? '') })}</span>
  return (
    <span class="chip holds">
      {valid_to === null ? t('since {day}', { day: day(valid_from) }) : t('until {day}', { day: day(valid_to) })}
    </span>
  )
}

/** As things stood on a day: everything that was known, and held, then. */
function Slider({
  at,
  onChange,
}: {
  readonly at: string
  readonly onChange: (part: Partial<Filters>, replace?: boolean) => void
}) {
  const { data: most } = useLoad(daysKnown, [conversations.value, user.value])
  if (most === null) return null
  const days = Math.min(most, Math.max(0, Math.round((Date.parse(dayBefore(0)) - Date.parse(at)) / DAY_MS)))
  const words = days === 0 ? t('Today') : t('As things stood on {day}', { day: day(`${at}T12:00:00`) })
  return (
    <div class="time">
      <output for="at">{words}</output>
      <input
        id="at"
        type="range"
        min={-most}
        max={0}
        value={-days}
        aria-label={t('Day')}
        aria-valuetext={words}
        onInput={({ currentTarget }) => onChange({ at: dayBefore(-Number(currentTarget.value)) }, true)}
      />
      <button type="button" class="quiet small" onClick={() => onChange({ at: '' })}>
        <Icon name="close" /> {t('Back to now')}
      </button>
    </div>
  )
}

const STATES: readonly (readonly [string, Words])[] = [
  ['', 'Holds'],
  ['doubt', 'In doubt'],
  ['ended', 'Ended'],
  ['buried', 'Buried'],
  ['all', 'All'],
]

function FilterBar({
  filters,
  onChange,
}: {
  readonly filters: Filters
  readonly onChange: (part: Partial<Filters>) => void
}) {
  const { type, category, project, conversation, who, source, from, to, state, at } = filters
  const [isSaving, setSaving] = useState(false)
  const more = [who, source, from, to].filter((one) => one !== '').length
  const pick = (name: keyof Filters) => (event: { currentTarget: HTMLSelectElement }) =>
    onChange({ [name]: event.currentTarget.value })
  const names = projects()
  return (
    <fieldset class="filters" aria-label={t('Filters')}>
      {at === '' && (
        <fieldset class="segments" aria-label={t('How it stands')}>
          {STATES.map(([one, words]) => (
            <button key={one} type="button" aria-pressed={state === one} onClick={() => onChange({ state: one })}>
              {t(words)}
            </button>
          ))}
        </fieldset>
      )}
      <select aria-label={t('Type')} value={type} onChange={pick('type')}>
        <option value="">{t('Any type')}</option>
        <option value="semantic">{t('lasting fact')}</option>
        <option value="episodic">{t('episode')}</option>
      </select>
      <select aria-label={t('Category')} value={category} onChange={pick('category')}>
        <option value="">{t('Any category')}</option>
        <option value="preference">{t('preference')}</option>
        <option value="fact">{t('fact')}</option>
        <option value="pattern">{t('pattern')}</option>
      </select>
      {(names.length > 0 || project !== '') && (
        <select aria-label={t('Project')} value={project} onChange={pick('project')}>
          <option value="">{t('Any project')}</option>
          {[...new Set([...names, ...(project === '' ? [] : [project])])].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
      {at === '' && (
        <button type="button" class="quiet small" onClick={() => onChange({ at: dayBefore(0), state: '' })}>
          <Icon name="clock" /> {t('Back in time')}
        </button>
      )}
      {state === 'unused' && (
        <button type="button" class="chip removable" onClick={() => onChange({ state: '' })}>
          {t('never shown to a model')} <Icon name="close" />
        </button>
      )}
      <details class="more-filters" open={more > 0}>
        <summary class="small">
          {t('More')}
          {more > 0 && <span class="tag">{more}</span>}
        </summary>
        <div class="more-fields">
          <select aria-label={t('Told by')} value={source} onChange={pick('source')}>
            <option value="">{t('Told by anybody')}</option>
            <option value="user_stated">{t('you, in so many words')}</option>
            <option value="inferred">{t('what you said, inferred')}</option>
            <option value="system">{t('a program')}</option>
          </select>
          <label>
            {t('Of')}
            <input
              value={who}
              placeholder={t('anybody')}
              onChange={({ currentTarget }) => onChange({ who: currentTarget.value.trim() })}
            />
          </label>
          <label>
            {t('From')}
            <input type="date" value={from} onChange={({ currentTarget }) => onChange({ from: currentTarget.value })} />
          </label>
          <label>
            {t('To')}
            <input type="date" value={to} onChange={({ currentTarget }) => onChange({ to: currentTarget.value })} />
          </label>
          <button
            type="button"
            class="small"
            disabled={isSaving}
            onClick={() => {
              setSaving(true)
              exportFiltered(filters, new AbortController().signal)
                .then((blob) => saveFile(blob, 'memories.jsonl'), tellProblem)
                .finally(() => setSaving(false))
            }}
          >
            <Icon name="download" /> {t('Export these')}
          </button>
        </div>
      </details>
      {conversation !== '' && (
        <button type="button" class="chip removable" onClick={() => onChange({ conversation: '' })}>
          {t('from')} <bdi>{nameOf(conversation)}</bdi> <Icon name="close" />
        </button>
      )}
    </fieldset>
  )
}

function Adding({ onDone }: { readonly onDone: () => void }) {
  const save = async (text: string): Promise<void> => {
    try {
      await call('POST', '/memory/long-term', { text })
      changes.value += 1
      tell(t('Remembered.'))
      onDone()
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <div class="card adding">
      <TextForm label={t('What should I remember?')} text="" onSave={save} onCancel={onDone} />
    </div>
  )
}

function NothingThere({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="search" title={t('Nothing fits.')}>
        <p>{t('Use fewer words or conditions.')}</p>
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
      </p>
    </Empty>
  )
}
