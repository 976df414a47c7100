/**
 * Which words name a person by relation? Each relation has one English word whatever the language, so that "my mum" and
 * 我妈 are the same person.
 */
import { late } from '../../domain/pieces.ts'
import { wordTable } from '../../language/word-lists.ts'
import { phraseIndex } from './phrase-index.ts'

/** true for the word that stands for a relation: `mother`, `flatmate`. */
export function isRelation(subject: string): boolean {
  return relations().has(subject)
}

/** Whether it is one of whom the user has nothing to mind: a boss, but no wife. */
export function isAfar(relation: string): boolean {
  return wordTable('relations').some((line) => line.startsWith(`${relation}|afar|`))
}

const relations = late(() => new Set(wordTable('relations').map((line) => line.slice(0, line.indexOf('|')))))

/** Looks relations up in a list of words; cut on first use. */
export const relationIndex = late(() =>
  phraseIndex([{ lines: withOwn(wordTable('relations')), entryOf: (columns) => columns.split('|')[0]! }]),
)

/** The table with 我 put before a word whose beginning has it there. Otherwise 我姐夫 would count as a sister, 我姐. */
function withOwn(table: readonly string[]): readonly string[] {
  const words = table.flatMap((line) => {
    const [relation, , english = '', chinese = ''] = line.split('|')
    return [...english.split(','), ...chinese.split(' ')].map((word) => [relation, word.trim()] as const)
  })
  const known = new Set(words.map(([, word]) => word))
  const longer = words.flatMap(([relation, word]): readonly string[] => {
    const beginsAlike = [...word].some((_, at) => at > 0 && known.has(`我${word.slice(0, at)}`))
    return beginsAlike && !known.has(`我${word}`) ? [`${relation}|||我${word}`] : []
  })
  return [...table, ...longer]
}
