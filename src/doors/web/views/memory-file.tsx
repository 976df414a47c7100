/** The file MEMORY.md on the disk: view, update, and differences from each backup. */
import { useState } from 'preact/hooks'
import { call, pathOf } from '../api.ts'
import { moment } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { lineDifferences } from '../parts/line-differences.ts'
import { useLoad } from '../parts/load.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { changes, user } from '../session.ts'
import { tell, tellProblem } from '../told.ts'
import { t } from '../words.ts'

interface MemoryFile {
  readonly file: string
  readonly text: string
  readonly updated_at: string | null
}

interface Backup {
  readonly name: string
  readonly kept_at: string
}

/** Unchanged lines shown around a change. */
const AROUND = 2

/** The part of the view. */
export function MemoryFileView() {
  const [isBusy, setBusy] = useState(false)
  const [compared, setCompared] = useState<string | null>(null)
  const { data, error } = useLoad(
    async (signal) => {
      const [file, backups] = await Promise.all([
        call<MemoryFile>('GET', '/memory-file', undefined, { signal }),
        call<{ items: readonly Backup[] }>('GET', '/memory-file/backups', undefined, { signal }),
      ])
      return { file, backups: backups.items }
    },
    [changes.value, user.value],
  )
  const digest = async (): Promise<void> => {
    setBusy(true)
    try {
      const { added, removed, edits } = await call<Record<'added' | 'removed' | 'edits', readonly unknown[]>>(
        'POST',
        '/memory-file/digest',
        {},
      )
      const counts = { added: added.length, removed: removed.length, edits: edits.length }
      tell(t('{added} added, {removed} removed, {edits} of your edits taken over', counts))
      changes.value += 1
    } catch (problem) {
      tellProblem(problem)
    }
    setBusy(false)
  }
  return (
    <section>
      <p class="lead">
        {t('Notes that you can open and edit; your edits become memories when it is brought up to date.')}
      </p>
      {error !== null && <Failed error={error} />}
      {data !== null && (
        <>
          <p class="file-head">
            <code>{data.file.file}</code>
            <span class="hint">
              {data.file.updated_at === null ? '' : t('Last changed {when}', { when: moment(data.file.updated_at) })}
            </span>
            <button type="button" class="small" disabled={isBusy} onClick={() => void digest()}>
              <Icon name="retry" /> {t('Bring it up to date')}
            </button>
          </p>
          {data.file.text.trim() === '' ? (
            <Empty icon="profile" title={t('There is no file yet.')}>
              <p>{t('Bring it up to date, and what mattered today stands in it.')}</p>
            </Empty>
          ) : (
            <div class="card file">
              <Markdown text={data.file.text} />
            </div>
          )}
          {data.backups.length > 0 && (
            <>
              <h2 class="section-head">
                {t('Backups')} <span class="count">{data.backups.length}</span>
              </h2>
              <ul class="backups">
                {data.backups.map(({ name, kept_at }) => (
                  <li key={name} class="card">
                    <button
                      type="button"
                      class="link"
                      aria-expanded={compared === name}
                      onClick={() => setCompared(compared === name ? null : name)}
                    >
                      {moment(kept_at)}
                    </button>
                    {compared === name && <Differences name={name} now={data.file.text} />}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  )
}

/** Differences between the file and a backup. */
function Differences({ name, now }: { readonly name: string; readonly now: string }) {
  const { data, error } = useLoad(
    (signal) => call<{ text: string }>('GET', pathOf(['memory-file', 'backups', name]), undefined, { signal }),
    [name],
  )
  if (error !== null) return <Failed error={error} />
  if (data === null) return null
  const lines = lineDifferences(data.text, now)
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same')
  const shown = lines.map((line, at) => ({ ...line, at })).filter(({ at }) => isNear(at))
  if (shown.length === 0) return <p class="nothing">{t('The same as now.')}</p>
  return (
    <pre class="differences" dir="auto">
      {shown.map(({ kind, text, at }) =>
        kind === 'same' ? (
          <span key={at}>{text}</span>
        ) : kind === 'gone' ? (
          <del key={at}>{text}</del>
        ) : (
          <ins key={at}>{text}</ins>
        ),
      )}
    </pre>
  )
}
