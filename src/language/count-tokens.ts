/** How many tokens does a model see in this text? Counted by o200k, which is near enough for other models. */

import { checkOneOf } from '../domain/checks.ts'

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

let counter: Promise<CountTokens> | undefined

/** The longest run that is counted whole, as the time grows with its square; each cut can add one token. */
const LONGEST_RUN = 256

/** true when a run of the text is longer than that; spaces and line breaks are what ends most runs. */
function hasLongRun(text: string): boolean {
  if (text.length <= LONGEST_RUN) return false
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code === 32 || code === 10) !== (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 10)) start = at
    if (at - start >= LONGEST_RUN) return true
  }
  return false
}

function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0
  let piece = ''
  for (const [run] of text.matchAll(/\S+|\s+/gu)) {
    if (run.length > LONGEST_RUN) {
      if (piece !== '') tokens += count(piece)
      piece = ''
      for (let at = 0; at < run.length; at += LONGEST_RUN) tokens += count(run.slice(at, at + LONGEST_RUN))
    } else piece += run
  }
  return piece === '' ? tokens : tokens + count(piece)
}

/** Words whose tokens the encoding keeps; its own 100,000 make a server grow by tens of megabytes. */
const KEPT_WORDS = 20_000

/** Longest remembered text and number of texts in each of two generations, as the same turns are shown again. */
const REMEMBERED_CHARACTERS = 800
const REMEMBERED_TEXTS = 4000

function remembering(count: CountTokens): CountTokens {
  let [young, old] = [new Map<string, number>(), new Map<string, number>()]
  return (text) => {
    if (text.length > REMEMBERED_CHARACTERS) return count(text)
    const known = young.get(text)
    if (known !== undefined) return known
    const tokens = old.get(text) ?? count(text)
    if (young.size >= REMEMBERED_TEXTS) [young, old] = [new Map(), young]
    young.set(text, tokens)
    return tokens
  }
}

/** Characters of a very long text that are counted, half at each end; the rest is taken for as dense. */
const MOST_COUNTED = 131_072

/** Loads the encoding on first use (its table is 2 MB); the same function for every later call. */
export function tokenCounter(): Promise<CountTokens> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens, setMergeCacheSize }) => {
    setMergeCacheSize(KEPT_WORDS)
    // A text may mention the names of control tokens; here they are words like any other.
    const count = (piece: string): number => countTokens(piece, { disallowedSpecial: new Set() })
    const whole = (text: string): number => (hasLongRun(text) ? countInPieces(text, count) : count(text))
    return remembering((text) => {
      if (text.length <= MOST_COUNTED) return whole(text)
      const ends = whole(text.slice(0, MOST_COUNTED / 2)) + whole(text.slice(-MOST_COUNTED / 2))
      return Math.ceil((ends * text.length) / MOST_COUNTED)
    })
  })
  return counter
}

/** Characters that are read to estimate a text's tokens. */
const GUESSED_CHARACTERS = 1000

/** An estimate of a text's tokens to within a third, without counting, for decisions before a text is chosen. */
export function roughTokens(text: string): number {
  const bounded = text.slice(0, GUESSED_CHARACTERS)
  const han = bounded.match(/\p{Script=Han}/gu)?.length ?? 0
  return ((0.8 * han + (bounded.length - han) / 4.5) * text.length) / Math.max(1, bounded.length)
}

/** The least number of tokens in a text: no token reaches over white space into the next word. */
export function leastTokens(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

const HAN = /\p{Script=Han}/u
/** Runs of letters, Han characters, digits with the blank before them, line breaks and ASCII marks; else one by one. */
const PIECES = /[A-Za-z]{1,64}|\p{Script=Han}{1,64}| ?\d{1,3}|\n{1,64}|[!-/:-@[-`{-~]{1,16}|[^\s]/gu
/** A name is two tokens, as is a number behind a blank. */
const NAME_OR_NUMBER = /^(?:[A-Z][A-Za-z]{3}| )/
/** Letters of a word that is one token, and of each further token of a longer one. */
const [WORD_LETTERS, MORE_LETTERS] = [7, 4]
/** Tokens of a Han character, and of each mark behind another one. */
const [HAN_TOKENS, MARK_TOKENS] = [0.85, 0.5]

/** An estimate hardly ever too low, without the encoding's table: 7 to 27 % too high on the development chats. */
export function mostTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += NAME_OR_NUMBER.test(piece) ? 2 : 1
    if (HAN.test(piece)) tokens += piece.length * HAN_TOKENS - 1
    else if (/[A-Za-z]/.test(piece)) tokens += Math.max(0, piece.length - WORD_LETTERS) / MORE_LETTERS
    else if (!/[\d\n]/.test(piece)) tokens += (piece.length - 1) * MARK_TOKENS
  }
  return Math.ceil(tokens)
}

/** The method of counting tokens. */
export type TokenCount = 'exact' | 'estimated'

/** The counter of that kind. Throws `invalid` for any other word. */
export async function counterFor(kind: unknown): Promise<CountTokens> {
  if (kind === undefined) return tokenCounter()
  return checkOneOf('tokens', kind, ['exact', 'estimated']) === 'exact' ? tokenCounter() : mostTokens
}
