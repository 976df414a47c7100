/**
 * Of which attributes does a text name the things that go with them? "Cleared my locker" speaks of the job without a word
 * for it. Asked only of what tells of a change: a locker alone says nothing.
 */
import { type PhraseIndex, phraseIndex } from '../facts/phrase-index.ts'
import { type Word, wordsOf } from '../facts/words.ts'
import { PROPS } from './props-table.ts'

interface Prop {
  readonly attributes: readonly string[]
  readonly weight: number
}

const HINT = '~'
const HINT_WEIGHT = 0.5

let known: PhraseIndex<Prop> | undefined

/** Attributes with how plainly their things are named: 1 plainly, 0.5 hinted at; two hints make 1. */
export function propTopicsOf(text: string, words: readonly Word[] = wordsOf(text)): ReadonlyMap<string, number> {
  known ??= phraseIndex(entries())
  const topics = new Map<string, number>()
  for (const { entry } of known.find(words))
    for (const name of entry.attributes) topics.set(name, Math.min(1, (topics.get(name) ?? 0) + entry.weight))
  return topics
}

function* entries(): Generator<readonly [string, Prop]> {
  for (const line of PROPS.trim().split('\n')) {
    const [names = '', english = '', chinese = ''] = line.split('|')
    const attributes = names.split(' ')
    for (const written of [...english.split(',').map((word) => word.trim()), ...chinese.split(/\s+/)]) {
      const hint = written.startsWith(HINT)
      const phrase = hint ? written.slice(HINT.length) : written
      if (phrase !== '') yield [phrase, { attributes, weight: hint ? HINT_WEIGHT : 1 }]
    }
  }
}
