/**
 * Which conversations speak of what the query asks? Every conversation is judged as a whole: which of the terms it
 * holds, in how many of its turns, and how rare they are among conversations. Found by one pass over the lists.
 */
import { HOT_LIST, type ScoredList } from './accumulate.ts'
import { inverseDocumentFrequency } from './bm25.ts'

/** Turns of one conversation after which more with the same term count no more. */
const MOST_TURNS_OF_A_TERM = 3
/** Half the full weight is reached with this many turns. */
const HALF_WEIGHT_TURNS = 1

let counts = new Uint8Array(256)

/**
 * For every conversation 0 to 1, the best 1; all 0 when there is nothing to tell them apart by. Σ over terms of
 * idf among conversations × n ÷ (n + 1), n the turns with the term, at most 3. Hot words say nothing and are left out.
 */
export function conversationScores(
  lists: readonly ScoredList[],
  conversation: Uint32Array,
  conversations: number,
): Float32Array {
  const scores = new Float32Array(conversations)
  if (conversations < 2) return scores
  if (counts.length < conversations) counts = new Uint8Array(conversations * 2)
  let best = 0
  for (const { list, weight } of lists) {
    const { documents } = list
    if (documents.length > HOT_LIST) continue
    const seen: number[] = []
    for (let i = 0; i < documents.length; i++) {
      const one = conversation[documents[i]!]!
      const count = counts[one]!
      if (count === 0) seen.push(one)
      if (count < MOST_TURNS_OF_A_TERM) counts[one] = count + 1
    }
    const gain = weight * inverseDocumentFrequency(seen.length, conversations)
    for (const one of seen) {
      const turns = counts[one]!
      counts[one] = 0
      const score = scores[one]! + (gain * turns) / (turns + HALF_WEIGHT_TURNS)
      scores[one] = score
      if (score > best) best = score
    }
  }
  if (best > 0) for (let i = 0; i < conversations; i++) scores[i]! /= best
  return scores
}
