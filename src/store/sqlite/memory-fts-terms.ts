/**
 * Which words stand in the full-text table of specification 000? The index terms without whole words, and whole Latin
 * words beside their stems, so that a written prefix finds them.
 */

import { ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { isWholeTerm } from '../../language/tokens.ts'
import { foldWord } from '../../language/word-terms.ts'
import { analyzeMemory, type SearchedFields, searchedText } from '../segments/memory-documents.ts'

/** Repeats of a term that the table keeps; BM25 gains next to nothing from more. */
const MAX_REPEATS = 8
/** Whole words kept beside their stems. */
const MAX_WHOLE_WORDS = 4096

/** The entry of a memory: terms with one blank between two, repeats side by side. The same memory always has the same. */
export function wordsOf(memory: SearchedFields, { terms } = analyzeMemory(memory)): string {
  const words: string[] = []
  for (const [term, frequency] of terms)
    if (!isWholeTerm(term)) for (let repeat = Math.min(frequency, MAX_REPEATS); repeat > 0; repeat--) words.push(term)
  for (const word of wholeWords(searchedText(memory))) if (!terms.has(word)) words.push(word)
  return words.join(' ')
}

function wholeWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [run] of text.matchAll(/[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f]+/g)) {
    const word = foldWord(run)
    if (!ENGLISH_STOP_WORDS.has(word)) words.add(word)
    if (words.size >= MAX_WHOLE_WORDS) break
  }
  return words
}
