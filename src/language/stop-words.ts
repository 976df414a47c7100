/** Words that carry no meaning for finding a text (`data/words/stop-words.txt`); a changed list needs a reindex. */
import { wordsOfKind } from './word-lists.ts'

/** English function words, lowercase. */
export const ENGLISH_STOP_WORDS = wordsOfKind('stop-words', 'english')

/** Stop words that are often part of an identifier: a spaced query may join over them. */
export const IDENTIFIER_STOP_WORDS = wordsOfKind('stop-words', 'in identifiers')

/** Chinese function characters that are left out as single-character terms; pairs that contain them stay (目的, 了解). */
export const CHINESE_STOP_CHARACTERS = wordsOfKind('stop-words', 'chinese characters')

/** Words that jieba tags as nouns or verbs but that say nothing alone. */
export const EMPTY_CHINESE = wordsOfKind('stop-words', 'chinese words')
