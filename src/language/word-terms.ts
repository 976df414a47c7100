/** The terms of one run of spaced-script characters: its parts and its joined form, remembered. */

import { stemmer } from 'stemmer'
import { late } from '../domain/pieces.ts'
import { ENGLISH_STOP_WORDS } from './stop-words.ts'
import { wordTable } from './word-lists.ts'

/** Longest term in characters; the rest of a longer word is dropped. */
export const LONGEST_TERM = 64

/** Runs remembered in each of two generations, about 3 MB each; those not asked for are forgotten. */
const REMEMBERED_RUNS = 20_000
let remembered = new Map<string, readonly string[]>()
let rememberedBefore = new Map<string, readonly string[]>()

/** Terms of a run such as `Payments`, `processPayment`, `order_id`, `node.js`, `well-known`, `didn't`; [] for a stop word. */
export function wordTerms(run: string): readonly string[] {
  const known = remembered.get(run)
  if (known !== undefined) return known
  const found = rememberedBefore.get(run) ?? cutRun(run)
  if (remembered.size >= REMEMBERED_RUNS) {
    rememberedBefore = remembered
    remembered = new Map()
  }
  remembered.set(detached(run), found)
  return found
}

/** Terms of words joined for one question, not remembered: they are many, and would displace the runs of texts. */
export function passingTerms(joined: string): readonly string[] {
  return remembered.get(joined) ?? rememberedBefore.get(joined) ?? cutRun(joined)
}

/** A word of unaccented letters with at most its first a capital, which needs no cutting. */
const PLAIN_WORD = /^[A-Za-z][a-z]*$/

/** The one index term of a plain lowercase word: its stem, or its own where the stemmer takes it for another word. */
export function stemTerm(word: string): string {
  return exceptionalTerms().get(word) ?? stemmer(word)
}

/** Letters that a word shares with its stem, as far as the word is as long; the last of a stem may be another: "happy", "happi". */
const SHARED_LETTERS = 4

/** How all words with this stem begin. */
export function sharedBeginning(stem: string): string {
  return stem.slice(0, Math.max(2, Math.min(SHARED_LETTERS, stem.length - 1)))
}

/** Lowercase without Latin accents: "José" and "jose" are one word. */
export function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .slice(0, LONGEST_TERM)
}

/** A copy of the run, as a slice would keep the whole text in memory. */
function detached(run: string): string {
  return ` ${run}`.slice(1)
}

/** Stems, and the joined word of an identifier. */
function cutRun(run: string): readonly string[] {
  if (run.length <= LONGEST_TERM && PLAIN_WORD.test(run)) {
    const word = run.toLowerCase()
    return ENGLISH_STOP_WORDS.has(word) ? [] : [stemTerm(word)]
  }
  const terms = new Set<string>()
  const pieces = withoutContraction(run)
    .split(/[_\-.'’]+/)
    .filter((piece) => piece !== '')
  let parts = 0
  for (const piece of pieces) {
    for (const part of humps(piece)) {
      parts++
      addWord(terms, foldWord(part))
    }
  }
  if (parts > 1) addWhole(terms, pieces)
  return [...terms]
}

/** "Caroline's" → "Caroline", "didn't" → "didn", "we'll" → "we"; "O'Brien" stays. */
function withoutContraction(run: string): string {
  return run.replace(/['’](?:s|t|re|ve|ll|d|m)$/i, '')
}

function addWord(terms: Set<string>, word: string): void {
  if (word !== '' && !ENGLISH_STOP_WORDS.has(word)) terms.add(stemTerm(word))
}

function addWhole(terms: Set<string>, pieces: readonly string[]): void {
  // Numbers keep their separators: 3.11 is not 311, and a date is no number at all.
  if (pieces.every((piece) => /^\d+$/.test(piece))) {
    terms.add(pieces.join('.').slice(0, LONGEST_TERM))
    return
  }
  addWord(terms, foldWord(pieces.join('')))
}

/** "HTTPServerError2" → HTTP, Server, Error2. */
function humps(piece: string): readonly string[] {
  if (!/[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/.test(piece)) return [piece]
  return piece.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).filter((part) => part.length > 1)
}

/** The terms of lowercase words that the stemmer would confuse with others. */
const exceptionalTerms = late(
  () =>
    new Map(
      wordTable('stem-families').flatMap((line) => {
        const words = line.split(' ')
        return words.map((one) => [one, words[0]!] as const)
      }),
    ),
)
