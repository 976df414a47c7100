/** Takes back the memories of a conversation or turn, after a preview of those removed, kept and restored. */
import { call, get } from '../api.ts'
import type { Memory } from '../records.ts'
import { changes } from '../session.ts'
import { t, type Words } from '../words.ts'
import { Act } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { useLoad, useWork } from './load.ts'
import { Failed } from './states.tsx'

/** A conversation, or one turn of it. */
export interface UndoneSource {
  readonly conversation_id: string
  readonly turn_id?: number
}

interface Preview {
  readonly gone: readonly Memory[]
  readonly kept: readonly Memory[]
  readonly restored: readonly Memory[]
}

const PARTS: readonly (readonly [keyof Preview, Words, 'del' | 'ins' | 'span'])[] = [
  ['gone', 'Goes', 'del'],
  ['restored', 'Holds again', 'ins'],
  ['kept', 'Stays, another turn says it as well', 'span'],
]

/** The dialog. */
export function UndoSource({ source, onClose }: { readonly source: UndoneSource; readonly onClose: () => void }) {
  const { data, error } = useLoad(
    (signal) => get<Preview>(['memory', 'undo'], signal, { ...source }),
    [JSON.stringify(source)],
  )
  const [isBusy, work] = useWork()
  const undo = async (): Promise<string> => {
    const { removed } = await call<{ removed: number }>('POST', '/memory/undo', source)
    changes.value += 1
    onClose()
    return t('{n} memory taken back|{n} memories taken back', { n: removed })
  }
  return (
    <Dialog
      title={source.turn_id === undefined ? t('Take back this whole conversation?') : t('Take back this message?')}
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
              <ul>
                {data[part].map((memory) => (
                  <li key={memory.id} class="sunk">
                    <Tag dir="auto">{memory.text}</Tag>
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
          disabled={isBusy || data === null || data.gone.length === 0}
          words={t('Take back {n} memory|Take back {n} memories', { n: data?.gone.length ?? 0 })}
          onClick={() => work(undo)}
        />
        <Act look="" words={t('Cancel')} onClick={onClose} />
      </p>
    </Dialog>
  )
}
