/** Import of dropped files, and export. */
import { useRef, useState } from 'preact/hooks'
import type { ImportReport } from '../../import-export/import-conversations.ts'
import type { LogImportReport } from '../../import-export/import-logs.ts'
import type { SnakeNames } from '../../operations/field-names.ts'
import { hashOf } from '../address.ts'
import { Problem, pathOf, saveFile, send, sendFile } from '../api.ts'
import { sentences } from '../notices.ts'
import { Act, Badge, Check, Facts, Failed, LeftOut, Section } from '../parts/controls.tsx'
import { changes } from '../session.ts'
import { t, told, type Words } from '../translations.ts'
import { readConversations } from './conversations.tsx'

interface Report {
  readonly counts: Readonly<Record<string, number>>
  readonly isComplete: boolean
  readonly skipped: readonly { readonly at: string; readonly reason: string }[]
}

/** Bytes at the start of a file that identify its kind. */
const HEADER_BYTES = 256

async function takeIn(file: File, think: boolean, onShare: (share: number) => void): Promise<Report> {
  if (/^\uFEFF?\s*\{\s*"mneme_export"/.test(await file.slice(0, HEADER_BYTES).text())) {
    const path = pathOf(['import'], { think })
    const { refused, complete, ...counts } = await sendFile<SnakeNames<ImportReport>>(path, file, onShare)
    const skipped = refused.map(({ at, what, reason, remedy }) => ({
      at: `${told(at)} · ${told(what)}`,
      reason: sentences(reason, remedy),
    }))
    return { counts, isComplete: complete, skipped }
  }
  type Logs = Omit<SnakeNames<LogImportReport>, 'files'> & {
    readonly files: readonly SnakeNames<LogImportReport['files'][number]>[]
  }
  const path = pathOf(['import', 'chats'], { think, name: file.name })
  const { files, ...counts } = await sendFile<Logs>(path, file, onShare)
  const skipped = files.flatMap((one) => [
    ...(one.reason === null ? [] : [{ at: one.file, reason: told(one.reason) }]),
    ...Object.entries(one.skipped_by).map(([reason, count]) => ({
      at: `${one.file} · ${count} ×`,
      reason: told(reason),
    })),
    ...one.refusals.map(({ line, reason }) => ({ at: `${one.file}:${line}`, reason: told(reason) })),
  ])
  return { counts, isComplete: true, skipped }
}

const COUNTS: readonly (readonly [Words, string, string])[] = [
  ['Turns', 'turns_added', 'turns_existing'],
  ['Memories', 'memories_added', 'memories_existing'],
  ['Summaries', 'summaries_added', ''],
  ['Titles', 'session_summaries_added', 'session_summaries_existing'],
  ['Lines of the profile', 'profile_lines_added', 'profile_lines_existing'],
]

export function Transfer() {
  return (
    <>
      <Import />
      <Export />
    </>
  )
}

interface Importing {
  readonly name: string
  readonly share: number
  readonly report: Report | null
  readonly error: unknown
}

function Import() {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [thinks, setThinks] = useState(true)
  const [files, setFiles] = useState<readonly Importing[]>([])
  const isBusy = files.some(isGoingOn)
  const take = async (chosen: readonly File[]): Promise<void> => {
    if (isBusy) return
    let all: readonly Importing[] = chosen.map(({ name }) => ({ name, share: 0, report: null, error: null }))
    const show = (at: number, part: Partial<Importing>): void => {
      all = all.with(at, { ...all[at]!, ...part })
      setFiles(all)
    }
    // One after the other: a server takes in one for a user at a time.
    for (const [at, file] of chosen.entries())
      try {
        show(at, {})
        if (file.size === 0) throw new Problem(0, t('The file is empty.'))
        show(at, { report: await takeIn(file, thinks, (share) => show(at, { share })) })
      } catch (error) {
        show(at, { error })
      }
    changes.value += 1
    await readConversations().catch(() => {})
  }
  return (
    <Section title={t('Import')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        class={`card drop${isOver ? ' is-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void take([...(event.dataTransfer?.files ?? [])])
        }}
      >
        <Badge icon="upload" />
        <p>{t('Drop files here: exports of Mneme, ChatGPT or Claude.ai, transcripts, or')}</p>
        <Act look="primary" disabled={isBusy} words={t('Choose files')} onClick={() => input.current?.click()} />
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".json,.jsonl,.ndjson,.zip,.md,.txt,.log"
          aria-label={t('Files to import')}
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        <Check label={t('Make memories of what is new')} value={thinks} onPick={setThinks} />
      </div>
      {files.map((state, at) => (
        <div key={at} class="card import-state" role="status">
          <p>
            <bdi>{state.name}</bdi>
          </p>
          {isGoingOn(state) && (
            <>
              <progress value={state.share} max={1} aria-label={t('Sent')} />
              <p class="hint">
                {state.share < 1
                  ? t('{n} % sent', { n: Math.round(state.share * 100) })
                  : t('Everything is sent; it is being imported…')}
              </p>
            </>
          )}
          <Failed error={state.error} />
          {state.report !== null && <Told report={state.report} />}
        </div>
      ))}
    </Section>
  )
}

function isGoingOn({ report, error }: Importing): boolean {
  return report === null && error === null
}

function Told({ report: { counts, isComplete, skipped } }: { readonly report: Report }) {
  const rows = COUNTS.map(([words, added, existing]): readonly [string, string | null] => {
    const [fresh, old] = [counts[added] ?? 0, counts[existing] ?? 0]
    const here = old > 0 ? ` · ${t('{n} here already', { n: old })}` : ''
    return [t(words), fresh + old === 0 ? null : t('{n} new', { n: fresh }) + here]
  })
  return (
    <>
      <Facts rows={[[t('Conversations'), counts.conversations ?? null], ...rows]} />
      <p class="links">
        <a href={hashOf('memories')}>{t('See what is remembered')}</a>
      </p>
      {!isComplete && <p class="note doubt">{t('The file is cut off; everything complete was imported.')}</p>}
      {skipped.length > 0 && (
        <>
          <h3>{t('{n} skipped', { n: skipped.length })}</h3>
          <LeftOut rows={skipped.slice(0, 100).map(({ at, reason }) => [<bdi key={at}>{at}</bdi>, reason])} />
        </>
      )}
    </>
  )
}

function Export() {
  const [withSecrets, setSecrets] = useState(false)
  const take = async (): Promise<void> => {
    const path = pathOf(['export'], { with_secrets: withSecrets })
    saveFile(await (await send('GET', path)).blob(), 'mneme-export.json')
  }
  return (
    <Section title={t('Export')}>
      <div class="card">
        <p>{t('Everything of yours in one file that Mneme reads again: conversations, memories, profile.')}</p>
        <p>
          <Check label={t('Include passwords and keys, unmasked')} value={withSecrets} onPick={setSecrets} />
        </p>
        <p class="actions">
          <Act icon="download" words={t('Export')} does={take} />
        </p>
      </div>
    </Section>
  )
}
