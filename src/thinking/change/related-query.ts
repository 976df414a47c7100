/** By which keys and words are older memories found that a new statement may change? */
import { relativesOf } from '../facts/families.ts'
import { dependentsOf } from './dependents.ts'
import { PERHAPS_CHANGE } from './overlap.ts'
import type { Statement } from './statement.ts'
import { profileOf } from './statement-parts.ts'

/** Words of one query; the subjects of a long text are among its first. */
const MOST_WORDS = 48

/**
 * At most 48 words: topics and fact keys, then names and content words as in the index. Dependents of the topics follow
 * when the statement changes something.
 */
export function relatedQuery(newer: Statement): readonly string[] {
  const { topics, terms, translated, people, stance, props } = profileOf(newer)
  const changes = stance.begins || stance.ends
  const resting = changes ? [...topics.keys()].flatMap((topic) => [...dependentsOf(topic)]) : []
  // A past state steps behind the present one of the same or a related topic.
  const beside = stance.past ? relativesOf([...topics.keys()]) : []
  const byThings = changes || stance.replaces || stance.change > PERHAPS_CHANGE ? props.keys() : []
  return [
    ...new Set([...topics.keys(), ...people.names, ...terms, ...translated, ...byThings, ...resting, ...beside]),
  ].slice(0, MOST_WORDS)
}
