/**
 * Which conversations speak of the asked matter? Each is judged as a whole by the terms it holds, in how many turns,
 * and their rarity among conversations.
 */
import type { ScoredList } from './accumulate.ts'
import { inverseDocumentFrequency } from './bm25.ts'

/** Turns of one conversation beyond which more with one term do not count. */
const MOST_TURNS_OF_A_TERM = 3
/** Half the full weight is reached with this many turns. */
const HALF_WEIGHT_TURNS = 1

/** A word that more turns hold says little about one conversation, and much time would go into finding that out. */
const LONGEST_LIST = 2048

let counts = new Uint8Array(256)
let seen = new Uint32Array(256)

/** How well conversations match: `scores` by index in the view, 0 to `best`. */
export interface ConversationScores {
  readonly scores: Float32Array
  /** 0 when there is nothing to tell conversations apart by. */
  readonly best: number
}

/**
 * Σ over terms of idf among conversations × n ÷ (n + 1), n the turns of the conversation with the term, at most 3.
 * Words that very many turns hold say nothing about one conversation and are left out.
 */
export function conversationScores(
  lists: readonly ScoredList[],
  conversation: Uint32Array,
  conversations: number,
): ConversationScores {
  const scores = new Float32Array(conversations)
  if (conversations < 2) return { scores, best: 0 }
  if (counts.length < conversations) {
    counts = new Uint8Array(conversations * 2)
    seen = new Uint32Array(conversations * 2)
  }
  const [turnsOf, found] = [counts, seen]
  let best = 0
  for (const { list, weight } of lists) {
    const { documents } = list
    if (documents.length > LONGEST_LIST) continue
    let met = 0
    for (let i = 0; i < documents.length; i++) {
      const one = conversation[documents[i]!]!
      const count = turnsOf[one]!
      if (count === 0) found[met++] = one
      if (count < MOST_TURNS_OF_A_TERM) turnsOf[one] = count + 1
    }
    const gain = weight * inverseDocumentFrequency(met, conversations)
    for (let i = 0; i < met; i++) {
      const one = found[i]!
      const turns = turnsOf[one]!
      turnsOf[one] = 0
      scores[one]! += (gain * turns) / (turns + HALF_WEIGHT_TURNS)
      if (scores[one]! > best) best = scores[one]!
    }
  }
  return { scores, best }
}
