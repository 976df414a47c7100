/** How alike are two texts, letter by letter (specification 004)? */
import { distance } from 'fastest-levenshtein'

/** 1 - Levenshtein distance ÷ length of the longer text in UTF-16 units; 1 for two empty texts. */
export function editSimilarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 1 : 1 - distance(a, b) / longer
}
