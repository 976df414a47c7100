/** How alike is a turn to the query, next to the others that an index of vectors found? 1 for the nearest. */

/**
 * √((cosine − least) ÷ (best − least)) by ordinal; 0 for turns that were not found. Cosines of one model lie near 0.8,
 * of another near 0.3, so that only their place between the least and the best found says something; the root keeps
 * what is near the best apart from what was not found at all (docs/retrieval.md has what was measured).
 */
export function similarityScores(cosines: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let least = Number.POSITIVE_INFINITY
  let best = Number.NEGATIVE_INFINITY
  for (const cosine of cosines.values()) {
    least = Math.min(least, cosine)
    best = Math.max(best, cosine)
  }
  const scores = new Map<number, number>()
  for (const [ordinal, cosine] of cosines)
    scores.set(ordinal, best > least ? Math.sqrt((cosine - least) / (best - least)) : 1)
  return scores
}
