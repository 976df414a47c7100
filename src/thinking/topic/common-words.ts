/** How much does a word tell by itself? The more chats use it, the less: "make" and 今天 nothing, "sourdough" and 提拉米苏 all. */

import { wordList, wordTable } from '../../language/word-lists.ts'
import { stemTerm } from '../../language/word-terms.ts'

/** What the words of each row of `common-words` tell; what stands in no row tells 1. */
const TELLING = [0, 0.25, 0.5, 0.75]

/** A figure, alone or with the word that counts: 15, 六年. */
const FIGURE = /^(?:\d+|[一二三四五六七八九十两几半百千]+[天年月周日个次份点号岁条位家块元万名张件斤本种]?)$/u
/** What a given name tells, and what a figure does. */
const A_NAME = 0.5
const A_FIGURE = 0.3

let known: ReadonlyMap<string, number> | undefined

/** From 0 for a word that everybody uses to 1 for one that few do. `term`: a stem, or a Chinese word. */
export function rarityOf(term: string): number {
  known ??= new Map([
    ...[...wordList('given-names')].map((name) => [stemTerm(name), A_NAME] as const),
    ...wordTable('common-words')
      .toReversed()
      .flatMap((line, at) => line.split(', ').map((word) => [stemTerm(word), TELLING.at(-1 - at)!] as const)),
  ])
  return known.get(term) ?? (FIGURE.test(term) ? A_FIGURE : 1)
}
