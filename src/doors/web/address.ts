/** Where the page is: view and filters are behind the `#`, so every view is a link and no server log sees a search. */
import { signal } from '@preact/signals'

export const VIEWS = ['chat', 'memories', 'changes', 'context', 'profile', 'overview', 'settings'] as const
export type View = (typeof VIEWS)[number]

export interface Place {
  readonly view: View
  /** The path after the view: the id of a conversation or of a memory; '' for none. */
  readonly id: string
  readonly params: Readonly<Record<string, string>>
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name, ...rest] = path.split('/')
  const view = VIEWS.find((known) => known === name) ?? 'chat'
  return { view, id: decoded(rest.join('/')), params: Object.fromEntries(new URLSearchParams(query)) }
}

export function hashOf(view: View, id = '', params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== '')).toString()
  return `#/${view}${id === '' ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Milliseconds after which the address says what was typed: at each change browsers load the icon anew, and some refuse many. */
const SETTLED_MS = 500
let settling: ReturnType<typeof setTimeout> | undefined
let typed: string | null = null

function settle(): void {
  clearTimeout(settling)
  if (typed !== null) history.replaceState(null, '', typed)
  typed = null
}

export const place = signal<Place>({ view: 'chat', id: '', params: {} })

export function followAddress(): void {
  const read = (): void => {
    typed = null
    place.value = placeOf(location.hash)
  }
  addEventListener('hashchange', read)
  // The place that is left keeps what was typed there.
  addEventListener('click', settle, true)
  addEventListener('pagehide', settle)
  read()
}

/** Shows a place; `replace`: instead of this one, `typed`: likewise, and the address follows when nothing more is typed. */
export function go(hash: string, replace: boolean | 'typed' = false): void {
  if (replace === 'typed') {
    clearTimeout(settling)
    typed = hash
    settling = setTimeout(settle, SETTLED_MS)
  } else {
    settle()
    if (replace) history.replaceState(null, '', hash)
    else history.pushState(null, '', hash)
  }
  place.value = placeOf(hash)
}
