/** Corrects a memory; a concurrent change is reported and never overwritten. */
import { call, Problem, pathOf } from '../api.ts'
import type { Memory } from '../records.ts'
import { changes } from '../session.ts'
import { tell } from '../told.ts'
import { t } from '../words.ts'

/** Changes the patch's fields, unless the memory has changed since it was seen. */
export async function correct(seen: Memory, patch: object): Promise<Memory> {
  const path = pathOf(['memory', 'long-term', seen.id])
  const now = await call<Memory>('GET', path)
  if (now.updated_at !== seen.updated_at) {
    changes.value += 1
    const words = t('This memory was changed elsewhere meanwhile. It says now: {text}', { text: now.text })
    throw new Problem(409, words, t('Save again if your words are the right ones.'))
  }
  const changed = await call<Memory>('PATCH', path, patch)
  changes.value += 1
  return changed
}

/** Buries a memory, or shows it to models again. */
export async function bury(id: string, isBuried: boolean): Promise<Memory> {
  const memory = await call<Memory>(isBuried ? 'POST' : 'DELETE', pathOf(['memory', 'long-term', id, 'bury']))
  changes.value += 1
  return memory
}

/** Mutes a whole conversation, or shows it to models again. */
export async function mute(conversation: string, isMuted: boolean): Promise<void> {
  await call(isMuted ? 'POST' : 'DELETE', pathOf(['conversations', conversation, 'mute']))
  changes.value += 1
  tell(isMuted ? t('No model is shown this conversation any more.') : t('Models are shown this conversation again.'))
}
