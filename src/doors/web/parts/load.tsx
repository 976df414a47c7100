/** Data of a view while it loads, work that goes on, and a text that is edited in place. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { changes, user } from '../session.ts'
import { t } from '../translations.ts'
import { Act, focusSoon, onSend, useWork } from './controls.tsx'

/** Loads again whenever one of `causes` changes, or the user or memories do; the earlier data stays until then. `show` takes what is known before the end. */
export function useLoad<T>(
  load: (signal: AbortSignal, show: (data: T) => void) => Promise<T>,
  causes: readonly unknown[],
) {
  const [state, setState] = useState({ data: null as T | null, error: null as unknown, isLoading: true })
  // Before the paint, so that typed text is searched at once.
  useLayoutEffect(() => {
    const gone = new AbortController()
    setState((now) => (now.isLoading && now.error === null ? now : { ...now, error: null, isLoading: true }))
    const show = (data: T, isLoading = false): void => {
      if (!gone.signal.aborted) setState({ data, error: null, isLoading })
    }
    load(gone.signal, (data) => show(data, true)).then(show, (error: unknown) => {
      if (!gone.signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
    })
    return () => gone.abort()
  }, [...causes, changes.value, user.value])
  return { ...state, set: (data: T) => setState({ data, error: null, isLoading: false }) }
}

/** Waits, and rejects where the answer is not wanted any more. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  signal.throwIfAborted()
}

/** Buttons that open the form of a text. */
const OPENS_FORM = 'button:has(.icon-pencil)'

interface TextFormProps {
  readonly label: string
  readonly text: string
  readonly onSave: (text: string) => Promise<unknown>
  readonly onCancel: () => void
}

/** A field with save and cancel; ⌘ or Ctrl with Enter saves, Escape cancels. The outcome of `onSave` is told. */
function TextForm({ label, text, onSave, onCancel }: TextFormProps) {
  const [value, setValue] = useState(text)
  const [isSaving, work] = useWork()
  const field = useRef<HTMLTextAreaElement>(null)
  const canSave = value.trim() !== '' && !isSaving
  const save = (): void => {
    if (canSave) void work(() => onSave(value.trim()))
  }
  // Before the first paint, so that early keystrokes go into the field.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
    const home = field.current?.form?.parentElement
    return () => focusSoon(() => home?.isConnected && home.querySelector(OPENS_FORM))
  }, [])
  return (
    <form class="text-form" onSubmit={onSend(save)}>
      <textarea
        ref={field}
        class="grows"
        aria-label={label}
        value={value}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
          if (event.key !== 'Escape') return
          event.preventDefault()
          onCancel()
        }}
      />
      <p class="actions">
        <Act type="submit" look="primary small" disabled={!canSave} words={t('Save')} />
        <Act look="quiet small" words={t('Cancel')} onClick={onCancel} />
      </p>
    </form>
  )
}

/** The form in which a text is edited, null while it is closed, and what opens it; it closes once the text is saved. */
export function useTextForm(
  label: string,
  text: string,
  onSave: (text: string) => Promise<unknown>,
): readonly [preact.JSX.Element | null, () => void] {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const save = async (value: string): Promise<unknown> => {
    const words = await onSave(value)
    close()
    return words
  }
  const form = isOpen ? <TextForm key="form" label={label} text={text} onSave={save} onCancel={close} /> : null
  return [form, () => setOpen(true)]
}
