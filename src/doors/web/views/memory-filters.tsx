/** The filters over the list of memories, and the day of the view. */
import { useState } from 'preact/hooks'
import { day } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { saveFile } from '../parts/save-file.ts'
import { user } from '../session.ts'
import { tellProblem } from '../told.ts'
import { t, type Words } from '../words.ts'
import { conversations, nameOf, projects } from './conversations.ts'
import { dayBefore, daysKnown, exportFiltered, type Filters } from './memory-list.ts'

const DAY_MS = 86_400_000

const STATES: readonly (readonly [string, Words])[] = [
  ['', 'Holds'],
  ['doubt', 'In doubt'],
  ['ended', 'Ended'],
  ['buried', 'Buried'],
  ['all', 'All'],
]

/** The bar of filters, whose values are in the address. */
export function FilterBar({
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

/** A slider for the day of the view: memories known and valid on it. */
export function DaySlider({
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
