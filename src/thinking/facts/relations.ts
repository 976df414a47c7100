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
  phraseIndex([{ lines: wordTable('relations'), entryOf: (columns) => columns.split('|')[0]! }]),
)
