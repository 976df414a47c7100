/** The file MEMORY.md on the disk: view, update, and differences from each backup. */

import { diffLines } from 'diff'
import { useState } from 'preact/hooks'
import { call, get } from '../api.ts'
import { Act } from '../parts/controls.tsx'
import { moment } from '../parts/dates.ts'
import { useLoad, useWork } from '../parts/load.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { changes, user } from '../session.ts'
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

/** Unchanged lines shown around a change, and most differing lines looked for. */
const AROUND = 2
const MOST_EDITS = 2000

/** The part of the view. */
export function MemoryFileView() {
  const [isBusy, work] = useWork()
  const [compared, setCompared] = useState<string | null>(null)
  const { data, error } = useLoad(
    async (signal) => {
      const [file, backups] = await Promise.all([
        get<MemoryFile>('/memory-file', signal),
        get<{ items: readonly Backup[] }>('/memory-file/backups', signal),
      ])
      return { file, backups: backups.items }
    },
    [user.value],
  )
  const digest = async (): Promise<string> => {
    type Report = Readonly<Record<'added' | 'removed' | 'edits', readonly unknown[]>>
    const { added, removed, edits } = await call<Report>('POST', '/memory-file/digest', {})
    changes.value += 1
    const counts = { added: added.length, removed: removed.length, edits: edits.length }
    return t('{added} added, {removed} removed, {edits} of your edits taken over', counts)
  }
  return (
    <section>
      <p class="lead">
        {t('Notes that you can open and edit; your edits become memories when it is brought up to date.')}
      </p>
      <Failed error={error} />
      {data !== null && (
        <>
          <p class="file-head line wrap">
            <code>{data.file.file}</code>
            <span class="hint">
              {data.file.updated_at === null ? '' : t('Last changed {when}', { when: moment(data.file.updated_at) })}
            </span>
            <Act
              look="small end"
              icon="retry"
              disabled={isBusy}
              words={t('Bring it up to date')}
              onClick={() => work(digest)}
            />
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
              <ul class="backups stack">
                {data.backups.map(({ name, kept_at }) => (
                  <li key={name} class="card">
                    <Act
                      look="link"
                      aria-expanded={compared === name}
                      words={moment(kept_at)}
                      onClick={() => setCompared(compared === name ? null : name)}
                    />
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
  const { data, error } = useLoad((signal) => get<{ text: string }>(['memory-file', 'backups', name], signal), [name])
  if (data === null) return <Failed error={error} />
  const parts = diffLines(data.text, now, { maxEditLength: MOST_EDITS }) ?? [
    { value: data.text, removed: true },
    { value: now, added: true },
  ]
  if (parts.every(({ added, removed }) => !added && !removed)) return <p class="nothing">{t('The same as now.')}</p>
  return (
    <pre class="differences" dir="auto">
      {parts.flatMap(({ value, added, removed }, at) => {
        const lines = value.replace(/\n$/, '').split('\n')
        const Tag = added ? 'ins' : removed ? 'del' : 'span'
        const isNear = (line: number): boolean =>
          (at > 0 && line < AROUND) || (at < parts.length - 1 && line >= lines.length - AROUND)
        return lines
          .filter((_, line) => Tag !== 'span' || isNear(line))
          .map((text, line) => <Tag key={`${at} ${line}`}>{`${added ? '+ ' : removed ? '− ' : ''}${text}`}</Tag>)
      })}
    </pre>
  )
}
