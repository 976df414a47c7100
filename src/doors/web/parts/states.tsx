/** Placeholders where there is nothing to show: nothing yet, nothing found, or an error. */
import type { ComponentChildren } from 'preact'
import { reasonOf } from '../told.ts'
import { t } from '../words.ts'
import { Icon, type IconName } from './icon.tsx'

/** A sentence, and the next step. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
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

/** An error in the server's words. */
export function Failed({ error }: { readonly error: unknown }) {
  return (
    <div class="failed" role="alert">
      <strong>{t('That did not work.')}</strong> {reasonOf(error)}
    </div>
  )
}
