/** The filters over the list of memories, and the day of the view. */
import { saveFile } from '../api.ts'
import { Act, Chip, Choice, named, Segments } from '../parts/controls.tsx'
import { DAY_MS, day } from '../parts/dates.ts'
import { useLoad } from '../parts/load.tsx'
import { t, type Words } from '../translations.ts'
import { conversations, nameOf, projects } from './conversations.tsx'
import { dayBefore, daysKnown, exportFiltered, type Filters } from './memory-list.ts'

const STATES: readonly (readonly [string, Words])[] = [
  ['', 'Current'],
  ['doubt', 'In doubt'],
  ['ended', 'Ended'],
  ['buried', 'Buried'],
  ['all', 'All'],
]

interface BarProps {
  readonly filters: Filters
  readonly onChange: (part: Partial<Filters>, isTyped?: boolean) => void
}

export const sources = () => ({
  user_stated: t('you'),
  inferred: t('inferred from what you said'),
  system: t('a program'),
})
export const categories = () => ({ preference: t('preference'), fact: t('fact'), pattern: t('pattern') })

export function FilterBar({ filters, onChange }: BarProps) {
  const { project, conversation, who, source, from, to, state, at } = filters
  const more = [who, source, from, to].filter((one) => one !== '').length
  const set = (name: keyof Filters) => (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange({ [name]: event.currentTarget.value.trim() })
  const choice = (name: 'type' | 'category' | 'project' | 'source', label: Words, options: Record<string, string>) => (
    <Choice label={t(label)} value={filters[name]} options={options} onPick={(one) => onChange({ [name]: one })} />
  )
  const types = { '': t('Any type'), semantic: t('lasting fact'), episodic: t('episode') }
  const known = named([...projects(), project].filter((one) => one !== ''))
  return (
    <fieldset class="filters line wrap" aria-label={t('Filters')}>
      {at === '' && (
        <Segments
          label={t('Status')}
          options={STATES}
          isOn={(one) => state === one}
          onPick={(one) => onChange({ state: one })}
        />
      )}
      {choice('type', 'Type', types)}
      {choice('category', 'Category', { '': t('Any category'), ...categories() })}
      {choice('project', 'Project', { '': t('Any project'), ...known })}
      {at === '' && (
        <Act
          look="quiet small"
          icon="clock"
          words={t('Back in time')}
          onClick={() => onChange({ at: dayBefore(0), state: '' })}
        />
      )}
      {state === 'unused' && <Chip words={t('never shown to a model')} onRemove={() => onChange({ state: '' })} />}
      <details class="more-filters" open={more > 0}>
        <summary class="small">
          {t('More')}
          {more > 0 && <span class="tag">{more}</span>}
        </summary>
        <div class="line wrap">
          {choice('source', 'Told by', { '': t('Told by anybody'), ...sources() })}
          <label class="line">
            {t('Of')}
            <input value={who} placeholder={t('anybody')} onChange={set('who')} />
          </label>
          <label class="line">
            {t('From')}
            <input type="date" value={from} onChange={set('from')} />
          </label>
          <label class="line">
            {t('To')}
            <input type="date" value={to} onChange={set('to')} />
          </label>
          <Act
            icon="download"
            words={t('Export these')}
            does={async () => saveFile(await exportFiltered(filters), 'memories.jsonl')}
          />
        </div>
      </details>
      {conversation !== '' && (
        <Chip
          words={[
            t('from'),
            ' ',
            <bdi key="name" class="clip">
              {nameOf(conversation)}
            </bdi>,
          ]}
          onRemove={() => onChange({ conversation: '' })}
        />
      )}
    </fieldset>
  )
}

/** A slider for the day of the view: memories known and valid on it. */
export function DaySlider({ filters: { at }, onChange }: BarProps) {
  const { data: known } = useLoad(daysKnown, [conversations.value])
  const days = Math.max(0, Math.round((Date.parse(dayBefore(0)) - Date.parse(at)) / DAY_MS))
  const most = Math.max(known ?? 1, days)
  const words = days === 0 ? t('Today') : t('As things stood on {day}', { day: day(`${at}T12:00:00`) })
  return (
    <div class="note line time">
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
      <Act look="quiet small" icon="close" words={t('Back to now')} onClick={() => onChange({ at: '' })} />
    </div>
  )
}
