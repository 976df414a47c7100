/** Links to the parts of a view; one part is shown. */
import { useEffect, useRef } from 'preact/hooks'
import { hashOf, place, type View } from '../address.ts'
import { t, type Words } from '../words.ts'

/** The parts by the id that stands in the address; '' is the first. */
export function Tabs({ view, parts }: { readonly view: View; readonly parts: Readonly<Record<string, Words>> }) {
  const bar = useRef<HTMLElement>(null)
  const { id: shown } = place.value
  useEffect(() => {
    // Scrolls the current tab into view.
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  return (
    <nav ref={bar} class="tabs" aria-label={t('Parts of this view')}>
      {Object.entries(parts).map(([id, name]) => (
        <a key={id} class="tab" href={hashOf(view, id)} aria-current={shown === id ? 'page' : undefined}>
          {t(name)}
        </a>
      ))}
    </nav>
  )
}
