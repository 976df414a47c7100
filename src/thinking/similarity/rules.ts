/**
 * How alike are two memory texts without vectors, and with which consequence? Shared terms over all terms, from 0 to 1,
 * symmetric, with a ceiling for contrasts; the thresholds are not those of a cosine.
 */
import { indexTerms } from '../../language/tokens.ts'
import { contrasts, deniesOtherwise, ownSpans, type Token, tokensOf } from './contrast.ts'

/**
 * The bounds of a scale of similarity: from `mergeHigh` on two memories may be one, from `ambiguousLow` on they may be
 * mixed up.
 */
export interface SimilarityThresholds {
  /** T_merge_high of specification 002. */
  readonly mergeHigh: number
  /** T_amb_low of specification 002. */
  readonly ambiguousLow: number
}

/** Cosines of embeddings: T_merge_high and T_amb_low of specification 002. */
export const COSINE_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.85, ambiguousLow: 0.65 }

/**
 * The bound `mergeHigh` was chosen on one half of bench/quality/pairs-data.ts and measured on the other (bench
 * `pairs`). Below `ambiguousLow` (development chats) two memories only share a subject, and nobody mixes them up.
 */
export const LEXICAL_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.66, ambiguousLow: 0.6 }

/** The verdict on a similarity: 0.85 itself merges, 0.65 itself is ambiguous. */
export function judgeSimilarity(
  similarity: number,
  { mergeHigh, ambiguousLow }: SimilarityThresholds,
): 'same' | 'ambiguous' | 'different' {
  if (similarity >= mergeHigh) return 'same'
  return similarity >= ambiguousLow ? 'ambiguous' : 'different'
}

/** The parts of a text that are kept to compare it with many. */
export interface TextProfile {
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly tokens: readonly Token[]
}

/** Numbers tell events apart better than words. Chosen on the pairs of bench/quality/pairs-data.ts. */
const NUMBER_WEIGHT = 2
/** A text of less weight than this says too little to be found again in another. */
export const SHORT_TEXT = 5
/** Contrasting texts are at most related, however many words they share. */
const CONTRAST_CEILING = LEXICAL_THRESHOLDS.mergeHigh - 0.02

const weightOf = (term: string): number => (/\d|[零一二三四五六七八九十百千两]/.test(term) ? NUMBER_WEIGHT : 1)

/** Prepares a text for comparison. Its tokens are cut when they are first asked for: most pairs are too unlike to need them. */
export function textProfile(text: string): TextProfile {
  let tokens: readonly Token[] | undefined
  return {
    text,
    terms: indexTerms(text),
    get tokens() {
      tokens ??= tokensOf(text)
      return tokens
    },
  }
}

/** 0 to 1, symmetric; 1 for texts with the same terms, 0 for texts without a common term. */
export function lexicalSimilarity(a: string, b: string): number {
  return profileSimilarity(textProfile(a), textProfile(b))
}

/** `lexicalSimilarity` of prepared texts. */
export function profileSimilarity(a: TextProfile, b: TextProfile): number {
  const overlap = termOverlap(a.terms, b.terms)
  if (overlap <= CONTRAST_CEILING) return overlap
  return inContrast(a, b) ? CONTRAST_CEILING : overlap
}

/** true when other words stand in one place of both, each has its own name or number, or one denies it. */
export function inContrast(a: TextProfile, b: TextProfile): boolean {
  return (
    deniesOtherwise(a.text, b.text) ||
    contrasts(ownSpans(a.text, a.tokens, b.terms), ownSpans(b.text, b.tokens, a.terms))
  )
}

/**
 * Half 2·w(A∩B) / (w(A) + w(B)) (Dice 1945), and half w(A∩B) / min(w(A), w(B)), as a short telling lies within a longer
 * one. Very short texts lie within anything, so for them Dice alone counts.
 */
export function termOverlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let ofA = 0
  for (const term of a.keys()) {
    const w = weightOf(term)
    ofA += w
    if (b.has(term)) shared += w
  }
  const ofB = termWeight(b)
  const smaller = Math.min(ofA, ofB)
  if (smaller === 0) return 0
  const dice = (2 * shared) / (ofA + ofB)
  return smaller < SHORT_TEXT ? dice : (dice + shared / smaller) / 2
}

/** The weight of all terms of a text. */
export function termWeight(terms: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms.keys()) sum += weightOf(term)
  return sum
}
