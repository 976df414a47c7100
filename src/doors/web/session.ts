/** The viewer, their settings and access. The key stays in this tab, preferences in this browser. */
import { computed, effect, signal } from '@preact/signals'

/** A value kept in a storage under a name; where storage refuses, it lasts for this visit. */
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
      // The value lasts for this visit.
    }
  })
  return value
}

export const key = kept(() => sessionStorage, 'key', '')
export const user = kept(() => sessionStorage, 'user', '')

/** Texts of this tab, by conversation; '' is the new one. */
function keptTexts(name: string) {
  const all = kept(() => sessionStorage, name, '{}')
  const texts = computed<Readonly<Record<string, string>>>(() => JSON.parse(all.value))
  return {
    of: (id: string): string => texts.value[id] ?? '',
    set: (id: string, text: string): void => {
      all.value = JSON.stringify({ ...texts.value, [id]: text === '' ? undefined : text })
    },
  }
}

/** Words typed, and not sent yet. */
export const drafts = keptTexts('drafts')
/** Long pasted texts; each is sent after its message and never laid out. */
export const attached = keptTexts('attached')
export const theme = kept(() => localStorage, 'theme', 'system')
export const language = kept(() => localStorage, 'language', '')

/** The credential that the server requires; null: none. */
export const asksFor = signal<'key' | 'user' | null>(null)
/** Whether the last request reached the server. */
export const isReachable = signal(true)
/** Counter of memory changes on this page; lists reload when it rises. */
export const changes = signal(0)
