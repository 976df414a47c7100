/** The terms of a text, for index and query: stems, parts and joins of identifiers, characters and pairs of Han. */
import { stemmer } from 'stemmer'
import { readInPieces, readOnce } from '../domain/read-once.ts'
import { lazy } from '../domain/scheduling.ts'
import {
  ASCII_WORD,
  classOf,
  classOfPair,
  HIGH_SURROGATE,
  isOneCharacter,
  JOINER,
  OTHER_WORD,
  SEPARATOR,
  UNSPACED,
} from './character-class.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS, IDENTIFIER_STOP_WORDS, wordTable } from './word-lists.ts'

/** Longest term in characters; the rest of a longer word is dropped. */
const LONGEST_TERM = 64

/** Runs remembered in each of two generations, about 3 MB each; those not asked for are forgotten. */
const REMEMBERED_RUNS = 20_000
let remembered = new Map<string, readonly string[]>()
let rememberedBefore = new Map<string, readonly string[]>()

/** Terms of a run such as `Payments`, `processPayment`, `order_id`, `node.js`, `well-known`, `didn't`; [] for a stop word. */
export function wordTerms(run: string): readonly string[] {
  const known = remembered.get(run)
  if (known !== undefined) return known
  const found = rememberedBefore.get(run) ?? stemsOfRun(run)
  if (remembered.size >= REMEMBERED_RUNS) {
    rememberedBefore = remembered
    remembered = new Map()
  }
  remembered.set(detached(run), found)
  return found
}

/** Terms of words joined for one question, not remembered: they are many, and would displace the runs of texts. */
function passingTerms(joined: string): readonly string[] {
  return remembered.get(joined) ?? rememberedBefore.get(joined) ?? stemsOfRun(joined)
}

/** A word of unaccented letters with at most its first a capital, which needs no cutting. */
const PLAIN_WORD = /^[A-Za-z][a-z]*$/

/** The one index term of a plain lowercase word: its stem, or its own where the stemmer takes it for another word. */
export function stemTerm(word: string): string {
  return exceptionalTerms().get(word) ?? stemmer(word)
}

/** Letters that a word shares with its stem, as far as it is as long; the last may differ: "happy", "happi". */
const SHARED_LETTERS = 4

/** How all words with this stem begin. */
export function sharedBeginning(stem: string): string {
  return stem.slice(0, Math.max(2, Math.min(SHARED_LETTERS, stem.length - 1)))
}

