/** What of two statements does the newer one say is over: what the older one tells, or something else? */
import { differentNames } from './compare-values.ts'
import type { Overlap } from './overlap.ts'
import type { Profile } from './profile.ts'
import { changedAsWhole } from './whole-change.ts'

/** Shared words that name what is over. */
const NAMED_BY_WORDS = 0.5
/** So much shared names the matter itself, whether or not its attribute has one value. */
const SAME_MATTER = 1

/** A topic of one value, or words that name what is over. */
export function endsIt(newer: Profile, overlap: Overlap): boolean {
  return (
    overlap.single ||
    overlap.termScore >= NAMED_BY_WORDS ||
    overlap.termScore + overlap.topicScore >= SAME_MATTER ||
    newer.topics.size === 0
  )
}

/** It names what is over, by a word of another attribute: the Bluetooth is off, not the car. */
export function endsAnother({ text, changing, changingTopics }: Profile, { topics, terms }: Overlap): boolean {
  // 把 names its object plainly, whatever it is.
  if (changingTopics.size === 0 && !(changing.size > 0 && text.includes('把'))) return false
  const whole = changedAsWhole(text)
  return (
    !topics.some((topic) => changingTopics.has(topic) || whole.has(topic)) && !terms.some((term) => changing.has(term))
  )
}

/** It names what is over, and the older one names something else: who sold the Volvo still has the Tesla. */
export function endsAnotherByName(newer: Profile, older: Profile): boolean {
  const gone = [...newer.people.names].filter((name) => newer.changing.has(name))
  return gone.length > 0 && !gone.some((name) => older.terms.has(name)) && differentNames(newer, older)
}
