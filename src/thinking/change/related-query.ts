/** By which index terms are older memories found that a new statement may change? */
import { indexTerms } from '../../language/tokens.ts'
import { relativesOf } from '../facts/families.ts'
import { dependentsOf } from './dependents.ts'
import { PERHAPS_CHANGE } from './overlap.ts'
import type { Statement } from './statement.ts'
import { profileOf } from './statement-parts.ts'

/** Terms of one query; the subjects of a long text are among its first. */
const MOST_TERMS = 48

/**
 * At most 48 terms: of topics and fact keys, of names, and those that carry content. Those of dependents of the topics
 * follow when the statement changes something.
 */
export function relatedQuery(newer: Statement): readonly string[] {
  const { topics, terms, translated, people, stance, props } = profileOf(newer)
  const changes = stance.begins || stance.ends
  const resting = changes ? [...topics.keys()].flatMap((topic) => [...dependentsOf(topic)]) : []
  // A past state steps behind the present one of the same or a related topic.
  const beside = stance.past ? relativesOf([...topics.keys()]) : []
  const byThings = changes || stance.replaces || stance.change > PERHAPS_CHANGE ? props.keys() : []
  const found = new Set([
    ...termsOf([...topics.keys(), ...people.names]),
    // These are terms: read as words once more, "databas" would be another one.
    ...terms,
    ...translated,
    ...termsOf([...byThings, ...resting, ...beside]),
  ])
  return [...found].slice(0, MOST_TERMS)
}

function termsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => [...indexTerms(word).keys()])
}
