/** How many tokens does a model see in this text? Counted by o200k, which is near enough for other models. */

import { checkOneOf } from '../domain/checks.ts'
import { late } from '../domain/pieces.ts'
import { hasHan } from './character-class.ts'
import { type CountTokens, openTokenTable } from './token-table.ts'

export type { CountTokens } from './token-table.ts'

/** Characters of the texts in each of two remembered generations, as the same turns are shown again. */
const REMEMBERED_CHARACTERS = 3_000_000

function remembering(count: CountTokens): CountTokens {
  let [young, old] = [new Map<string, number>(), new Map<string, number>()]
  let characters = 0
  return (text, most = Number.POSITIVE_INFINITY) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const tokens = old.get(text) ?? count(text, most)
    // A text that was not counted to its end has no count.
    if (tokens > most) return tokens
    if (characters >= REMEMBERED_CHARACTERS) [young, old, characters] = [new Map(), young, 0]
    young.set(text, tokens)
    characters += text.length
    return tokens
  }
}

/** Characters of a very long text that are counted, half at each end; the rest is taken for as dense. */
const MOST_COUNTED = 65_536

/** Reads the table of the encoding on first use; the same function for every later call. */
export const tokenCounter = late(async () => {
  const count = await openTokenTable()
  return remembering((text, most) => {
    if (text.length <= MOST_COUNTED) return count(text, most)
    const begin = count(text.slice(0, MOST_COUNTED / 2), most)
    if (begin > (most ?? begin)) return begin
    const ends = begin + count(text.slice(-MOST_COUNTED / 2))
    return Math.ceil((ends * text.length) / MOST_COUNTED)
  })
})

/** Characters that are read to estimate a text's tokens. */
const GUESSED_CHARACTERS = 1000

/** An estimate of a text's tokens to within a third, without counting, for decisions before a text is chosen. */
export function roughTokens(text: string): number {
  const bounded = text.slice(0, GUESSED_CHARACTERS)
  const han = bounded.match(/\p{Script=Han}/gu)?.length ?? 0
  return ((0.8 * han + (bounded.length - han) / 4.5) * text.length) / Math.max(1, bounded.length)
}

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
    if (hasHan(piece)) tokens += piece.length * HAN_TOKENS - 1
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
