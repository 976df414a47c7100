/** Edits a text in place. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words.ts'
import { Act, onSend } from './controls.tsx'
import { useWork } from './load.ts'

interface TextFormProps {
  readonly label: string
  readonly text: string
  readonly onSave: (text: string) => Promise<unknown>
  readonly onCancel: () => void
}

/** A field with save and cancel; ⌘ or Ctrl with Enter saves, Escape cancels. What `onSave` resolves to or fails by is told. */
export function TextForm({ label, text, onSave, onCancel }: TextFormProps) {
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
  }, [])
  return (
    <form class="text-form" onSubmit={onSend(save)}>
      <textarea
        ref={field}
        class="grows"
        aria-label={label}
        dir="auto"
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
