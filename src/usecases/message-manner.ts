/** How does a message speak, whatever was told? Its manner and the log decide whether a context is given. */
import { hasHan } from '../language/character-class.ts'
import {
  asksInGeneral,
  asksOfSelf,
  asksOfThePast,
  asksOrWantsToldOf,
  isOfSelf,
  ordersToMake,
} from '../language/questions.ts'
import { asksFirst } from '../search/candidates.ts'
import type { Manner } from '../search/evidence-gate.ts'
import { withoutPast } from '../thinking/facts/asked-attributes.ts'

/** Characters up to which a message that asks nothing is judged; the mean measure of a longer one, which is mostly a task. */
const LONGEST_JUDGED = 60
const MOSTLY_A_TASK = -0.8
/** The log-odds of a statement that is surely told, or surely not. */
const SURELY_TOLD = 4
/** The distance below nothing told within which words may be looked for. */
const MAYBE_TOLD = 2

export async function mannerOf(message: string): Promise<Manner> {
  return {
    ofSelf: isOfSelf(message),
    asksOfSelf: asksOfSelf(message),
    asksOfThePast: hasHan(message) ? withoutPast(message) !== message : asksOfThePast(message),
    asksInGeneral: asksInGeneral(message),
    ordersToMake: ordersToMake(message),
    length: message.length,
    tells: asksOrWantsToldOf(message) || asksFirst(message) ? 0 : await tellsOf(message),
  }
}

/** The judge is loaded only for a short message: that takes longer than all else. */
async function tellsOf(message: string): Promise<number> {
  if (message.length > LONGEST_JUDGED) return MOSTLY_A_TASK
  const { writeJudgement } = await import('../thinking/write-decision/linear-model.ts')
  const { store } = writeJudgement(message)
  // A name or a word alone may be looked for: only what is surely small talk counts as such.
  return Math.max(-1, Math.min(1, store < 0 ? Math.min(0, store + MAYBE_TOLD) / MAYBE_TOLD : store / SURELY_TOLD))
}
