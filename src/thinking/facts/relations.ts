/**
 * Which words name a person by relation? Each relation has one English word whatever the language, so that "my mum" and
 * 我妈 are the same person.
 */

import { wordTable } from '../../language/word-lists.ts'
import { type PhraseIndex, phraseIndex } from './phrase-index.ts'

/** true for the word that stands for a relation: `mother`, `flatmate`. */
export function isRelation(subject: string): boolean {
  return wordTable('relations').some((line) => line.startsWith(`${subject}|`))
}

let known: PhraseIndex<string> | undefined

/** Looks relations up in a list of words; cut on first use. */
export function relationIndex(): PhraseIndex<string> {
  known ??= phraseIndex(withOwn(wordTable('relations').flatMap(wordsOfLine)))
  return known
}

type Entry = readonly [word: string, relation: string]

function wordsOfLine(line: string): readonly Entry[] {
  const [relation, english, chinese] = line.split('|')
  return [...english!.split(','), ...chinese!.split(/\s+/)].flatMap((word) =>
    word.trim() === '' ? [] : [[word.trim(), relation!] as const],
  )
}

/**
 * The entries with 我 put before a word whose beginning has it in the list. Otherwise 我姐夫 would count as a sister, 我姐.
 */
function withOwn(entries: readonly Entry[]): readonly Entry[] {
  const known = new Set(entries.map(([word]) => word))
  const longer = entries.flatMap(([word, relation]): readonly Entry[] => {
    const beginsAlike = [...word].some((_, at) => at > 0 && known.has(`我${word.slice(0, at)}`))
    return beginsAlike && !known.has(`我${word}`) ? [[`我${word}`, relation]] : []
  })
  return [...entries, ...longer]
}