/** Lowercase without Latin accents: "José" and "jose" are one word. */
export function foldWord(word: string): string {
  const plain = /^[\w.+#-]*$/.test(word) ? word : word.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return plain.toLowerCase().slice(0, LONGEST_TERM)
}

/** A copy of the run, as a slice would keep the whole text in memory. */
function detached(run: string): string {
  return ` ${run}`.slice(1)
}

/** Stems, and the joined word of an identifier. */
function stemsOfRun(run: string): readonly string[] {
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
const exceptionalTerms = lazy(
  () =>
    new Map(
      wordTable('stem-families').flatMap((line) => {
        const words = line.split(' ')
        return words.map((one) => [one, words[0]!] as const)
      }),
    ),
)

/** Largest frequency that the index keeps. */
const MOST_FREQUENCY = 255
/** Most distinct terms kept of one text or query, which ordinary prose reaches at about a megabyte; it is read no further. */
export const MOST_DISTINCT_TERMS = 16_384
/** Largest document length that the index keeps. */
const MOST_TERM_COUNT = 65_535

const SYMBOL_MARK = '#'
const MOST_JOINED_WORDS = 4
const WIDE_OR_NARROW_FORM = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]/

/** Length from which the terms of a text are kept: they are asked for when it is written and when the index reads it. */
export const LONG_TEXT = 65_536

/** Terms of a text with their frequency, 1 to 255. */
export function indexTerms(text: string): ReadonlyMap<string, number> {
  return text.length > LONG_TEXT ? termsOfLong(text) : cutTo(Number.POSITIVE_INFINITY, beginCut(text))
}

/** As `indexTerms`, kept, and with other work in between where it is made so. */
export const termsOfLong = readInPieces('index terms', function* (text): Generator<void, ReadonlyMap<string, number>> {
  const cut = beginCut(text)
  for (let end = LONG_TEXT; cut.at < cut.text.length && cut.terms.size < MOST_DISTINCT_TERMS; end += LONG_TEXT) {
    if (cut.at > 0) yield
    cutTo(end, cut)
  }
  return cut.terms
})

/** How far a text is cut into terms. */
interface Cut {
  readonly text: string
  readonly terms: Map<string, number>
  at: number
  /** The character of an unspaced script right before. */
  previous: string
}

function beginCut(original: string): Cut {
  const text = WIDE_OR_NARROW_FORM.test(original) ? original.normalize('NFKC') : original
  return { text, terms: new Map(), at: 0, previous: '' }
}

/** Goes on up to about this place. */
function cutTo(end: number, cut: Cut): Map<string, number> {
  const { text, terms } = cut
  const length = Math.min(end, text.length)
  let { at, previous } = cut
  while (at < length && terms.size < MOST_DISTINCT_TERMS) {
    let kind = classOf(text.charCodeAt(at))
    let width = 1
    if (kind === HIGH_SURROGATE) {
      kind = classOfPair(text.slice(at, at + 2))
      width = kind === SEPARATOR ? 1 : 2
    }
    if (kind === UNSPACED) {
      const character = text.slice(at, at + width)
      if (!CHINESE_STOP_CHARACTERS.has(character)) count(terms, character)
      if (previous !== '') count(terms, previous + character)
      previous = character
      at += width
      continue
    }
    previous = ''
    if (kind === ASCII_WORD || kind === OTHER_WORD) at = cutRun(text, at, terms)
    else at += width
  }
  cut.at = at
  cut.previous = previous
  return terms
}

/** A symbol of a turn; relevance from 0 to 1. */
export interface SymbolRelevance {
  readonly symbol: string
  readonly relevance: number
}

/** The index terms of a turn: those of its text with their frequency (1 to 255), its symbols with round(relevance × 255). */
export function turnTerms(text: string, symbols: readonly SymbolRelevance[] = []): ReadonlyMap<string, number> {
  if (symbols.length === 0) return indexTerms(text)
  const terms = new Map(indexTerms(text))
  for (const { symbol, relevance } of symbols) {
    const frequency = Math.min(MOST_FREQUENCY, Math.max(1, Math.round(relevance * MOST_FREQUENCY)))
    for (const term of symbolTerms(symbol)) terms.set(term, Math.max(frequency, terms.get(term) ?? 0))
  }
  return terms
}

/** Document length for BM25: the sum of the frequencies of stems, not of symbols, at most 65535. */
export function termCount(terms: ReadonlyMap<string, number>): number {
  let count = 0
  for (const [term, frequency] of terms) if (!isSymbolTerm(term)) count += frequency
  return Math.min(count, MOST_TERM_COUNT)
}

/** Distinct terms of a query, with joins of 2 to 4 neighbours where it has fewer than `most` without them. */
export function queryTerms(query: string, most?: number): readonly string[] {
  return most === undefined ? allQueryTerms(query) : cutQuery(query, most)
}

/** The steps of one recall each ask for the terms of the same query. */
const allQueryTerms = readOnce('query terms', (query) => cutQuery(query))

function cutQuery(query: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const terms = new Set(indexTerms(query).keys())
  if (terms.size >= most && [...terms].filter((term) => !isOneCharacter(term)).length >= most) return [...terms]
  for (const joined of joinedWords(query)) {
    if (terms.size >= MOST_DISTINCT_TERMS) break
    for (const term of passingTerms(joined)) terms.add(term)
  }
  return [...terms]
}

/** The index term of a code symbol: case-folded, with a mark that no term of a text can have. */
export function symbolTerm(symbol: string): string {
  return SYMBOL_MARK + symbol.toLowerCase()
}

/** true for a term made by `symbolTerm`. */
export function isSymbolTerm(term: string): boolean {
  return term.startsWith(SYMBOL_MARK)
}

/** A path is found by its file name too. */
function symbolTerms(symbol: string): readonly string[] {
  const name = symbol.slice(Math.max(symbol.lastIndexOf('/'), symbol.lastIndexOf('\\')) + 1)
  return name === '' || name === symbol ? [symbolTerm(symbol)] : [symbolTerm(symbol), symbolTerm(name)]
}

function count(terms: Map<string, number>, term: string): void {
  const frequency = terms.get(term)
  if (frequency === undefined) {
    if (terms.size < MOST_DISTINCT_TERMS) terms.set(term, 1)
  } else if (frequency < MOST_FREQUENCY) terms.set(term, frequency + 1)
}

/** Counts the terms of the run of word characters and joiners that starts here; returns where it ends. */
function cutRun(text: string, start: number, terms: Map<string, number>): number {
  let end = start
  let at = start
  while (at < text.length) {
    const kind = classOf(text.charCodeAt(at))
    if (kind === ASCII_WORD || kind === OTHER_WORD) end = ++at
    else if (kind === JOINER && end - start < LONGEST_TERM && at - end < 2) at++
    else if (kind === HIGH_SURROGATE && classOfPair(text.slice(at, at + 2)) === OTHER_WORD) end = at += 2
    else break
  }
  const run = text.slice(start, Math.min(end, start + 2 * LONGEST_TERM))
  for (const term of wordTerms(run)) count(terms, term)
  return end
}

/** "reset process payment now" → resetprocess, processpayment, resetprocesspayment, … never across punctuation. */
function* joinedWords(query: string): Generator<string> {
  for (const [phrase] of query.matchAll(/(?<![A-Za-z0-9])[A-Za-z0-9]{1,40}(?:[ \t]{1,40}[A-Za-z0-9]{1,40})+/g)) {
    const words = phrase.split(/[ \t]+/).map(foldWord)
    for (let first = 0; first < words.length; first++) {
      let whole = ''
      let meaning = false
      for (let last = first; last < Math.min(words.length, first + MOST_JOINED_WORDS); last++) {
        const word = words[last]!
        const stop = ENGLISH_STOP_WORDS.has(word)
        if (stop && !IDENTIFIER_STOP_WORDS.has(word)) break
        meaning ||= !stop
        whole += word
        if (last > first && meaning && whole.length <= LONGEST_TERM) yield whole
      }
    }
  }
}

/** The lists are cut on first use, so that other processes need not wait for it. */
const genericWords = lazy(() => {
  const words = wordTable('generic-words').join(' ')
  const terms = new Set(indexTerms(words).keys())
  const characters = new Set([...CHINESE_STOP_CHARACTERS, ...words.replace(/[^\p{Script=Han}]/gu, '')])
  return { terms, characters }
})

const HAN = /^\p{Script=Han}$/u

/**
 * Whether a term only frames a question ("the bug in the function") and finds nothing by itself. Those are the words of
 * the lists, one Han character, or a bridge between two words (题解 in 问题解决).
 */
export function isGenericTerm(term: string): boolean {
  const generic = genericWords()
  if (generic.terms.has(term)) return true
  const characters = [...term]
  if (characters.length === 1) return HAN.test(term) || /^[\d\w]$/.test(term)
  return characters.length === 2 && generic.characters.has(characters[0]!) && generic.characters.has(characters[1]!)
}
