/** Placeholders where there is nothing to show: nothing yet, nothing found, or an error. */
import type { ComponentChildren } from 'preact'
import { reasonOf } from '../told.ts'
import { t } from '../words.ts'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

/** A sentence, and the next step. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** An error in the server's words; nothing for null. */
export function Failed({ error }: { readonly error: unknown }) {
  if (error === null) return null
  return (
    <p class="failed" role="alert">
      <strong>{t('That did not work.')}</strong> {reasonOf(error)}
    </p>
  )
}
