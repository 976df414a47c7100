/** A correction of a memory: whoever saves over what somebody else has changed meanwhile is told, and nothing is lost. */
import { call, Problem, pathOf } from '../api.ts'
import type { Memory } from '../records.ts'
import { changes } from '../session.ts'
import { tell } from '../told.ts'
import { t } from '../words.ts'

/** Changes what the patch names, unless the memory is another by now than the one that was seen. */
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

/** Keeps a memory from every model, or takes it out again. */
export async function bury(id: string, isBuried: boolean): Promise<Memory> {
  const memory = await call<Memory>(isBuried ? 'POST' : 'DELETE', pathOf(['memory', 'long-term', id, 'bury']))
  changes.value += 1
  return memory
}

/** Keeps a whole conversation from every model, or lets them see it again. */
export async function mute(conversation: string, isMuted: boolean): Promise<void> {
  await call(isMuted ? 'POST' : 'DELETE', pathOf(['conversations', conversation, 'mute']))
  changes.value += 1
  tell(isMuted ? t('No model is shown this conversation any more.') : t('Models are shown this conversation again.'))
}
