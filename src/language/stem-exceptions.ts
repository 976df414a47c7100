/**
 * Which common words would the stemmer merge though they differ in meaning, as "news" and "new"?
 * `data/words/stem-families.txt` gives each its own term; changing the table changes the terms of every text.
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
