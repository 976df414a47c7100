/**
 * How much of the query does a set of its terms make up? Terms are bits of a mask, weighed by their gain, so that one
 * rare word covers more than one common word.
 */
import { isSymbolTerm } from '../language/tokens.ts'
import { MASKED_TERMS, type ScoredList } from './accumulate.ts'

/** Share of the query, 0 to 1, that the terms in a mask make up. */
export type Coverage = (mask: number) => number

/** Measures masks whose bit i stands for list i. */
export function coverageOf(lists: readonly ScoredList[]): Coverage {
  const gains = lists.slice(0, MASKED_TERMS).map(({ gain }) => gain)
  const total = gains.reduce((sum, gain) => sum + gain, 0)
  if (total === 0) return () => 0
  // Sums for every value of each of the four bytes: four look-ups a mask instead of up to 32 additions.
  const sums = new Float32Array(4 * 256)
  for (let byte = 0; byte * 8 < gains.length; byte++) {
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value)
      sums[byte * 256 + value] = sums[byte * 256 + (value & (value - 1))]! + (gains[byte * 8 + lowest] ?? 0) / total
    }
  }
  return (mask) =>
    Math.min(
      1,
      sums[mask & 255]! +
        sums[256 + ((mask >>> 8) & 255)]! +
        sums[512 + ((mask >>> 16) & 255)]! +
        sums[768 + ((mask >>> 24) & 255)]!,
    )
}

/** The terms in a mask as a person would write them: symbols without their mark, no single Han characters. */
export function matchedTerms(mask: number, lists: readonly ScoredList[]): readonly string[] {
  const terms = lists
    .slice(0, MASKED_TERMS)
    .filter((_, index) => ((mask >>> index) & 1) === 1)
    .map(({ list: { term } }) => (isSymbolTerm(term) ? term.slice(1) : term))
  return [...new Set(terms)].filter((term) => !/^\p{Script=Han}$/u.test(term))
}
