/** The words that reading knows lie in `data/words`, one list a kind, read when first asked for and kept. */
import { dataText } from './package-file.ts'

const tables = new Map<string, readonly string[]>()
const lists = new Map<string, ReadonlySet<string>>()

/** The lines of a table, without the comment at its head. Throws `not_found` when the file is missing. */
export function wordTable(name: string): readonly string[] {
  let lines = tables.get(name)
  if (lines === undefined) {
    lines = dataText('words', `${name}.txt`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    tables.set(name, lines)
  }
  return lines
}

/** The words of a list, as written. */
export function wordList(name: string): ReadonlySet<string> {
  let words = lists.get(name)
  if (words === undefined) {
    words = new Set(wordTable(name).flatMap((line) => line.split(', ')))
    lists.set(name, words)
  }
  return words
}

/** The words of one kind in a table of `kind|words` lines. */
export function wordsOfKind(name: string, kind: string): ReadonlySet<string> {
  const lines = wordTable(name).filter((line) => line.startsWith(`${kind}|`))
  return new Set(lines.flatMap((line) => line.slice(kind.length + 1).split(' ')))
}

/** A source of a regular expression that matches any word of a list, the longest first. */
export function anyOf(name: string): string {
  const words = [...wordList(name)].toSorted((a, b) => b.length - a.length)
  return `(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`
}

/** The weights of a model, as its trainer in `bench/training` wrote them. Throws `not_found` when the file is missing. */
export function weightFile<T>(name: string): T {
  return JSON.parse(dataText('weights', `${name}.json`))
}

/** English function words, lowercase. */
export const ENGLISH_STOP_WORDS = wordsOfKind('stop-words', 'english')

/** Stop words that are often part of an identifier: a spaced query may join over them. */
export const IDENTIFIER_STOP_WORDS = wordsOfKind('stop-words', 'in identifiers')

/** Chinese function characters that are left out as single-character terms; pairs that contain them stay (目的, 了解). */
export const CHINESE_STOP_CHARACTERS = wordsOfKind('stop-words', 'chinese characters')

/** Words that jieba tags as nouns or verbs but that say nothing alone. */
export const EMPTY_CHINESE = wordsOfKind('stop-words', 'chinese words')
