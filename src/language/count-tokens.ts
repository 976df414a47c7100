/** How many tokens does a model see in this text? Counted by o200k, which is near enough for other models. */
import { check } from '../domain/checks.ts'
import { keptTexts } from '../domain/read-once.ts'
import { lazy } from '../domain/scheduling.ts'
import { hasHan } from './character-class.ts'
import { dataBytes } from './package-file.ts'

/** Characters of the texts in each of two remembered generations, as the same turns are shown again. */
const REMEMBERED_CHARACTERS = 3_000_000

function remembering(count: CountTokens): CountTokens {
  const kept = keptTexts<number>(REMEMBERED_CHARACTERS)
  return (text, most = Number.POSITIVE_INFINITY) => {
    const tokens = kept.known(text) ?? count(text, most)
    // A text that was not counted to its end has no count.
    return tokens > most ? tokens : kept.of(text, () => tokens)
  }
}

/** Characters of a very long text that are counted, half at each end; the rest is taken for as dense. */
const MOST_COUNTED = 65_536

/** Reads the table of the encoding on first use; the same function for every later call. */
export const tokenCounter = lazy(async () => {
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
  return check.oneOf('tokens', kind, ['exact', 'estimated']) === 'exact' ? tokenCounter() : mostTokens
}

/** Numbers at the head of the file: tokens, slots, bytes of all tokens, bytes of the pattern that cuts a text. */
const HEAD = 4
/** Bits of a slot that hold a token's rank, from 1 on; those above hold a part of its hash. */
export const RANK_BITS = 18
export const RANK_MASK = (1 << RANK_BITS) - 1
/** Bytes of a piece that are joined at once, as the time grows with their square; each cut can add one token. */
const LONGEST_PIECE = 256
/** No token. */
const NONE = 0x7fffffff

/** The table in memory, as views of the file's bytes. */
interface TokenTable {
  readonly slots: Uint32Array
  /** Where each token begins in `bytes`, by rank; the end behind the last. */
  readonly begins: Uint32Array
  readonly bytes: Uint8Array
  readonly pattern: RegExp
}

/** Counts the tokens of a text, and stops when there are more than `most`. */
export type CountTokens = (text: string, most?: number) => number

/** Counts by the shipped table. Rejects `not_found` when the file is missing. */
async function openTokenTable(): Promise<CountTokens> {
  return counterOf(readTable(await dataBytes('tokens-o200k.bin')))
}

function readTable(file: Uint8Array): TokenTable {
  const aligned = file.byteOffset % 4 === 0 ? file : file.slice()
  const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / 4))
  const [tokens = 0, slots = 0, length = 0, cut = 0] = numbers
  const from = (HEAD + slots) * 4
  const begins = new Uint32Array(tokens + 1)
  for (let token = 0; token < tokens; token += 1) begins[token + 1] = begins[token]! + aligned[from + token]!
  const bytes = aligned.subarray(from + tokens, from + tokens + length)
  const pattern = new TextDecoder().decode(aligned.subarray(from + tokens + length, from + tokens + length + cut))
  return { slots: numbers.subarray(HEAD, HEAD + slots), begins, bytes, pattern: new RegExp(pattern, 'gu') }
}

/** FNV-1a of a stretch of bytes, mixed. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}

/** What a slot holds: a part of the hash, and a number. */
export function tagged(hash: number, number: number): number {
  return (((hash >>> RANK_BITS) << RANK_BITS) | number) >>> 0
}

function counterOf({ slots, begins, bytes, pattern }: TokenTable): CountTokens {
  const encoder = new TextEncoder()
  let piece = new Uint8Array(1024)
  /** Where each part of a piece begins, the end behind the last; and the rank of each part joined with the next. */
  const [parts, ranks] = [new Uint32Array(LONGEST_PIECE + 1), new Uint32Array(LONGEST_PIECE)]

  /** Fills `piece`; the number of its bytes. */
  const encode = (text: string): number => {
    if (text.length * 3 > piece.length) {
      piece = new Uint8Array(text.length * 6)
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code > 127) return encoder.encodeInto(text, piece).written
      piece[at] = code
    }
    return text.length
  }

  const rankOf = (from: number, to: number): number => {
    const hash = hashOf(piece, from, to)
    for (let slot = hash & RANK_MASK; slots[slot] !== 0; slot = (slot + 1) & RANK_MASK) {
      const rank = (slots[slot]! & RANK_MASK) - 1
      if (slots[slot] !== tagged(hash, rank + 1)) continue
      const begin = begins[rank]!
      if (begins[rank + 1]! - begin !== to - from) continue
      let at = from
      while (at < to && piece[at] === bytes[begin + at - from]) at += 1
      if (at === to) return rank
    }
    return NONE
  }

  /** The tokens of bytes that are none themselves: of all neighbours, those of the lowest rank are joined first. */
  const countMerged = (from: number, to: number): number => {
    const length = to - from
    for (let at = 0; at <= length; at += 1) parts[at] = from + at
    for (let at = 0; at < length - 1; at += 1) ranks[at] = rankOf(from + at, from + at + 2)
    for (let count = length; ; ) {
      let [best, lowest] = [-1, NONE]
      for (let at = 0; at < count - 1; at += 1) if (ranks[at]! < lowest) [best, lowest] = [at, ranks[at]!]
      if (best < 0) return count
      parts.copyWithin(best + 1, best + 2, count + 1)
      ranks.copyWithin(best, best + 1, count - 1)
      count -= 1
      if (best < count - 1) ranks[best] = rankOf(parts[best]!, parts[best + 2]!)
      if (best > 0) ranks[best - 1] = rankOf(parts[best - 1]!, parts[best + 1]!)
    }
  }

  const countPiece = (length: number, most: number): number => {
    if (rankOf(0, length) !== NONE) return 1
    let count = 0
    for (let from = 0, to = 0; from < length && count <= most; from = to) {
      to = Math.min(length, from + LONGEST_PIECE)
      // No character is cut.
      while (to < length && (piece[to]! & 0xc0) === 0x80) to -= 1
      count += countMerged(from, to)
    }
    return count
  }

  return (text, most = Number.POSITIVE_INFINITY) => {
    let count = 0
    // A copy of the pattern and its iterator would take a third of the time.
    pattern.lastIndex = 0
    for (let cut = pattern.exec(text); cut !== null && count <= most; cut = pattern.exec(text))
      count += countPiece(encode(cut[0]), most - count)
    return count
  }
}
