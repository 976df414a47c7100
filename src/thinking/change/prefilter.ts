/**
 * Can a newer statement repeat, change or end an older one at all? Most older ones are dropped by their words and values
 * alone, before people and attributes are read.
 */
import { slotNamed } from '../facts/mentioned-attributes.ts'
import { deniesValue, REWORDED } from './compare-values.ts'
import { isOrder, orderChanged } from './corrections-and-orders.ts'
import { changedAsWhole, leavesPost, tellsEnded } from './ended-values.ts'
import { FEW_WORDS, likeliestWay, wayOfWhole, waysOfValues } from './judge-change.ts'
import { sharedTerms } from './overlap.ts'
import type { Read, Reading } from './statement-reading.ts'

/**
 * Least log-odds of a change that was said to be remembered; by a new value.
 */
export const [TOLD, TOLD_VALUE] = [-3, -1]
/** Likewise of one said in a chat, where little changes; in a short statement; by words of an end; by another value of an attribute. */
export const [HEARD, HEARD_SHORT, HEARD_END, HEARD_FACT] = [0.72, 0, -0.5, -4]

/** The words by which the newer one may tell of the older one; each looks at the newer one first. */
const TELLINGS: readonly ((newer: Reading, older: Reading) => boolean)[] = [
  leavesPost,
  (newer) => changedAsWhole(newer.text).has('partner'),
  ({ stance }, { text }) => stance.replaces && isOrder(text),
  tellsEnded,
  deniesValue,
  exchangesWord,
]

/** Whether a comparison of the two may find more than that both can be true. */
export function mayRelate(mine: Read, theirs: Read): boolean {
  const [newer, older] = [mine.reading, theirs.reading]
  const { unreal, begins, replaces, ends, corrects } = newer.stance
  if (newer.wording === older.wording || orderChanged(newer.text, older.text) !== null) return true
  if (unreal && newer.values.length === 0) return false
  const least = leastOdds(mine, theirs)
  if (likeliestWay(waysOfValues(newer, older)).odds >= least) return true
  if (unreal) return false
  if (TELLINGS.some((tells) => tells(newer, older))) return true
  const keys = new Set(newer.facts.map(({ key }) => key))
  if (keys.size > 0 && older.facts.some(({ key }) => keys.has(key))) return true
  const terms = sharedTerms(newer, older)
  if (terms.length >= newer.terms.size * REWORDED) return true
  // As much as they could have in common.
  const most = {
    topics: [],
    hints: [],
    single: true,
    terms,
    names: [''],
    propScore: Math.max(0, ...newer.props.values()),
  }
  if (likeliestWay([wayOfWhole(mine, theirs, { ...most, topicScore: 1, termScore: 1 })]).odds < least) return false
  if (begins || replaces || ends || corrects || mine.statement.heard === true) return true
  return [...newer.topics.keys()].some((topic) => (slotNamed(topic)?.single ?? true) && older.topics.has(topic))
}

/** Whether it says the same of an attribute with one word in the place of another, and calls it new: "aisle seats now". */
export function exchangesWord(newer: Reading, older: Reading): boolean {
  const isStated = (topic: string): boolean => older.stated.has(topic) && slotNamed(topic)?.single === true
  if (!newer.stance.replaces || ![...newer.stated].some(isStated)) return false
  const [own, others] = [newer.terms.difference(older.terms), older.terms.difference(newer.terms)]
  return own.size === 1 && others.size === 1 && newer.terms.size > 1
}

/** The least log-odds of a change that counts in any case. */
function leastOdds({ statement, reading }: Read, older: Read): number {
  if (statement.heard !== true) return TOLD
  if (reading.stance.ends) return HEARD_END
  return isShort(reading, older.reading) ? HEARD_SHORT : HEARD
}

/** Whether both say little. */
export function isShort(newer: Reading, older: Reading): boolean {
  return Math.max(newer.terms.size, older.terms.size) <= FEW_WORDS
}
