/** Which terms does a search for memories look for? The message's own and those of the current topic, each once. */
import type { MemoryTerm } from '../../domain/contracts/memory-store.ts'
import { isOneCharacter } from '../../language/character-class.ts'
import { queryTerms } from '../../language/tokens.ts'
import { foldWord } from '../../language/word-terms.ts'
import type { SearchedTerm } from '../../search/memory-formulas.ts'

/** Terms of one search; of a longer message the first so many, single characters last. */
const MOST_TERMS = 64
/** Characters of a message that are read: so many hold more terms than are looked for. */
const LONGEST_ASKED = 1000

/** "Pyth*": the beginning of a word of a spaced script, at least two letters. A star anywhere else is just text. */
const WORD_START =
  /(?<![\p{L}\p{N}*])([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]{2,40})\*(?![\p{L}\p{N}*])/gu

/** One term of a search, for the store and for the ranking. */
export type MemorySearchTerm = MemoryTerm & SearchedTerm

/**
 * The terms of a message, of its conversation's topic (null for none), and of its subjects in other words ("employer"
 * for who pays). By these a memory is found that shares no word with the message.
 */
export function memorySearchTerms(
  whole: string,
  topic: string | null,
  subjects: readonly string[] = [],
): readonly MemorySearchTerm[] {
  const message = whole.slice(0, LONGEST_ASKED)
  const starts = [...message.matchAll(WORD_START)].map(([, word = '']) => foldWord(word))
  const most = topic === null && whole.length > LONGEST_ASKED ? MOST_TERMS : undefined
  const asked = queryTerms(starts.length === 0 ? message : message.replace(WORD_START, ' '), most)
  const ofTopic = new Set(topic === null ? [] : queryTerms(topic))
  const terms = new Map<string, MemorySearchTerm>()
  for (const term of starts) terms.set(`${term}*`, { term, prefix: true, fromTopic: false, ofTopic: ofTopic.has(term) })
  for (const term of shortLast(asked))
    terms.set(term, { term, prefix: false, fromTopic: false, ofTopic: ofTopic.has(term) })
  const chosen = [...terms.values()].slice(0, MOST_TERMS)
  const topical = shortLast([...ofTopic].filter((term) => !terms.has(term)))
    .slice(0, MOST_TERMS)
    .map((term) => ({ term, prefix: false, fromTopic: true, ofTopic: true }))
  const known = new Set([...terms.keys(), ...ofTopic])
  const ofSubjects = [...new Set(subjects.flatMap((subject) => queryTerms(subject)))]
    .filter((term) => !known.has(term))
    .slice(0, MOST_TERMS)
    .map((term) => ({ term, prefix: false, fromTopic: true, ofTopic: false }))
  return [...chosen, ...topical, ...ofSubjects]
}

function shortLast(terms: readonly string[]): readonly string[] {
  if (!terms.some(isOneCharacter)) return terms
  return [...terms.filter((term) => !isOneCharacter(term)), ...terms.filter(isOneCharacter)]
}
