/** How alike are two memory texts, and what follows from it? Similarities are numbers from 0 to 1, symmetric. */

/** How much a term tells: its inverse document frequency or any other weight above 0. */
export type TermWeight = (term: string) => number

/** Where a scale of similarity is cut: at `mergeHigh` or above two memories may be one, from `ambiguousLow` on they may be mixed up. */
export interface SimilarityThresholds {
  /** T_merge_high of specification 002. */
  readonly mergeHigh: number
  /** T_amb_low of specification 002. */
  readonly ambiguousLow: number
}
