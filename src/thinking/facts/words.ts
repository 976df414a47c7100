/**
 * Which words, in order, does a sentence have? Latin ones lowercased and stemmed, Han characters one by one, with their
 * places, so that one pass finds phrases of both languages.
 */

import { readOnce } from '../../domain/read-once.ts'
import { hasHan } from '../../language/character-class.ts'
import { foldWord, stemTerm } from '../../language/word-terms.ts'

/** One word of a sentence; of Chinese, one character. */
export interface Word {
  /** The word as written. */
  readonly text: string
  /** The compared form: a stem, or the character itself. */
  readonly stem: string
  readonly start: number
  readonly han: boolean
}

const WORD =
  /[A-Za-z\u00c0-\u024f0-9][A-Za-z\u00c0-\u024f0-9+#]*(?:[.:'’-][A-Za-z\u00c0-\u024f0-9]{1,40})*|\p{Script=Han}/gu
const CONTRACTION = /['’](?:s|ve|re|ll|d|m)$/i

/** Stems met before; forgotten all at once when there are too many. */
const MOST_STEMS = 20_000
const stems = new Map<string, string>()

/** The words of a text. */
export const wordsOf = readOnce('words', (text) => cutWords(text))

/** As `wordsOf`, at most so many, without a cache: for tables that are read once. */
export function cutWords(text: string, most = Number.POSITIVE_INFINITY): readonly Word[] {
  const words: Word[] = []
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const han = written.length <= 2 && hasHan(written)
    words.push({ text: written, stem: han ? written : stemOf(written), start: index, han })
    if (words.length >= most) break
  }
  return words
}

/** The compared form of a Latin word: "Moved", "moving" → "move"; "brother's" → "brother". */
export function stemOf(written: string): string {
  const known = stems.get(written)
  if (known !== undefined) return known
  const folded = foldWord(written.replace(CONTRACTION, ''))
  const stem = /^[a-z]+$/.test(folded) ? stemTerm(folded) : folded
  if (stems.size >= MOST_STEMS) stems.clear()
  stems.set(` ${written}`.slice(1), stem)
  return stem
}
