/**
 * Which attributes are asked for in each other's words? Where a question about one finds nothing, its relatives may
 * answer: savings for a bank account.
 */
import { wordTable } from '../../language/word-lists.ts'

/** The relatives of some attributes, without these. */
export function relativesOf(topics: readonly string[]): readonly string[] {
  const all = wordTable('families')
    .filter((line) => topics.some((topic) => ` ${line} `.includes(` ${topic} `)))
    .flatMap((line) => line.split(' '))
  return [...new Set(all)].filter((topic) => !topics.includes(topic))
}
