/**
 * What does a change throw doubt on? What rests on the changed attribute, as a gym on a home, and nothing else: on real
 * chats whatever else shares a word with what has changed still holds.
 */
import { plainTopics } from '../facts/topics.ts'
import { restingOn } from './dependents.ts'
import { profileOf } from './profile.ts'
import type { Related, Statement } from './statement.ts'

/** It is arranged around an attribute that has changed: the gym near the old home. */
export function restsOnChanged(
  changed: ReadonlySet<string>,
  newerStatement: Statement,
  olderStatement: Statement,
): Related | null {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  for (const topic of changed) {
    const resting = restingOn(topic, newerStatement.heard === true ? older.stated : plainTopics(older.topics))
    if (resting === null) continue
    const reason = `${topic.replaceAll('_', ' ')} has changed, and ${resting.replaceAll('_', ' ')} may rest on it`
    return { relation: 'doubts', reason, strength: newer.stance.hedged ? 0.3 : 0.5 }
  }
  return null
}
