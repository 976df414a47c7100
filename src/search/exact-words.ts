/**
 * Which turns hold words of the query just as they stand? The index finds all forms of a word by its stem; a word that
 * is its own stem (payment) has no entry of its own, so it cannot be told from its other forms and does not count.
 */
import type { TurnView } from '../contracts/turn-index.ts'
import { holds } from '../domain/ascending.ts'
import { inverseDocumentFrequency } from './bm25.ts'

/**
 * By ordinal the share of these words, by rarity, that the turn holds: above 0, at most 1; turns with none are left
 * out. `whole` are terms of `wholeTerms`. null when no turn at all holds one of them.
 */
export async function exactWords(
  whole: readonly string[],
  ordinals: readonly number[],
  view: TurnView,
): Promise<ReadonlyMap<number, number> | null> {
  if (whole.length === 0) return null
  const lists = (await view.postings(whole))
    .filter(({ documents }) => documents.length > 0)
    .map(({ documents }) => ({ documents, gain: inverseDocumentFrequency(documents.length, view.live) }))
  if (lists.length === 0) return null
  const total = lists.reduce((sum, { gain }) => sum + gain, 0)
  const shares = new Map<number, number>()
  for (const ordinal of ordinals) {
    let share = 0
    for (const { documents, gain } of lists) if (holds(documents, ordinal)) share += gain / total
    if (share > 0) shares.set(ordinal, share)
  }
  return shares
}
