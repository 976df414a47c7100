/**
 * Is this the log of people among themselves, or of somebody with an assistant? The two are ranked by different
 * weights; a turn of role `assistant` with a speaker's name is a person's.
 */
import type { TurnColumns, TurnView } from '../domain/contracts/turn-index.ts'
import { ROLES } from '../domain/turn.ts'

/** Names of the sets of weights. */
export type ChatShape = 'people' | 'assistant'

/** The ratio of mean lengths, an assistant's turns to the others', from which the log is one with an assistant. */
const LONGER_ANSWERS = 1.5

const ASSISTANT = ROLES.indexOf('assistant')

/** Of the turns up to `size`: terms of all, and turns and terms of an assistant. */
interface Sums {
  readonly size: number
  readonly terms: number
  readonly answers: number
  readonly answerTerms: number
}
const NOTHING: Sums = { size: 0, terms: 0, answers: 0, answerTerms: 0 }

/** The sums of each index so far: columns only grow, so that a later look adds only the new. */
const sums = new WeakMap<TurnColumns, Sums>()

/** true when a model said it: the role is `assistant`, and nobody is named as the speaker. */
export function isAssistantTurn(
  ordinal: number,
  { columns, speakers }: Pick<TurnView, 'columns' | 'speakers'>,
): boolean {
  return columns.role[ordinal] === ASSISTANT && speakers[columns.speaker[ordinal]!] === ''
}

/** The shape of a user's log; `people` as long as there is nothing to compare. */
export function chatShape(view: Pick<TurnView, 'columns' | 'speakers' | 'size'>): ChatShape {
  const { columns, speakers, size } = view
  const known = sums.get(columns) ?? NOTHING
  const counted = known.size > size ? NOTHING : known
  let { terms, answers, answerTerms } = counted
  const { role, speaker, length } = columns
  const unnamed = speakers.indexOf('')
  for (let ordinal = counted.size; ordinal < size; ordinal++) {
    terms += length[ordinal]!
    if (role[ordinal] !== ASSISTANT || speaker[ordinal] !== unnamed) continue
    answers += 1
    answerTerms += length[ordinal]!
  }
  if (counted.size < size) sums.set(columns, { size, terms, answers, answerTerms })
  if (answers === 0 || answers === size) return 'people'
  const ratio = answerTerms / answers / Math.max(1, (terms - answerTerms) / (size - answers))
  return ratio >= LONGER_ANSWERS ? 'assistant' : 'people'
}
