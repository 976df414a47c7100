/** The panel beside a list: a column on wide screens, an overlay on narrow ones. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words.ts'
import { Icon } from './icon.tsx'

/** A closable column with a title. */
export function Side({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const close = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // As an overlay it takes the keyboard focus.
    if (matchMedia('(max-width: 1099px)').matches) close.current?.focus()
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      // A dialog over it handles the key itself.
      const isOver = document.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !defaultPrevented && !isOver) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <aside class="side" aria-label={title}>
      <header class="side-head">
        <h2>{title}</h2>
        <button ref={close} type="button" class="quiet icon-button" aria-label={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="side-body">{children}</div>
    </aside>
  )
}
