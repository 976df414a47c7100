/** The panel beside a list: a column on wide screens, an overlay on narrow ones. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words.ts'
import { Act } from './controls.tsx'

interface SideProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A closable column with a title. */
export function Side({ title, onClose, children }: SideProps) {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // As an overlay it takes the keyboard focus.
    if (matchMedia('(max-width: 1099px)').matches) box.current?.querySelector('button')?.focus()
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      // A dialog over it handles the key itself.
      const isOver = document.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !defaultPrevented && !isOver) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <aside ref={box} class="side column" aria-label={title}>
      <header class="side-head line spread">
        <h2>{title}</h2>
        <Act look="quiet icon-button" icon="close" aria-label={t('Close')} onClick={onClose} />
      </header>
      <div class="side-body scrolls">{children}</div>
    </aside>
  )
}
