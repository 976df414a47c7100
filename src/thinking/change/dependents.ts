/**
 * Which attributes rest on which, and by which index terms are older memories found that a statement may change? When
 * one changes (another town), those around it (the gym there) are only doubted.
 */
import { lazy } from '../../domain/scheduling.ts'
import { indexTerms } from '../../language/terms.ts'
import { wordList, wordTable } from '../../language/word-lists.ts'
import { plainTopics, relativesOf } from '../facts/mentioned-attributes.ts'
import { valuesLeft } from './judge-change.ts'
import { PERHAPS_CHANGE } from './overlap.ts'
import { isPerson, type Read, type Reading, type Related, readingOf, type Statement } from './statement-reading.ts'

/** Attributes that rest on a changed one. */
const table = lazy(
  () =>
    new Map(
      wordTable('dependent-attributes').map((line) => {
        const [changed, resting] = line.split('|')
        return [changed!, new Set(resting!.split(' '))]
      }),
    ),
)

/** "The rent of the bookshop" names another ground than the changed one; a commute rests on both its ends. */
function restsOnOther(resting: string, changed: string, { topics }: Reading): boolean {
  if (resting === 'commute' || topics.has(changed)) return false
  // Parts of a system rest on one another.
  const isPlace = (ground: string): boolean => !isPerson(ground) && !wordList('project-attributes').has(ground)
  return [...table()].some(([ground, all]) => topics.has(ground) && isPlace(ground) && all.has(resting))
}

const USER: ReadonlySet<string> = new Set(['user'])

/** The people of whom an attribute is told; a boss is the user's, who is told of as the boss. */
export function ownersOf(topic: string, { aboutOf, people }: Reading): ReadonlySet<string> {
  const owners = aboutOf.get(topic) ?? people.subjects
  return owners.has(topic) ? USER : owners
}

/**
 * The doubt on a statement that is arranged around a changed attribute (the gym near the old home), by the people whose
 * it was; null where it is not.
 */
export function restsOnChanged(
  changed: readonly { readonly topic: string; readonly owners: ReadonlySet<string> }[],
  { statement, reading: newer }: Read,
  { reading: older }: Read,
): Related | null {
  for (const { topic, owners } of changed) {
    const named = statement.heard === true ? [...older.stated] : plainTopics(older.topics)
    const resting = named.find((one) => table().get(topic)?.has(one))
    if (resting === undefined || restsOnOther(resting, topic, older)) continue
    // A sister's diet does not rest on one's own medicine; a child moves along.
    if (!older.topics.has('child') && ownersOf(resting, older).isDisjointFrom(owners)) continue
    const reason = `${topic.replaceAll('_', ' ')} has changed, and ${resting.replaceAll('_', ' ')} may rest on it`
    return { relation: 'doubts', reason, strength: newer.stance.hedged ? 0.3 : 0.5 }
  }
  return null
}

/** Terms of one query; the subjects of a long text are among its first. */
const MOST_TERMS = 48

/**
 * At most 48 terms: of topics and fact keys, of names, and those that carry content. Those of dependents of the topics
 * follow when the statement changes something.
 */
export function relatedQuery(newer: Statement): readonly string[] {
  const { text, topics, terms, translated, people, stance, props } = readingOf(newer)
  const changes = stance.begins || stance.ends
  const resting = changes ? [...topics.keys()].flatMap((topic) => [...(table().get(topic) ?? [])]) : []
  // A past state steps behind the present one of the same or a related topic.
  const beside = stance.past ? relativesOf([...topics.keys()]) : []
  const byThings = changes || stance.replaces || stance.change > PERHAPS_CHANGE ? props.keys() : []
  const found = new Set([
    ...termsOf([...topics.keys(), ...people.names, ...valuesLeft(text)]),
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
