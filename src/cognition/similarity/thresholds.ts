/** At which similarity may two memories be one, and from which on can they be mixed up? One pair of bounds a scale. */
import type { SimilarityThresholds } from './types.ts'

/** Cosines of embeddings: T_merge_high and T_amb_low of specification 002. */
export const COSINE_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.85, ambiguousLow: 0.65 }

/** `lexicalSimilarity`: chosen on one half of bench/quality/pairs-data.ts, measured on the other (bench `pairs`). */
export const LEXICAL_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.66, ambiguousLow: 0.45 }

/** What a similarity means: 0.85 itself merges, 0.65 itself is ambiguous. */
export function judgeSimilarity(
  similarity: number,
  { mergeHigh, ambiguousLow }: SimilarityThresholds,
): 'same' | 'ambiguous' | 'different' {
  if (similarity >= mergeHigh) return 'same'
  return similarity >= ambiguousLow ? 'ambiguous' : 'different'
}
