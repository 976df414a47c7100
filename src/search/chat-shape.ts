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

interface Sums {
  size: number
  readonly turns: [others: number, assistant: number]
  readonly terms: [others: number, assistant: number]
}

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
  let sum = sums.get(columns)
  if (sum === undefined || sum.size > size) {
    sum = { size: 0, turns: [0, 0], terms: [0, 0] }
    sums.set(columns, sum)
  }
  const { role, speaker, length } = columns
  const { turns, terms } = sum
  const unnamed = speakers.indexOf('')
  for (let ordinal = sum.size; ordinal < size; ordinal++) {
    const side = role[ordinal] === ASSISTANT && speaker[ordinal] === unnamed ? 1 : 0
    turns[side] += 1
    terms[side] += length[ordinal]!
  }
  sum.size = size
  const [others, assistant] = turns
  if (others === 0 || assistant === 0) return 'people'
  const ratio = terms[1] / assistant / Math.max(1, terms[0] / others)
  return ratio >= LONGER_ANSWERS ? 'assistant' : 'people'
}
