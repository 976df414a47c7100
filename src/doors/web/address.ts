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

export const place = signal<Place>({ view: 'chat', id: '', params: {} })

export function followAddress(): void {
  const read = (): void => {
    place.value = placeOf(location.hash)
  }
  addEventListener('hashchange', read)
  read()
}

export function go(hash: string, replace = false): void {
  if (replace) history.replaceState(null, '', hash)
  else history.pushState(null, '', hash)
  place.value = placeOf(hash)
}
