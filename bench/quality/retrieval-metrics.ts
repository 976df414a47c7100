/** How good is a ranked list? Measures of one question, each 0 to 1, and their means over many. */

/**
 * recall@k: share of the gold turns among the first k; any@10 and all@10: whether one, or every one, is among the first
 * ten; MRR: 1 ÷ the place of the first gold turn.
 */
export const MEASURES = ['recall@5', 'recall@10', 'recall@50', 'any@10', 'all@10', 'MRR'] as const
/** Measures of one question. */
export type Measures = Readonly<Record<(typeof MEASURES)[number], number>>

/** Measures a ranked list of ids against the gold ones, of which there is at least one. */
export function measure(ranked: readonly string[], gold: readonly string[]): Measures {
  const places = gold.map((id) => ranked.indexOf(id)).filter((place) => place >= 0)
  const recall = (depth: number): number => places.filter((place) => place < depth).length / gold.length
  return {
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@50': recall(50),
    'any@10': recall(10) > 0 ? 1 : 0,
    'all@10': recall(10) === 1 ? 1 : 0,
    MRR: places.length === 0 ? 0 : 1 / (Math.min(...places) + 1),
  }
}

/** The mean of one measure; NaN of none. */
export function meanOf(measures: readonly Measures[], name: keyof Measures): number {
  return measures.reduce((sum, one) => sum + one[name], 0) / measures.length
}
