/** How much does a word tell by itself? The more chats use it, the less: "make" and 今天 nothing, "sourdough" and 提拉米苏 all. */
import { keptTexts, readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { sharedBeginning, stemTerm, wordTerms } from '../../language/terms.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS, wordList, wordTable } from '../../language/word-lists.ts'

/** The telling weights of the rows of `common-words`; a word in no row has 1. */
const TELLING = [0, 0.25, 0.5, 0.75]

/** A figure, alone or with the word that counts: 15, 六年. */
const FIGURE = /^(?:\d+|[一二三四五六七八九十两几半百千]+[天年月周日个次份点号岁条位家块元万名张件斤本种]?)$/u
/** The telling weight of a given name, and of a figure. */
const A_NAME = 0.5
const A_FIGURE = 0.3
const PRONOUN = /[我你您他她它们咱]|^[这那哪]/u

/** The lists of words with what theirs tell, the first that has a word first. */
const lists = lazy(() => [
  ...wordTable('common-words').map((line, at) => ({ words: `, ${line}, `, telling: TELLING[at]! })),
  { words: `, ${[...wordList('given-names')].join(', ')}, `, telling: A_NAME },
])

/** The telling weight of the stem of each word of the lists. */
const stems = lazy(
  () =>
    new Map(
      lists()
        .flatMap(({ words, telling }) =>
          words
            .slice(2, -2)
            .split(', ')
            .map((word) => [stemTerm(word), telling] as const),
        )
        .toReversed(),
    ),
)
/** To stem all words of the lists takes as long as to look for so many terms; one question asks for fewer. */
const FEW_TERMS = 500
let looked = 0

/** Characters of the terms whose rarity is kept. */
const MOST_MET = 131_072

/** The rarity of a term (a stem, or a Chinese word), from 0 for everybody's words to 1 for those of few. */
export const rarityOf = (term: string): number => met.of(term, () => rarityIn(term))

const met = keptTexts<number>(MOST_MET)

function rarityIn(term: string): number {
  looked += 1
  const telling = looked > FEW_TERMS ? stems().get(term) : lists().find(({ words }) => holdsStem(words, term))?.telling
  return telling ?? (FIGURE.test(term) ? A_FIGURE : 1)
}

/** Whether one of the words, with ", " around each, has this stem. */
function holdsStem(words: string, stem: string): boolean {
  const start = `, ${sharedBeginning(stem)}`
  for (let at = words.indexOf(start); at >= 0; at = words.indexOf(start, at + 1)) {
    const end = words.indexOf(', ', at + 2)
    if (end > 0 && stemTerm(words.slice(at + 2, end)) === stem) return true
  }
  return false
}

/** The rarities of the words together. */
export function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + rarityOf(word), 0)
}

/** The words of a text: pieces between spaces, or those of the Chinese segmenter. */
export function wordsIn(text: string): readonly string[] {
  return hasHan(text) ? chineseWords(text) : (text.match(/\S+/g) ?? [''])
}

/** Letters of the words whose terms are kept: beside texts, words are very many. */
const MOST_LETTERS = 131_072

/** The stem of a word or the Chinese word; null where it tells nothing, as function words and letters do. */
export const tellingTerm = readOnce(
  'telling term',
  (word): string | null => {
    if (hasHan(word)) {
      const empty = [...word].every((character) => CHINESE_STOP_CHARACTERS.has(character) || rarityOf(character) === 0)
      return empty || PRONOUN.test(word) || rarityOf(word) === 0 ? null : word
    }
    const bare = word.replace(/^[^\p{L}\p{N}#$]{1,40}|[^\p{L}\p{N}+#%]{1,40}$/gu, '')
    const plain = bare.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '')
    if (ENGLISH_STOP_WORDS.has(plain) || /^[a-z]?$/.test(plain)) return null
    const term = wordTerms(bare)[0]
    return term === undefined || rarityOf(term) === 0 ? null : term
  },
  MOST_LETTERS,
)

/** The words of a text that tell something, each once: stems, or Chinese words. */
export const tellingWords = readOnce('telling words', (text): readonly string[] => [
  ...new Set(wordsIn(text).flatMap((word) => tellingTerm(word) ?? [])),
])
