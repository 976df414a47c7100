/** What people do with memories: correct, bury, forget, mute their source. Each resolves to words to tell. */
import { call, get, Problem, pathOf } from '../api.ts'
import type { Memory } from '../records.ts'
import { changes } from '../session.ts'
import { deletions } from '../told.ts'
import { t } from '../words.ts'

/** Changes the patch's fields, unless the memory has changed since it was seen. */
export async function correct(seen: Memory, patch: object): Promise<string> {
  const path = pathOf(['memory', 'long-term', seen.id])
  const now = await get<Memory>(path)
  if (now.updated_at !== seen.updated_at) {
    changes.value += 1
    const words = t('This memory was changed elsewhere meanwhile. It says now: {text}', { text: now.text })
    throw new Problem(409, words, t('Save again if your words are the right ones.'))
  }
  await call('PATCH', path, patch)
  changes.value += 1
  return t('Corrected.')
}

/** Buries memories, or shows them to models again. */
export async function bury(ids: readonly string[], isBuried: boolean): Promise<string> {
  try {
    for (const id of ids) await call(isBuried ? 'POST' : 'DELETE', pathOf(['memory', 'long-term', id, 'bury']))
  } finally {
    changes.value += 1
  }
  return isBuried
    ? t('{n} memory buried: no model sees it|{n} memories buried: no model sees them', { n: ids.length })
    : t('{n} memory taken out again|{n} memories taken out again', { n: ids.length })
}

/** Mutes a whole conversation, or shows it to models again. */
export async function mute(conversation: string, isMuted: boolean): Promise<string> {
  await call(isMuted ? 'POST' : 'DELETE', pathOf(['conversations', conversation, 'mute']))
  changes.value += 1
  return isMuted ? t('No model is shown this conversation any more.') : t('Models are shown this conversation again.')
}

/** Deletes memories, with time to undo it. */
export function forget(ids: readonly string[]): void {
  deletions.add({
    ids,
    label: t('{n} memory deleted|{n} memories deleted', { n: ids.length }),
    remove: (id, isLeaving) => call('DELETE', pathOf(['memory', 'long-term', id]), undefined, { keepalive: isLeaving }),
  })
}
