/**
 * Which common words does the stemmer throw together though they mean different things? Each keeps a term of its own
 * in `data/words/stem-families.txt`: "news" is not "new", a university not a universe. Changing the table changes the terms of every text.
 */
import { wordTable } from './word-lists.ts'

let known: ReadonlyMap<string, string> | undefined

/** The term of a lowercase word that the stemmer would confuse with another; undefined for all other words. */
export function exceptionalTerm(word: string): string | undefined {
  known ??= new Map(
    wordTable('stem-families').flatMap((line) => {
      const words = line.split(' ')
      return words.map((one) => [one, words[0]!] as const)
    }),
  )
  return known.get(word)
}
