/** What of two statements does the newer one say is over: what the older one tells, or something else? */
import { indexTerms } from '../../language/tokens.ts'
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
  const gone = [...newer.people.names].flatMap((name) => [...indexTerms(name).keys()])
  const named = gone.filter((term) => newer.changing.has(term))
  return named.length > 0 && !named.some((term) => older.terms.has(term)) && differentNames(newer, older)
}

/** "Colm left the party": of the one whose name alone is shared something is over that the older one does not speak of. */
export function endsAnotherThing(newer: Profile, older: Profile): boolean {
  const { changing, changingTopics, props } = newer
  if (changing.size === 0 || changingTopics.size > 0 || props.size > 0) return false
  return ![...changing].some((term) => older.terms.has(term))
}

/** What has parts: a shop that no longer mends one kind of bike is a shop still. */
const WHOLE = 'business'

/** It is over with something that the older one's business did; of the business itself, or of what goes with it, it says nothing. */
export function endsPartOfWhole({ topics, changing, changingTopics, props, text }: Profile, older: Profile): boolean {
  if ((older.topics.get(WHOLE) ?? 0) === 0 || (changing.size === 0 && !STOPPED_DOING.test(text))) return false
  return !topics.has(WHOLE) && !changingTopics.has(WHOLE) && !props.has(WHOLE) && changedAsWhole(text).size === 0
}

/** Something is done no longer: "stopped doing", 不修了. */
const STOPPED_DOING = /\b(?:stopp?(?:ed|ing)|quit|no longer|don['’]t|not) \w{1,40}ing\b|不[再]?\p{Script=Han}{1,3}了/iu
