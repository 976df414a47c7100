/** One memory in the list. */
import { hashOf } from '../address.ts'
import { Act } from '../parts/controls.tsx'
import { useCorrection } from '../parts/correct.tsx'
import { ago, day, freshness } from '../parts/dates.ts'
import type { Memory } from '../records.ts'
import { t } from '../words.ts'
import { type Filters, standingOf } from './memory-list.ts'

interface RowProps {
  readonly memory: Memory
  readonly filters: Filters
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

/** A row with text, age and state; it can be corrected in place. */
export function MemoryRow({ memory, filters, isOpen, isChosen, onChoose }: RowProps) {
  const { id, text, memory_type, category, occurred_at, updated_at, project_root, who } = memory
  const [form, edit] = useCorrection(memory)
  // A view of a past day shows only memories that were valid then.
  const standing = filters.at === '' ? standingOf(memory) : 'holds'
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
      <Standing memory={memory} filters={filters} />
    </div>
  )
}

/** A label with the memory's validity or its successor. */
function Standing({ memory, filters }: { readonly memory: Memory; readonly filters: Filters }) {
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
