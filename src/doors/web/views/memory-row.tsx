/** One memory in the list. */
import { hashOf } from '../address.ts'
import { Act } from '../parts/controls.tsx'
import { useCorrection } from '../parts/correct.tsx'
import { ago, day, freshness } from '../parts/dates.ts'
import type { Memory } from '../records.ts'
import { t } from '../words.ts'
import { DAY_END, type Filters, standingOf, timeOf } from './memory-list.ts'

interface RowProps {
  readonly memory: Memory
  readonly filters: Filters
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function MemoryRow({ memory, filters, isOpen, isChosen, onChoose }: RowProps) {
  const { id, text, memory_type, category, occurred_at, updated_at, project_root, who } = memory
  const [form, edit] = useCorrection(memory)
  const standing = standingOf(memory, momentOf(filters))
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
        <span class="memory-text" dir="auto">
          {text}
        </span>
        <span class="line tiny clip">
          <span class={`fresh ${freshness(updated_at)}`} title={ago(updated_at)} />
          <span>{day(occurred_at)}</span>
          <span>{t(category)}</span>
          {memory_type === 'episodic' && <span>{t('episode')}</span>}
          {who !== null && who !== 'user' && <bdi>{who}</bdi>}
          {project_root !== null && <bdi>{project_root.split('/').at(-1)}</bdi>}
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

/** The end of the day of the view, at the latest now. */
function momentOf({ at }: Filters): number {
  return Math.min(Date.now(), Date.parse(timeOf(at, DAY_END) ?? '9999'))
}

type Standing = ReturnType<typeof standingOf>

function chipOf({ superseded_by, valid_from, valid_to }: Memory, filters: Filters, standing: Standing) {
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
