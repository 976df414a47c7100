/**
 * Can a newer statement repeat, change or end an older one at all? Asked first: of most older ones the words and values
 * are read for it, and neither people nor attributes. What it lets through is judged as a whole.
 */
import { slotNamed } from '../facts/topics.ts'
import { deniesValue, REPEATED, tellsCeased, turnsRound } from './compare-values.ts'
import { likeliest, wayOfWhole, waysOfValues } from './judge.ts'
import {
  changedAsWhole,
  deniesGiven,
  leavesGiven,
  leavesPost,
  tellsDeath,
  tellsGone,
  tellsHolderGone,
  tellsLeft,
  tellsNewOne,
} from './left-values.ts'
import { isOrder, orderChanged } from './meant.ts'
import { sharedTerms } from './overlap.ts'
import type { Profile, Read } from './statement.ts'

/** What the newer one may tell of the older one in words; each looks at the newer one first. */
const TELLINGS: readonly ((newer: Profile, older: Profile) => boolean)[] = [
  leavesPost,
  (newer) => changedAsWhole(newer.text).has('partner'),
  ({ stance }, { text }) => stance.replaces && isOrder(text),
  deniesGiven,
  tellsLeft,
  tellsNewOne,
  turnsRound,
  tellsGone,
  tellsHolderGone,
  leavesGiven,
  deniesValue,
  tellsCeased,
  tellsDeath,
]

/** Whether a comparison of the two may find more than that both can be true; `least`: the log-odds of a change that counts. */
export function mayTouch(mine: Read, theirs: Read, least: number): boolean {
  const [newer, older] = [mine.profile, theirs.profile]
  const { unreal, begins, replaces, ends, corrects } = newer.stance
  if (newer.wording === older.wording || orderChanged(newer.text, older.text) !== null) return true
  if (likeliest(waysOfValues(newer, older)).odds >= least) return true
  if (unreal) return false
  if (TELLINGS.some((tells) => tells(newer, older))) return true
  const keys = new Set(newer.facts.map(({ key }) => key))
  if (keys.size > 0 && older.facts.some(({ key }) => keys.has(key))) return true
  const terms = sharedTerms(newer, older)
  if (terms.length >= newer.terms.size * REPEATED) return true
  // As much as they could have in common.
  const most = {
    topics: [],
    hints: [],
    single: true,
    terms,
    names: [''],
    propScore: Math.max(0, ...newer.props.values()),
  }
  if (likeliest([wayOfWhole(mine, theirs, { ...most, topicScore: 1, termScore: 1 })]).odds < least) return false
  if (begins || replaces || ends || corrects || mine.statement.heard === true) return true
  return [...newer.topics.keys()].some((topic) => (slotNamed(topic)?.single ?? true) && older.topics.has(topic))
}
