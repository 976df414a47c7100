/**
 * Under which terms is a memory found? Those of its text, key, tags, value and the person's name; besides, whole Latin
 * words beside their stems, so that the beginning of a word as written finds it.
 */
import type { Memory } from '../../domain/memory.ts'
import { ROLES } from '../../domain/turn.ts'
import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts'
import { indexTerms, termCount } from '../../text/tokens.ts'
import { foldWord } from '../../text/word-terms.ts'

/** Repeats of a term that the index keeps; BM25 gains next to nothing from more. */
export const MAX_REPEATS = 8
/** Whole words kept beside their stems. */
const MAX_WHOLE_WORDS = 4096
/** Depth to which words are looked for in a value. */
const VALUE_DEPTH = 8

/** What `memories_fts` and `memories.term_count` hold of a memory. */
export interface IndexedTerms {
  /** Terms with one blank between two; repeats of a term stand side by side. */
  readonly terms: string
  readonly count: number
}

/** The parts of a memory that are searched. */
export type SearchedFields = Pick<Memory, 'text' | 'key' | 'value' | 'tags' | 'who'>

/** The index entry of a memory. */
export function memoryTerms(memory: SearchedFields): IndexedTerms {
  const searched = searchedText(memory)
  const terms = indexTerms(searched)
  const words: string[] = []
  for (const [term, frequency] of terms)
    for (let repeat = Math.min(frequency, MAX_REPEATS); repeat > 0; repeat--) words.push(term)
  for (const word of wholeWords(searched)) if (!terms.has(word)) words.push(word)
  return { terms: words.join(' '), count: termCount(terms) }
}

/** All words of a memory, a line for each field. */
function searchedText({ text, key, value, tags, who }: SearchedFields): string {
  const parts = [text, key ?? '', ...tags, ...wordsOfValue(value, VALUE_DEPTH)]
  // "user" is who says nearly everything: no name.
  if (who !== null && !ROLES.some((role) => role === who)) parts.push(who)
  return parts.filter((part) => part !== '').join('\n')
}

function* wordsOfValue(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null && depth > 0)
    for (const part of Object.values(value)) yield* wordsOfValue(part, depth - 1)
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
