/** The viewer, their settings and access. The key stays in this tab, preferences in this browser. */
import { effect, signal } from '@preact/signals'

/** A value that is kept in a storage under a name; what storage refuses is kept for this visit. */
function kept(storage: () => Storage, name: string, initial: string) {
  const value = signal(initial)
  try {
    value.value = storage().getItem(`mneme.${name}`) ?? initial
  } catch {
    // A browser may refuse storage.
  }
  effect(() => {
    const { value: now } = value
    try {
      if (now === '') storage().removeItem(`mneme.${name}`)
      else storage().setItem(`mneme.${name}`, now)
    } catch {
      // It holds for this visit.
    }
  })
  return value
}

export const key = kept(() => sessionStorage, 'key', '')
export const user = kept(() => sessionStorage, 'user', '')
/** A long text that was pasted into the message; it is sent behind it and never laid out. */
export const attached = signal('')
export const draft = kept(() => sessionStorage, 'draft', '')
export const theme = kept(() => localStorage, 'theme', 'system')
/** The language that was chosen; '' for the browser's. */
export const language = kept(() => localStorage, 'language', '')

/** The credential that the server requires; null: none. */
export const asksFor = signal<'key' | 'user' | null>(null)
/** Whether the server could be reached when it was last asked. */
export const isReachable = signal(true)
/** Counts up whenever memories were changed here: lists look again. */
export const changes = signal(0)
