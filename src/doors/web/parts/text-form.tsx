/** Edits a text in place. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words.ts'

/** A field with save and cancel; ⌘ or Ctrl with Enter saves, Escape cancels. */
export function TextForm({
  label,
  text,
  onSave,
  onCancel,
}: {
  readonly label: string
  readonly text: string
  readonly onSave: (text: string) => Promise<void>
  readonly onCancel: () => void
}) {
  const [value, setValue] = useState(text)
  const [isSaving, setSaving] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // Before the first paint, so that early keystrokes go into the field.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [])
  const save = async (): Promise<void> => {
    if (value.trim() === '' || isSaving) return
    setSaving(true)
    await onSave(value.trim())
    setSaving(false)
  }
  return (
    <form
      class="text-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        ref={field}
        class="grows"
        aria-label={label}
        dir="auto"
        value={value}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save()
          if (event.key !== 'Escape') return
          event.preventDefault()
          onCancel()
        }}
      />
      <p class="actions">
        <button type="submit" class="primary small" disabled={isSaving || value.trim() === ''}>
          {t('Save')}
        </button>
        <button type="button" class="quiet small" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </p>
    </form>
  )
}
