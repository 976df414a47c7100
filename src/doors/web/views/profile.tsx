/** The document about the user, and short summaries of the conversations. */
import { signal } from '@preact/signals'
import { structuredPatch } from 'diff'
import { useState } from 'preact/hooks'
import { hashOf } from '../address.ts'
import { call, get, pathOf } from '../api.ts'
import { deletions, removeLater } from '../notices.ts'
import { Act, Empty, Failed, type IconName, onSend, Parts, Section, useWork } from '../parts/controls.tsx'
import { changedElsewhere } from '../parts/correct.tsx'
import { day, moment } from '../parts/dates.ts'
import { sourceHash } from '../parts/evidence.tsx'
import { useLoad, useTextForm } from '../parts/load.tsx'
import { Markdown } from '../parts/markdown.tsx'
import type { Backup, Digested, MemoryFile, Page, Profile, ProfileLine, SessionSummary } from '../records.ts'
import { changes, user } from '../session.ts'
import { t, type Words } from '../translations.ts'

const PARTS = {
  '': ['About you', AboutYou],
  conversations: ['Conversation summaries', Summaries],
  file: ['MEMORY.md', MemoryFileView],
} as const

export function ProfileView() {
  return <Parts view="profile" title={t('Profile')} parts={PARTS} />
}

function AboutYou() {
  return (
    <>
      <p class="lead">
        {t('What every conversation begins with. What you write here is never changed by the machine.')}
      </p>
      <Document />
      <Lines />
    </>
  )
}

/** The document as it is being edited, with the text that it was before: it stays while its writer looks elsewhere. */
const typed = signal<{ readonly of: string; readonly text: string; readonly seen: string } | null>(null)

function Document() {
  const { data, error, set } = useLoad((signal) => get<Profile>('/profile', signal), [])
  const [isSaving, work] = useWork()
  if (data === null) return <Failed error={error} />
  const { text, seen } = typed.value?.of === user.value ? typed.value : { text: data.text, seen: data.text }
  const isChanged = text !== data.text
  const type = (words: string, before = seen): void => {
    typed.value = { of: user.value, text: words, seen: before }
  }
  const save = async (): Promise<string> => {
    const now = await get<Profile>('/profile')
    type(text, now.text)
    if (now.text !== seen) throw changedElsewhere(now.text)
    set(await call<Profile>('PUT', '/profile', { text }))
    typed.value = null
    return t('Saved. It holds from the next message on.')
  }
  return (
    <form class="card document writing" onSubmit={onSend(() => work(save))}>
      <textarea
        class="grows"
        rows={10}
        aria-label={t('Profile')}
        placeholder={t('## Background\n- I live in Ghent.\n\n## How to answer\n- Briefly, without praise.')}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={({ key, metaKey, ctrlKey }) => {
          if (key === 'Enter' && (metaKey || ctrlKey) && isChanged && !isSaving) void work(save)
        }}
      />
      <p class="line">
        <span class="hint">
          {data.updated_at === null ? '' : t('Last changed {when}', { when: moment(data.updated_at) })}
        </span>
        {isChanged && <Act look="quiet small end" words={t('Undo')} onClick={() => (typed.value = null)} />}
        <Act
          type="submit"
          look={`primary small${isChanged ? '' : ' end'}`}
          disabled={!isChanged || isSaving}
          words={t('Save')}
        />
      </p>
    </form>
  )
}

