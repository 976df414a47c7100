/**
 * What is this about? The clause, as it was said, whose words come again in the texts and are used by few other chats
 * (after TF-IDF).
 */
import { late } from '../../domain/pieces.ts'
import { wordTerms } from '../../language/tokens.ts'
import { wordTable } from '../../language/word-lists.ts'
import { rarityOf, tellingWords } from './common-words.ts'
import { headingsOf, widthOf } from './headings.ts'

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** The turn, shared by its sentences. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** How well a clause may name the topic, asked only of the best; null where they only weigh the words of others. */
  readonly namesOf: ((clause: string) => number) | null
}

/** A clause with its weight. */
export interface Topic {
  readonly text: string
  readonly score: number
}

/** The weight of a word said once against a repeated one; less, the more turns there are. */
const ONCE = 0.2
const ONCE_OF_FEW = 1.2
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 8
/** Words of a clause that are weighed, the heaviest: enough to name a matter. */
const MOST_SCORED = 3
/** The weight of words that name half as well as any could. */
const ENOUGH = 3
/** The weight of each clause against the one before it, and of a further letter: the shorter of two that tell as much. */
const LATER_CLAUSE = 0.85
const LENGTH = 0.998
/** Clauses whose sentences are weighed; the others are too far behind. */
const MOST_WEIGHED = 24

/** The topic in at most `most` characters, or null; names of speakers (`people`) name none. */
export function topicOf(said: readonly Said[], most: number, people: readonly string[] = []): Topic | null {
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const weights = weightsOf(said, nobody)
  const found: (Topic & { readonly names: () => number })[] = []
  for (const { namesOf, ...one } of said)
    for (const { text, terms, clause, said: words, form } of namesOf === null ? [] : headingsOf(one.text, most)) {
      const weight = heaviest(terms, weights)
      const told = (weight / (weight + ENOUGH)) * LENGTH ** widthOf(text)
      const score = told * one.weight * LATER_CLAUSE ** clause * form
      if (score > 0) found.push({ text, score, names: () => namesOf!(words) })
    }
  const [first = null] = found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_WEIGHED)
    .map(({ text, score, names }) => ({ text, score: score * names() }))
    .sort((a, b) => b.score - a.score)
  return first
}

/** Words for people near to somebody, of whom much is told. */
const PEOPLE = late(() => new Set(wordTable('relations').flatMap((line) => line.split('|')[3]!.split(' '))))
const A_PERSON = 0.5

/** The weight of each term: by the turns that say it, and the few chats that do. */
function weightsOf(said: readonly Said[], nobody: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const counted = new Map<string, number>()
  const turns = new Set<number>()
  for (const { text, turn, weight } of said)
    for (const term of tellingWords(text)) {
      turns.add(turn)
      if (counted.get(term) === turn || nobody.has(term)) continue
      counted.set(term, turn)
      counts.set(term, (counts.get(term) ?? 0) + weight)
    }
  const once = ONCE + ONCE_OF_FEW / turns.size
  return new Map(
    [...counts].map(([term, count]) => [
      term,
      (PEOPLE().has(term) ? A_PERSON : 1) * rarityOf(term) * Math.log2(once + Math.min(count, MOST_COUNTED)),
    ]),
  )
}

function heaviest(terms: readonly string[], weights: ReadonlyMap<string, number>): number {
  return terms
    .map((term) => Math.max(0, weights.get(term) ?? 0))
    .sort((a, b) => b - a)
    .slice(0, MOST_SCORED)
    .reduce((sum, weight) => sum + weight, 0)
}
