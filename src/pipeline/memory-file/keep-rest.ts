/**
 * An entry may show a part of its memory only. When the person changes the entry or takes it out, that was said of what it
 * shows: the sentences that they never saw there stay remembered, as a memory of their own.
 */
import { noteOf } from '../../cognition/notes/rules.ts'
import { withoutOpening } from '../../cognition/notes/stands-alone.ts'
import { headsOf } from '../../cognition/notes/without-tail.ts'
import type { LedgerEntry } from '../../contracts/memory-file-ledger.ts'
import { textHash } from '../../text/memory-file/entry-line.ts'
import { maskSecrets } from '../../text/secrets/mask-secrets.ts'
import { splitSentences } from '../../text/sentences.ts'
import { DERIVED_FROM } from '../thinking/still-true.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

const MOST_ATTEMPTS = 20

/** Stores what the entry did not show, if anything; to be called before its memory is ended. */
export async function keepRest(
  { store, newId }: Pick<MemoryFileDependencies, 'store' | 'newId'>,
  userId: string,
  { memoryId, hashes }: LedgerEntry,
  now: number,
): Promise<void> {
  const { memories } = store
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const whole = await memories.get(userId, memoryId)
    const note = whole === null ? null : noteOf(whole, false)
    if (whole === null || note === null || note.text === whole.text) return
    // Nothing is known of what another wording left out.
    if (!hashes.includes(textHash(maskSecrets(note.text)))) return
    const unseen = splitSentences(whole.text).filter((sentence) => !isShown(withoutOpening(sentence), note.text))
    if (unseen.length === 0) return
    const rest = {
      ...whole,
      id: newId(),
      text: unseen.join(/\p{Script=Han}/u.test(unseen[0]!) ? '' : ' '),
      key: null,
      value: null,
      tags: [],
      accessCount: 0,
      lastAccessed: null,
      externalId: null,
      metadata: { ...whole.metadata, [DERIVED_FROM]: whole.id },
    }
    if (await memories.apply(userId, revision, { insert: [rest], update: [], remove: [], at: now })) return
  }
}

/** Whether the entry says the sentence, or as much of it as belongs into notes. */
function isShown(sentence: string, entry: string): boolean {
  return entry.includes(sentence) || headsOf(sentence).some((head) => entry.includes(head))
}
