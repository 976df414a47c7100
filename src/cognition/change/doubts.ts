/**
 * What does a change throw doubt on? What rests on the changed attribute, what names that which is gone, and what speaks
 * of the attribute beside something else. Nothing of this is certain, so nothing of it is ended.
 */
import { indexTerms } from '../../text/tokens.ts'
import { plainTopics } from '../facts/topics.ts'
import { restingOn } from './dependents.ts'
import { BROAD, overlapOf } from './overlap.ts'
import { type Profile, profileOf } from './profile.ts'
import { samePerson } from './same-person.ts'
import type { Related, Statement } from './statement.ts'
import { isTimeTerm } from './time-terms.ts'

/** It is arranged around an attribute that has changed: the gym near the old home. */
export function restsOnChanged(
  changed: ReadonlySet<string>,
  newerStatement: Statement,
  olderStatement: Statement,
): Related | null {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  for (const topic of changed) {
    const resting = restingOn(topic, plainTopics(older.topics))
    if (resting === null) continue
    const reason = `${topic.replaceAll('_', ' ')} has changed, and ${resting.replaceAll('_', ' ')} may rest on it`
    return { relation: 'doubts', reason, strength: newer.stance.hedged ? 0.3 : 0.5 }
  }
  return null
}

/** "We live in his company's flat" speaks of the employer that has changed, whatever else it says. */
export function touches(
  changed: ReadonlySet<string>,
  newerStatement: Statement,
  olderStatement: Statement,
): Related | null {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  for (const topic of changed) {
    // Very many statements speak of these: a rule for production does not rest on its version.
    if (BROAD.has(topic)) continue
    if ((older.topics.get(topic) ?? 0) < 1 || older.stance.past) continue
    if (!samePerson(newer, older, overlapOf(newer, older))) continue
    return {
      relation: 'doubts',
      reason: `it speaks of the ${topic.replaceAll('_', ' ')}, which has changed`,
      strength: 0.3,
    }
  }
  return null
}

/** Names and Latin words of what no longer holds that the newer statement does not use itself. */
export function distinctiveOf(newer: Profile, gone: readonly Profile[]): ReadonlySet<string> {
  const words = gone.flatMap(({ people, facts, topics, terms }) => [
    ...people.names,
    // A model: S21, 650B.
    ...[...terms].filter((term) => /^(?=.*\d)(?=.*[a-z])[a-z\d]{2,8}$/.test(term)),
    ...facts.filter(({ key }) => topics.has(key)).flatMap(({ value }) => [...indexTerms(value).keys()]),
  ])
  return new Set(words.filter((word) => [...word].length > 1 && !newer.terms.has(word) && !isTimeTerm(word)))
}

/** "The Vespa is sold" throws doubt on "The Vespa's service is due in May". */
export function namesWhatIsGone(gone: ReadonlySet<string>, olderStatement: Statement): Related | null {
  const older = profileOf(olderStatement)
  const named = [...gone].find((word) => older.terms.has(word) || older.people.names.has(word))
  return named === undefined
    ? null
    : { relation: 'doubts', reason: `it speaks of ${named}, which has changed`, strength: 0.4 }
}
