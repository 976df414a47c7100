/** Links to the parts of a view, one of which is shown. */
import { hashOf, place, type View } from '../address.ts'
import { t, type Words } from '../words.ts'

/** The parts by the id that stands in the address; '' is the first. */
export function Tabs({ view, parts }: { readonly view: View; readonly parts: Readonly<Record<string, Words>> }) {
  return (
    <nav class="tabs" aria-label={t('Parts of this view')}>
      {Object.entries(parts).map(([id, name]) => (
        <a key={id} href={hashOf(view, id)} aria-current={place.value.id === id ? 'page' : undefined}>
          {t(name)}
        </a>
      ))}
    </nav>
  )
}
