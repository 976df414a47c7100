/**
 * Of which attributes does a text name the things that go with them? The job is meant by "Cleared my locker"; only
 * statements of a change are asked.
 */
import { late } from '../../domain/pieces.ts'
import { wordTable } from '../../language/word-lists.ts'
import { phraseIndex } from '../facts/phrase-index.ts'
import { type Word, wordsOf } from '../facts/words.ts'

interface Prop {
  readonly attributes: readonly string[]
  readonly weight: number
}

const HINT_WEIGHT = 0.5

const known = late(() =>
  phraseIndex<Prop>([
    {
      lines: wordTable('things-of-attributes'),
      entryOf: (names, isHint) => ({ attributes: names.split(' '), weight: isHint ? HINT_WEIGHT : 1 }),
    },
  ]),
)

/** Several of its things name an attribute more plainly than one, up to this. */
const MOST_PLAIN = 2

/** Attributes with how plainly their things are named: 1 plainly, 0.5 hinted at; each thing adds its own, up to 2. */
export function propTopicsOf(text: string, words: readonly Word[] = wordsOf(text)): ReadonlyMap<string, number> {
  const topics = new Map<string, number>()
  const counted = new Set<string>()
  for (const { entry, at } of known().find(words))
    for (const name of entry.attributes) {
      // A thing that several lines of the table name is one thing still.
      if (counted.has(`${name} ${at}`)) continue
      counted.add(`${name} ${at}`)
      topics.set(name, Math.min(MOST_PLAIN, (topics.get(name) ?? 0) + entry.weight))
    }
  return topics
}
