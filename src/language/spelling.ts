/**
 * What do the short spellings of chats stand for ("im", "dont", "pls"), and how alike are two texts, letter by letter
 * (specification 004)?
 */
import { distance } from 'fastest-levenshtein'
import { readOnce } from '../domain/read-once.ts'

const NEGATED = 'do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should'
const SHORT = new RegExp(
  String.raw`(?<![\p{L}\d_'’./@-])(?:(?<be>i|you|we|they|he|she|that|what|there)(?<ending>m|ve|re|s)|(?<verb>${NEGATED})nt|(?<word>u|ur|pls|plz|gf|bf|w/))(?![\p{L}\d_'’@]|\.\w)`,
  'giu',
)
/** "Were", "ill", "shell" and the like are words of their own. */
const PAIRS: ReadonlySet<string> = new Set(
  'im ive youre youve weve theyre theyve hes shes thats whats theres'.split(' '),
)
const WORDS: Readonly<Record<string, string>> = {
  u: 'you',
  ur: 'your',
  pls: 'please',
  plz: 'please',
  gf: 'girlfriend',
  bf: 'boyfriend',
  'w/': 'with',
}

/** The text in full spelling; the same text where nothing is short. */
export const spelledOut = readOnce('spelled out', (text): string =>
  text.replace(SHORT, (found, ...parts) => {
    const { be, ending, verb, word } = parts.at(-1) as Readonly<Record<string, string | undefined>>
    if (word !== undefined) return WORDS[word.toLowerCase()]!
    if (verb !== undefined) return `${verb}n't`
    return PAIRS.has(found.toLowerCase()) ? `${be}'${ending}` : found
  }),
)

/** Most UTF-16 units compared at once, as the time grows with their square, and beyond linearly. */
const PIECE = 2000

/** 1 - Levenshtein distance ÷ length of the longer text; a lower bound where long texts differ in the middle. */
export function editSimilarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  if (longer <= PIECE) return longer === 0 ? 1 : 1 - distance(a, b) / longer
  const from = sameStart(a, b)
  const end = sameEnd(a.slice(from), b.slice(from))
  let edits = 0
  for (let at = from; at < longer - end; at += PIECE)
    edits += distance(
      a.slice(at, Math.min(at + PIECE, a.length - end)),
      b.slice(at, Math.min(at + PIECE, b.length - end)),
    )
  return 1 - edits / longer
}

/** Whether so alike a text is a repeat: more alike than the threshold (004), beyond rounding, or the same. */
export function isMoreAlike(similarity: number, threshold: number): boolean {
  return similarity === 1 || similarity > threshold + 1e-9
}

/** The text in small letters, of usual width, with single spaces. */
export const foldedText = readOnce('folded', (text) => singleSpaced(text.normalize('NFKC').toLowerCase()).trim())

/** Gaps wider than one blank; single blanks are no match, as texts have hundreds. */
const WIDE_GAP = /\s\s+|[^\S ]/g

/** The text with one blank in the place of any white space. */
export function singleSpaced(text: string): string {
  return text.replace(WIDE_GAP, ' ')
}

/** The characters with which both texts begin. */
export function sameStart(text: string, other: string): number {
  let at = 0
  while (at < text.length && text[at] === other[at]) at += 1
  return at
}

/** The characters with which both texts end. */
export function sameEnd(text: string, other: string): number {
  let at = 0
  while (at < text.length && at < other.length && text.at(-1 - at) === other.at(-1 - at)) at += 1
  return at
}