function Lines() {
  const { data } = useLoad((signal) => get<{ items: readonly ProfileLine[] }>('/profile/lines', signal), [])
  const written = (data?.items ?? []).filter(({ source }) => source === 'machine')
  if (written.length === 0) return null
  return (
    <Section title={t('Written automatically')} count={written.length}>
      <ul class="listing">
        {written.map(({ text, memory_ids, turns }) => (
          <li key={text} class="item line spread">
            <span>{text}</span>
            <span class="line">
              {memory_ids.map((id) => (
                <a key={id} class="quiet-link" href={hashOf('memories', id, { state: 'all' })}>
                  {t('Memory')}
                </a>
              ))}
              {turns.map(({ conversation_id, turn_id }) => (
                <a key={`${conversation_id} ${turn_id}`} class="quiet-link" href={sourceHash(conversation_id, turn_id)}>
                  {t('Source')}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Summaries() {
  const { data, error } = useLoad(
    (signal) => get<Page<SessionSummary>>(['session-summaries'], signal, { limit: 200 }),
    [],
  )
  const items = (data?.items ?? []).filter(
    ({ conversation_id }) => !deletions.hidden.value.has(`summary ${conversation_id}`),
  )
  return (
    <Section
      title={t('Conversation summaries')}
      count={data === null ? '' : data.total - data.items.length + items.length}
    >
      <Failed error={error} />
      {data !== null && items.length === 0 && (
        <Empty icon="chat" title={t('No titles yet.')}>
          <p>{t('A conversation gets a title and a summary once there is something to say about it.')}</p>
        </Empty>
      )}
      {data !== null && data.total > data.items.length && (
        <p class="hint">{t('The last {n} are listed.', { n: data.items.length })}</p>
      )}
      <ul class="stack">
        {items.map((one) => (
          <Summary key={one.conversation_id} one={one} />
        ))}
      </ul>
    </Section>
  )
}

function Summary({ one }: { readonly one: SessionSummary }) {
  const { conversation_id: id, title, snippet, updated_at, edited } = one
  const path = pathOf(['session-summaries', id])
  const save =
    (field: 'title' | 'snippet') =>
    async (value: string): Promise<void> => {
      await call('PATCH', path, { [field]: value })
      changes.value += 1
    }
  const [titleForm, editTitle] = useTextForm(t('Title'), title, save('title'))
  const [lineForm, editLine] = useTextForm(t('Summary'), snippet, save('snippet'))
  const act = (icon: IconName, label: Words, words: Words, onClick: () => void) => (
    <Act look="quiet small" icon={icon} aria-label={`${t(label)}: ${title}`} words={t(words)} onClick={onClick} />
  )
  const remove = (): void => removeLater(t('Title and summary deleted; the conversation stays'), `summary ${id}`, path)
  return (
    <li class="card">
      {titleForm ?? lineForm ?? (
        <>
          <p class="line spread">
            <a href={hashOf('chat', id)}>{title || id}</a>
            <span class="hint">
              {day(updated_at)}
              {edited ? ` · ${t('edited by you')}` : ''}
            </span>
          </p>
          {snippet !== '' && <p>{snippet}</p>}
          <p class="actions tight">
            {act('pencil', 'Edit title', 'Title', editTitle)}
            {act('pencil', 'Edit summary', 'Summary', editLine)}
            {act('trash', 'Delete', 'Delete', remove)}
          </p>
        </>
      )}
    </li>
  )
}

const AROUND = 2
const MOST_EDITS = 2000
/** The id that an entry gets when it becomes a memory: nobody reads it. */
const OWN_ID = / ?<!-- mneme:[0-9a-f]{12}[^>]{0,200}-->/g

/** The text in place of an entry's id: its doubt, if there is one. */
function doubtIn(note: string): string {
  const since = /in doubt since (\d{4}-\d\d-\d\d)/.exec(note)?.[1]
  return since === undefined ? '' : ` *(${t('In doubt since {day}', { day: day(`${since}T12:00:00`) })})*`
}

function MemoryFileView() {
  const [compared, setCompared] = useState<string | null>(null)
  const { data, error } = useLoad(async (signal) => {
    const [file, backups] = await Promise.all([
      get<MemoryFile>('/memory-file', signal),
      get<{ items: readonly Backup[] }>('/memory-file/backups', signal),
    ])
    return { file, backups: backups.items }
  }, [])
  const digest = async (): Promise<string> => {
    const { added, removed, edits } = await call<Digested>('POST', '/memory-file/digest', {})
    changes.value += 1
    const counts = { added: added.length, removed: removed.length, edits: edits.length }
    return t('{added} added, {removed} removed, {edits} of your edits taken over', counts)
  }
  return (
    <section>
      <p class="lead">{t('Notes that you can open and edit; your edits become memories when the file is updated.')}</p>
      <Failed error={error} />
      {data !== null && (
        <>
          <p class="file-head line wrap">
            <code>{data.file.file}</code>
            <span class="hint">
              {data.file.updated_at === null ? '' : t('Last changed {when}', { when: moment(data.file.updated_at) })}
            </span>
            <Act look="small end" icon="retry" words={t('Update now')} does={digest} />
          </p>
          {data.file.text.trim() === '' ? (
            <Empty icon="profile" title={t('There is no file yet.')}>
              <p>{t('Update it, and what mattered today is written there.')}</p>
            </Empty>
          ) : (
            <div class="card file">
              <Markdown text={data.file.text.replace(OWN_ID, doubtIn)} />
            </div>
          )}
          {data.backups.length > 0 && (
            <Section title={t('Backups')} count={data.backups.length}>
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
            </Section>
          )}
        </>
      )}
    </section>
  )
}

function Differences({ name, now }: { readonly name: string; readonly now: string }) {
  const { data, error } = useLoad((signal) => get<{ text: string }>(['memory-file', 'backups', name], signal), [name])
  if (data === null) return <Failed error={error} />
  const [before, after] = [data.text, now].map((text) => text.replace(OWN_ID, '')) as [string, string]
  const patch = structuredPatch('', '', before, after, '', '', { context: AROUND, maxEditLength: MOST_EDITS })
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [
    ...before.split('\n').map((text) => `-${text}`),
    ...after.split('\n').map((text) => `+${text}`),
  ]
  if (lines.length === 0) return <p class="nothing">{t('The same as now.')}</p>
  return (
    <pre class="differences">
      {lines.map((line, at) => {
        const text = line.slice(1)
        if (line.startsWith('+')) return <ins key={at}>+ {text}</ins>
        if (line.startsWith('-')) return <del key={at}>− {text}</del>
        // A remark about the end of a file begins with a backslash.
        return line.startsWith(' ') && <span key={at}>{text}</span>
      })}
    </pre>
  )
}
