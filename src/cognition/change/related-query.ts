/** By which keys and words are the older memories found that a new statement may change? */
import { dependentsOf } from './dependents.ts'
import { profileOf } from './profile.ts'
import type { Statement } from './statement.ts'

/** Words of one query; the subjects of a long text are among its first. */
const MOST_WORDS = 48

/**
 * Topics and fact keys first, then names and content words as the index cuts them, then what rests on the topics when
 * the statement changes something; at most 48.
 */
export function relatedQuery(newer: Statement): readonly string[] {
  const { topics, terms, translated, people, stance } = profileOf(newer)
  const changes = stance.begins || stance.ends
  const resting = changes ? [...topics.keys()].flatMap((topic) => [...dependentsOf(topic)]) : []
  return [...new Set([...topics.keys(), ...people.names, ...terms, ...translated, ...resting])].slice(0, MOST_WORDS)
}
