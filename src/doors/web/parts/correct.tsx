/** Acts on memories: correct, bury, forget, mute their source, or take back all of it. */
import { call, get, Problem, pathOf } from '../api.ts'
import { attempt, deletions } from '../notices.ts'
import type { Memory, Preview } from '../records.ts'
import { changes } from '../session.ts'
import { t, type Words } from '../translations.ts'
import { Act, Dialog, Failed } from './controls.tsx'
import { useLoad, useTextForm } from './load.tsx'

export function changedElsewhere(text: string): Problem {
  const words = t('This was changed elsewhere meanwhile. It says now: {text}', { text })
  return new Problem(0, words, t('Save again if your words are the right ones.'))
}

/** Changes the patch's fields, unless the memory has changed since it was seen. */
export async function correct({ id, updated_at: if_updated_at }: Memory, patch: object): Promise<string> {
  const path = pathOf(['memory', 'long-term', id])
  try {
    await call('PATCH', path, { ...patch, if_updated_at })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    throw changedElsewhere((await get<Memory>(path)).text)
  } finally {
    changes.value += 1
  }
  return t('Corrected.')
}

/** As `useTextForm`, for the words of a memory. */
export function useCorrection(seen: Memory | null): ReturnType<typeof useTextForm> {
  return useTextForm(t('What is right?'), seen?.text ?? '', (text) => correct(seen!, { text }))
}

async function setBuried(ids: readonly string[], isBuried: boolean): Promise<string> {
  try {
    for (const id of ids) await call(isBuried ? 'POST' : 'DELETE', pathOf(['memory', 'long-term', id, 'bury']))
  } finally {
    changes.value += 1
  }
  return isBuried
    ? t('{n} memory buried: no model sees it|{n} memories buried: no model sees them', { n: ids.length })
    : t('{n} memory unburied|{n} memories unburied', { n: ids.length })
}

interface BuryProps {
  readonly ids: readonly string[]
  readonly isBuried: boolean
  /** Beside other buttons there is room for the drawing alone. */
  readonly isTight?: boolean
  readonly onClick?: () => void
}

export function BuryButton({ ids, isBuried, isTight = false, onClick }: BuryProps) {
  const words = isBuried ? t('Unbury') : t('Bury')
  const how = isTight ? { look: 'quiet small icon-button', 'aria-label': words, 'aria-pressed': isBuried } : { words }
  const bury = (): void => {
    void attempt(() => setBuried(ids, !isBuried))
    onClick?.()
  }
  return <Act icon="bury" {...how} onClick={bury} />
}

export async function mute(conversation: string, isMuted: boolean): Promise<string> {
  await call(isMuted ? 'POST' : 'DELETE', pathOf(['conversations', conversation, 'mute']))
  changes.value += 1
  return isMuted ? t('No model is shown this conversation any more.') : t('Models are shown this conversation again.')
}

/** Ids of one request: a page that closes may send 64 KiB. */
const AT_ONCE = 1500

export function forget(ids: readonly string[]): void {
  const remove = async (keepalive: boolean): Promise<void> => {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await call('POST', '/memory/delete', { ids: ids.slice(from, from + AT_ONCE) }, { keepalive })
  }
  deletions.add({ ids, label: t('{n} memory deleted|{n} memories deleted', { n: ids.length }), remove })
}

export interface UndoneSource {
  readonly conversation_id: string
  readonly turn_id?: number
}

const PARTS: readonly (readonly [keyof Preview, Words, 'del' | 'ins' | 'span'])[] = [
  ['gone', 'Will be deleted', 'del'],
  ['restored', 'Will be current again', 'ins'],
  ['kept', 'Stays: another message says it, too', 'span'],
]

interface UndoProps {
  readonly source: UndoneSource
  readonly onClose: () => void
  /** Gets the ids of what was taken back. */
  readonly onDone?: (gone: readonly string[]) => unknown
}

export function UndoSource({ source, onClose, onDone }: UndoProps) {
  const { data, error } = useLoad(
    (signal) => get<Preview>(['memory', 'undo'], signal, { ...source }),
    [JSON.stringify(source)],
  )
  const undo = async (): Promise<string> => {
    const { removed } = await call<{ removed: number }>('POST', '/memory/undo', source)
    onDone?.((data?.gone ?? []).map(({ id }) => id))
    changes.value += 1
    onClose()
    return t('{n} memory forgotten|{n} memories forgotten', { n: removed })
  }
  return (
    <Dialog
      title={
        source.turn_id === undefined
          ? t('Forget what was remembered from this conversation?')
          : t('Forget what was remembered from this message?')
      }
      onClose={onClose}
    >
      <p class="hint">{t('What was said stays where it was said; only what was remembered from it goes, for good.')}</p>
      <Failed error={error} />
      {data !== null && (
        <div class="preview">
          {PARTS.filter(([part]) => data[part].length > 0).map(([part, name, Tag]) => (
            <section key={part}>
              <h3>
                {t(name)} · {data[part].length}
              </h3>
              <ul class="stack">
                {data[part].map((memory) => (
                  <li key={memory.id} class="sunk">
                    <Tag>{memory.text}</Tag>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {data.gone.length === 0 && <p class="nothing">{t('Nothing that is remembered comes from here alone.')}</p>}
        </div>
      )}
      <p class="actions">
        <Act
          look="danger"
          disabled={data === null || data.gone.length === 0}
          words={t('Forget {n} memory|Forget {n} memories', { n: data?.gone.length ?? 0 })}
          does={undo}
        />
        <Act look="" words={t('Cancel')} onClick={onClose} />
      </p>
    </Dialog>
  )
}
