/**
 * Which wordpieces does this text consist of? BERT's uncased tokenisation for English: lower case, no accents, the
 * longest known piece first; punctuation, other scripts and unknown words give none.
 */

/** Numbers of the pieces by their letters. `starts` may begin a word, `rests` continue one (written `##ing`). */
export interface Wordpieces {
  readonly starts: ReadonlyMap<string, number>
  readonly rests: ReadonlyMap<string, number>
  /** Letters of the longest piece. */
  readonly longest: number
}

const CONTINUES = '##'
/** BERT's own bound: a longer word is no word. */
const LONGEST_WORD = 100
const ASCII_WORD = /[a-z0-9]+/g
/** A pattern of whole words: one with a letter that no piece has, as in `straße`, must be unknown as a whole. */
const LATIN_WORD = /[\p{Script=Latin}\p{N}]+/gu
const ACCENT = /\p{Mn}+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole range of ASCII is meant
const ALL_ASCII = /^[\x00-\x7f]*$/

/** The vocabulary of pieces in the order of their numbers. */
export function wordpiecesOf(pieces: readonly string[]): Wordpieces {
  const starts = new Map<string, number>()
  const rests = new Map<string, number>()
  let longest = 0
  // Plain loops: they halve the time until the first answer of a process.
  for (let number = 0; number < pieces.length; number += 1) {
    const piece = pieces[number]!
    if (piece.startsWith(CONTINUES)) rests.set(piece.slice(CONTINUES.length), number)
    else starts.set(piece, number)
    if (piece.length > longest) longest = piece.length
  }
  return { starts, rests, longest }
}

/** The numbers of the known pieces of a text, in their order. */
export function splitWordpieces(text: string, vocabulary: Wordpieces): readonly number[] {
  const lower = text.toLowerCase()
  const words = ALL_ASCII.test(lower)
    ? lower.match(ASCII_WORD)
    : lower.normalize('NFD').replace(ACCENT, '').match(LATIN_WORD)
  const found: number[] = []
  for (const word of words ?? []) appendPieces(word, vocabulary, found)
  return found
}

/** Appends the pieces of one word, or nothing when a part of it is no piece. */
function appendPieces(word: string, { starts, rests, longest }: Wordpieces, found: number[]): void {
  const whole = starts.get(word)
  if (whole !== undefined) {
    found.push(whole)
    return
  }
  if (word.length > LONGEST_WORD) return
  const before = found.length
  let from = 0
  while (from < word.length) {
    const pieces = from === 0 ? starts : rests
    let to = Math.min(word.length, from + longest)
    let piece: number | undefined
    for (; to > from; to -= 1) {
      piece = pieces.get(word.slice(from, to))
      if (piece !== undefined) break
    }
    if (piece === undefined) {
      found.length = before
      return
    }
    found.push(piece)
    from = to
  }
}
